// A refusal of an upload that arrives before the upload has been sent, on a shared connection.
//
// A server may answer and take no more of an upload (RFC 9113 8.1). After a status of 400 or above, libcurl sends no
// more. libcurl 7.88 still waits until it has ended its own half of the stream, too, which it can't while the server's
// window is closed, and the call would time out. Therefore, the transfer ends as soon as the response is complete by
// its Content-Length. Without that, only libcurl knows the end of the response, and the call does time out; 8.23 ends
// it.

#if CURL_ENGINE

#include "library.h"

/// Whether a part of the request's payload may not have been sent.
static bool is_uploading(ccurl_transfer *transfer) {
    int64_t count = transfer->source ? transfer->source_count : (int64_t)transfer->body.count;
    return count < 0 || ccurl_get_counts(transfer).sent < count;
}

bool ccurl_stop_if_refused(ccurl_transfer *transfer) {
    const int lowest_error = 400;
    bool has_source = transfer->source && transfer->source_context;
    if (!transfer->has_checked_head) return false;
    if (!transfer->may_share || !transfer->is_multiplexed) return false;
    if (!has_source && transfer->body.count == 0) return false;
    if (transfer->status < lowest_error || !is_uploading(transfer)) return false;
    int64_t length = ccurl_content_length(transfer);
    if (length < 0 || transfer->arrived < length) return false;
    transfer->has_whole_response = true;
    transfer->stop = ccurl_stop_unread;
    return true;
}

#endif
