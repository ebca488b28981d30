// An answer that arrives before an upload has been sent.
//
// A server may answer before it has read a whole request, and close the connection (RFC 9112 9.6). As bytes are left
// unread, the server's system resets the connection (RFC 1122 4.2.2.13). If libcurl sends next, it reports the reset
// and closes the socket, although the answer is in the receive queue (7.81 to 8.23). On Linux, the queue can be read
// after a reset. Therefore, the queue is read before the socket is closed (`ccurl_keep_answer`), and the bytes are
// parsed as the response when the transfer ends (`ccurl_read_answer`).
//
// This requires all of the following:
//
// - The connection is HTTP/1 without TLS: the queue of another connection holds frames or records, which only libcurl
//   can read.
// - Some bytes of the request were sent on the connection: otherwise, no received byte can be the answer.
// - libcurl has not begun to read a response: the start of one may be in a buffer of libcurl.
//
// The end of the connection does not prove that a response is complete. A response is accepted only if its head,
// Content-Length or last chunk proves it. The received part of another response is added to the error.

#if defined(__linux__)

#define _GNU_SOURCE
#include "bytes.h"
#include "coding.h"
#include "library.h"

#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/// The most bytes that are read from a receive queue: 6 MiB.
///
/// By default, no queue of most kernels is larger (tcp(7): the maximum of `tcp_rmem`). Linux 6.18 allows 32 MiB;
/// the rest of such a queue is lost.
enum { most_answer_bytes = 6 * 1024 * 1024 };

/// Whether a result of libcurl means that the connection was lost before a response.
///
/// 18 is CURLE_PARTIAL_FILE, 52 CURLE_GOT_NOTHING, 55 CURLE_SEND_ERROR, and 56 CURLE_RECV_ERROR.
static bool is_lost(int result) { return result == 18 || result == 52 || result == 55 || result == 56; }

/// Whether libcurl has read no byte of a response, or only complete heads of 1xx.
static bool is_between_heads(const ccurl_transfer *transfer) {
    const ccurl_bytes *head = &transfer->head;
    if (transfer->has_checked_head) return false;
    if (head->count == 0) return true;
    if (head->count >= 3 && memcmp(head->start + head->count - 3, "\n\r\n", 3) == 0) return true;
    return head->count >= 2 && memcmp(head->start + head->count - 2, "\n\n", 2) == 0;
}

static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

void ccurl_keep_answer(ccurl_transfer *transfer, int descriptor) {
    ccurl_bytes *answer = &transfer->answer;
    bool is_upload = transfer->source || transfer->body.count > 0;
    if (!transfer->may_answer_early || !is_upload || transfer->is_abandoned) return;
    if (transfer->stop != ccurl_stop_none || answer->count > 0 || !is_between_heads(transfer)) return;
    if (ccurl_request_bytes(transfer) <= transfer->request_bytes) return;
    const size_t step = 16 * 1024;
    while (answer->count < most_answer_bytes && reserve(answer, step, step)) {
        ssize_t count = recv(descriptor, answer->start + answer->count, step, MSG_DONTWAIT);
        if (count <= 0) break;
        answer->count += (size_t)count;
    }
    const char *start = "HTTP/1.";
    size_t compared = answer->count < strlen(start) ? answer->count : strlen(start);
    // Bytes that are not a response are dropped, so that a request that may be sent again is sent again.
    if (compared == 0 || strncasecmp(answer->start, start, compared) != 0) release(answer);
}

/// Returns the end of the line at `place`, after its line feed; 0 if the end has not arrived.
static size_t end_of_line(const ccurl_bytes *bytes, size_t place) {
    if (place >= bytes->count) return 0;
    const char *feed = memchr(bytes->start + place, '\n', bytes->count - place);
    return feed ? (size_t)(feed - bytes->start) + 1 : 0;
}

static bool refuse(ccurl_transfer *transfer, const char *reason) {
    transfer->stop = ccurl_stop_framing;
    transfer->reason = reason;
    return false;
}

