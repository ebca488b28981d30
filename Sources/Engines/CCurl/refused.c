// Refusals on a shared connection: of a request, and of an upload that has not been sent.
//
// A stream that is refused, or above the last stream of a GOAWAY, was not processed (RFC 9113 6.8, 8.7), so that even a
// request that must not run twice may be sent again. libcurl has no code for that; it only says so in words, which it
// is asked for if they matter. Before 8.19, it says nothing of a refused stream on a connection that was used before.
// Only the transfer that reads a GOAWAY is told of it.
//
// A server may answer and take no more of an upload (RFC 9113 8.1). libcurl 7.88 waits until it has ended its own half
// of the stream, which it can't while the server's window is closed: the call would time out. Therefore, the transfer
// ends as soon as an error is complete by its Content-Length. Without that, the call does time out; 8.23 ends it.

#if CURL_ENGINE

#include "library.h"

#include <stdio.h>
#include <string.h>

/// Whether a part of the request's payload may not have been sent.
static bool is_uploading(ccurl_transfer *transfer) {
    int64_t count = transfer->source ? transfer->source_count : (int64_t)transfer->body.count;
    return count < 0 || ccurl_get_counts(transfer).sent < count;
}

void ccurl_note_refusal(ccurl_transfer *transfer, const char *text, size_t count) {
    char line[128];
    snprintf(line, sizeof line, "%.*s", (int)(count < sizeof line ? count : sizeof line - 1), text);
    unsigned int last = ~0u;
    // What is said from here on is of other connections, which libcurl checks while this transfer looks for one.
    if (strncmp(line, "Connection died", 15) == 0) transfer->stream = 0;
    // The second form is that of libcurl before 8.4; 7.88 says "recveived".
    if (sscanf(line, "[HTTP/2] [%u] OPENED", &transfer->stream) == 1) return;
    if (sscanf(line, "Using Stream ID: %u", &transfer->stream) == 1) return;
    sscanf(line, "%*[a-z] GOAWAY, error=%*u, last_stream=%u", &last);
    bool is_any = strncmp(line, "HTTP/", 5) == 0 && strstr(line, " refused by server, try again");
    if (strncmp(line, "REFUSED_STREAM, retrying", 24) == 0 || is_any) transfer->is_refused = true;
    if (transfer->stream > last) transfer->is_refused = true;
}

bool ccurl_stop_if_refused(ccurl_transfer *transfer) {
    const int lowest_error = 400;
    bool has_source = transfer->source && transfer->source_context;
    if (!transfer->response.has_checked_head || !transfer->is_multiplexed) return false;
    if (!has_source && transfer->body.count == 0) return false;
    if (transfer->response.status < lowest_error || !is_uploading(transfer)) return false;
    int64_t length = ccurl_content_length(transfer);
    if (length < 0 || transfer->response.arrived < length) return false;
    transfer->stop = ccurl_stop_whole;
    return true;
}

#endif