/// Moves the lines of one head from `*place` on to the transfer; false if the end is missing, or the head is refused.
static bool take_head(ccurl_transfer *transfer, size_t *place) {
    const ccurl_bytes *answer = &transfer->answer;
    size_t line = *place, end = 0;
    for (bool is_first = true; (end = end_of_line(answer, line)) != 0; line = end, is_first = false) {
        const char *start = answer->start + line;
        size_t count = end - line;
        if (end - *place > transfer->head_limit - transfer->head.count) break;
        if (memchr(start, 0, count)) return refuse(transfer, "the head of the response has a NUL (RFC 9110 5.5)");
        bool is_empty = count == 1 || (count == 2 && *start == '\r');
        if (is_empty) break;
        if (!is_first && *start != ' ' && *start != '\t' && !memchr(start, ':', count))
            return refuse(transfer, "the head of the response has a line without a colon (RFC 9112 5)");
    }
    size_t count = (end ? end : answer->count) - *place;
    if (count > transfer->head_limit - transfer->head.count) {
        transfer->stop = ccurl_stop_head_limit;
        return false;
    }
    if (end == 0) return false;
    if (!append(&transfer->head, answer->start + *place, count, 1024)) {
        transfer->stop = ccurl_stop_memory;
        return false;
    }
    *place = end;
    return true;
}

static int hexadecimal(char byte) {
    if (is_digit(byte)) return byte - '0';
    char lower = byte | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Reads the size of a chunk and skips its line with extensions (RFC 9112 7.1); false if there is no valid size.
static bool take_chunk_size(const ccurl_bytes *answer, size_t *place, size_t *size) {
    const size_t most_digits = 8;
    size_t end = end_of_line(answer, *place), index = *place;
    if (end == 0 || end - *place < 3 || answer->start[end - 2] != '\r') return false;
    *size = 0;
    for (; hexadecimal(answer->start[index]) >= 0; index++) {
        if (index - *place >= most_digits) return false;
        *size = *size * 16 + (size_t)hexadecimal(answer->start[index]);
    }
    char next = answer->start[index];
    if (index == *place || (next != ';' && next != ' ' && next != '\t' && next != '\r')) return false;
    *place = end;
    return true;
}

/// Skips CR and LF; false if they do not follow.
static bool take_line_end(const ccurl_bytes *answer, size_t *place) {
    if (answer->count - *place < 2 || memcmp(answer->start + *place, "\r\n", 2) != 0) return false;
    *place += 2;
    return true;
}

static bool take_payload(ccurl_transfer *transfer, size_t place, size_t count) {
    return count == 0 || ccurl_take_bytes(transfer, transfer->answer.start + place, count);
}

/// Takes the chunks that have arrived; returns whether the last one has, without trailers after it.
static bool take_chunks(ccurl_transfer *transfer, size_t place) {
    const ccurl_bytes *answer = &transfer->answer;
    size_t size = 0;
    while (take_chunk_size(answer, &place, &size)) {
        if (size == 0) return take_line_end(answer, &place);
        size_t come = answer->count - place, taken = size < come ? size : come;
        if (!take_payload(transfer, place, taken)) return false;
        place += taken;
        if (taken < size || !take_line_end(answer, &place)) return false;
    }
    return false;
}

/// Takes the payload after a final head; returns whether the payload is complete.
static bool take_body(ccurl_transfer *transfer, size_t place, long status) {
    if (transfer->is_head || status == 204 || status == 304) return true;
    size_t come = transfer->answer.count - place;
    int64_t length = -1;
    bool is_chunked = false;
    if (!ccurl_read_delimiter(transfer, &length, &is_chunked)) return false;
    // Parts are for a reader, which may be slow: they can't wait for the reader here.
    if (transfer->window > 0 && status / 100 == 2) return length == 0;
    if (is_chunked) return take_chunks(transfer, place);
    bool is_whole = length >= 0 && (uint64_t)length <= come;
    return take_payload(transfer, place, is_whole ? (size_t)length : come) && is_whole;
}

int ccurl_read_answer(ccurl_transfer *transfer, int result) {
    bool is_answered = transfer->stop == ccurl_stop_answered;
    if (transfer->answer.count == 0 || transfer->is_abandoned || !is_between_heads(transfer)) return result;
    if (!is_answered && (!is_lost(result) || transfer->stop != ccurl_stop_none)) return result;
    size_t place = 0;
    long status = 0;
    while (status < 200) {
        size_t first = place, end = end_of_line(&transfer->answer, first);
        status = end ? ccurl_status_in(transfer->answer.start + first, end - first) : 0;
        // After 101, the connection speaks another protocol.
        if (status < 0 || status == 101) return result;
        if (!take_head(transfer, &place)) return result;
    }
    if (!ccurl_check_head(transfer, status)) return result;
    transfer->has_checked_head = true;
    if (!take_body(transfer, place, status)) return result;
    transfer->stop = ccurl_stop_none;
    return ccurl_ok;
}

#endif
