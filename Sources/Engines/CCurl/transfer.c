// An easy handle and its callbacks, which are in C, so that Swift is called only when a transfer has something to
// deliver.

#if CURL_ENGINE

#define _GNU_SOURCE
#include "bytes.h"
#include "coding.h"
#include "library.h"
#include "lists.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/// The callbacks and their contexts, by libcurl's numbers.
enum {
    option_verbose = 41,
    option_write_context = 10001,
    option_read_context = 10009,
    option_error_text = 10010,
    option_body = 10015,
    option_fields = 10023,
    option_head_context = 10029,
    option_progress_context = 10057,
    option_debug_context = 10095,
    option_owner = 10103,
    option_socket_context = 10164,
    option_seek_context = 10168,
    option_resolve = 10203,
    option_resolver_context = 10273,
    option_before_request_context = 10313,
    option_write = 20011,
    option_read = 20012,
    option_head = 20079,
    option_debug = 20094,
    option_socket = 20163,
    option_seek = 20167,
    option_progress = 20219,
    option_resolver = 20272,
    option_before_request = 20312,
    option_upload_size = 30115,
    option_body_size = 30120,
};

/// The size of the first block of memory for a payload, in bytes, unless Content-Length asks for more.
enum { first_payload_bytes = 4096 };

/// The most bytes that are allocated for a Content-Length alone, before any byte of the payload has arrived.
enum { trusted_content_length = 1 << 20 };

/// Adds a transfer to the list of those with news for their owner.
static void mark_ready(ccurl_transfer *transfer) { enlist(transfer, ccurl_ready, &transfer->round->ready); }

ccurl_transfer *ccurl_next_ready(ccurl_round *round) {
    ccurl_transfer *first = round->ready;
    if (first) delist(first, ccurl_ready);
    return first;
}

void ccurl_transfer_silence(ccurl_transfer *transfer) {
    delist(transfer, ccurl_ready);
    delist(transfer, ccurl_holding);
    transfer->wants_progress = false;
    transfer->window = 0;
    transfer->is_produced = false;
}

bool ccurl_is_in_parts(const ccurl_transfer *transfer) {
    // After a failed expectation, libcurl may send the request again: only the last response is delivered.
    bool may_be_last = transfer->expectation != ccurl_expectation_failed;
    return may_be_last && transfer->response.has_checked_head && transfer->window > 0;
}

/// Returns the most bytes of payload to keep: of one that is taken in parts only if it is the last, a window.
static size_t most_payload(const ccurl_transfer *transfer) {
    bool is_kept = transfer->expectation == ccurl_expectation_failed && transfer->window > 0;
    return is_kept && transfer->window < transfer->payload_limit ? transfer->window : transfer->payload_limit;
}

/// Notes that a redirect has arrived, of whose payload only the bytes that arrive soon are needed.
static void note_redirect(ccurl_transfer *transfer) {
    long status = transfer->response.status;
    bool is_followed = status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
    if (transfer->window > 0 || !is_followed || transfer->payload_limit <= transfer->redirect_limit) return;
    transfer->payload_limit = transfer->redirect_limit;
    transfer->response.redirected_at = transfer->round->now;
    mark_ready(transfer);
}

/// Ends a transfer whose payload is larger than its limit.
static void stop_at_limit(ccurl_transfer *transfer) {
    transfer->stop = transfer->response.redirected_at != 0 ? ccurl_stop_whole : ccurl_stop_payload_limit;
}

/// Keeps the payload in memory, up to its limit.
static bool keep_whole(ccurl_transfer *transfer, const char *bytes, size_t count) {
    ccurl_bytes *payload = &transfer->payload;
    size_t room = most_payload(transfer) - payload->count;
    size_t taken = count < room ? count : room;
    size_t least = first_payload_bytes;
    if (payload->count == 0 && payload->capacity < taken + 1) {
        int64_t length = ccurl_content_length(transfer);
        if (length > first_payload_bytes)
            least = length < trusted_content_length ? (size_t)length : trusted_content_length;
    }
    if (!append(payload, bytes, taken, least)) return ccurl_end_transfer(transfer, ccurl_stop_memory, NULL);
    if (taken == count) return true;
    stop_at_limit(transfer);
    return false;
}

char *ccurl_take_payload(ccurl_transfer *transfer) {
    ccurl_bytes *payload = &transfer->payload;
    char *start = payload->start;
    if (start && payload->capacity - payload->count > payload->count / 4) {
        char *fitting = realloc(start, payload->count ? payload->count : 1);
        if (fitting) start = fitting;
    }
    *payload = (ccurl_bytes){0};
    return start;
}

/// Decodes received bytes: up to the owner's window if the payload is taken in parts, or else up to the limit.
///
/// libcurl keeps the bytes that remain when the window is full: libcurl passes all the bytes of this call again.
static size_t take_coded(ccurl_transfer *transfer, const char *bytes, size_t count, size_t pause_transfer) {
    ccurl_bytes *payload = &transfer->payload;
    size_t before = payload->count, taken = 0;
    size_t done = transfer->response.decoded < count ? transfer->response.decoded : count;
    bool in_parts = ccurl_is_in_parts(transfer);
    size_t limit = most_payload(transfer);
    size_t full = in_parts ? transfer->window : limit == SIZE_MAX ? SIZE_MAX : limit + 1;
    transfer->response.decoded -= done;
    // The bytes that the decoder still holds come first, even if there is no new byte.
    enum ccurl_decoded result = ccurl_decode(transfer, bytes + done, count - done, full, &taken);
    if (in_parts && payload->count > before) mark_ready(transfer);
    switch (result) {
    case ccurl_decoded_nothing: return 0;
    case ccurl_decoded_all: break;
    case ccurl_decoded_full:
        if (!in_parts) break;
        transfer->response.decoded += done + taken;
        transfer->is_paused = true;
        return pause_transfer;
    }
    if (in_parts || payload->count <= limit) return count;
    payload->count = limit;
    stop_at_limit(transfer);
    return 0;
}

static void note_answer(ccurl_transfer *transfer) {
    transfer->moved_at = transfer->round->now;
    if (transfer->may_share) ccurl_note_answer(transfer);
}

static size_t take_payload(char *bytes, size_t one, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    const size_t pause_transfer = 0x10000001;
    note_answer(transfer);
    if (transfer->stop == ccurl_stop_abandoned) return 0;
    if (transfer->is_starved) release_soon(transfer);
    if (transfer->response.decoder) return take_coded(transfer, bytes, one * count, pause_transfer);
    if (!ccurl_is_in_parts(transfer)) return keep_whole(transfer, bytes, one * count) ? one * count : 0;
    if (transfer->payload.count >= transfer->window) {
        // libcurl keeps these bytes, and the bytes that it has already read and that it decompresses to more.
        transfer->is_paused = true;
        return pause_transfer;
    }
    // The window at once: to grow step by step would copy the bytes several times for each part.
    if (!append(&transfer->payload, bytes, one * count, transfer->window))
        return ccurl_end_transfer(transfer, ccurl_stop_memory, NULL);
    mark_ready(transfer);
    return one * count;
}

/// Ends a transfer whose counted payload has arrived, of which libcurl does not know the end.
static bool stop_at_count(ccurl_transfer *transfer) {
    if (transfer->response.counted < 0 || transfer->response.arrived < transfer->response.counted) return false;
    transfer->stop = ccurl_stop_whole;
    return true;
}

static size_t on_payload(char *bytes, size_t one, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    // The bytes after the counted ones are not of this response.
    int64_t left = transfer->response.counted - transfer->response.arrived;
    bool is_excess = transfer->response.counted >= 0 && left < (int64_t)(one * count);
    size_t total = is_excess ? (size_t)left : one * count;
    size_t taken = take_payload(bytes, 1, total, context);
    if (taken != total) return taken;
    transfer->response.arrived += (int64_t)taken;
    return stop_at_count(transfer) || ccurl_stop_if_refused(transfer) ? 0 : taken;
}

bool ccurl_take_bytes(ccurl_transfer *transfer, char *bytes, size_t count) {
    return on_payload(bytes, 1, count, transfer) == count;
}

/// Whether these bytes are the empty line after a head; there is none after trailers.
static bool ends_head(const char *bytes, size_t count) {
    return (count == 2 && bytes[0] == '\r' && bytes[1] == '\n') || (count == 1 && bytes[0] == '\n');
}

/// Makes libcurl say in words what it does, for `on_debug`.
static void be_verbose(ccurl_transfer *transfer) {
    if (transfer->is_verbose) return;
    transfer->is_verbose = ccurl_lib.easy_setopt(transfer->easy, option_verbose, 1L) == 0;
}

static int on_debug(void *easy, int kind, const char *text, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    const int in_words = 0;
    static const char *const excesses[] = {"Excess found", "Leftovers after chunking"};
    if (kind != in_words) return 0;
    if (transfer->is_multiplexed) ccurl_note_refusal(transfer, text, count);
    if (transfer->forbids_reuse) return 0;
    for (size_t index = 0; index < sizeof excesses / sizeof *excesses; index++) {
        size_t length = strlen(excesses[index]);
        if (count >= length && memcmp(text, excesses[index], length) == 0)
            transfer->forbids_reuse = ccurl_lib.easy_setopt(easy, ccurl_forbid_reuse, 1L) == 0;
    }
    return 0;
}

/// Notes how the payload of the response is taken, whose head is complete.
static void take_final_head(ccurl_transfer *transfer, bool has_location) {
    long status = transfer->response.status;
    transfer->response.has_checked_head = true;
    if (status == 417 && transfer->expectation == ccurl_expectation_sent) {
        transfer->expectation = ccurl_expectation_failed;
        // A server may still wait for the payload (RFC 9110 10.1.1), and libcurl would send the request again there.
        ccurl_close_after(transfer);
    }
    if (has_location) note_redirect(transfer);
    bool is_error =
        status >= 300 && status != 304 && transfer->response.redirected_at == 0 &&
        transfer->expectation != ccurl_expectation_failed;
    if (is_error && transfer->window == 0) transfer->window = transfer->error_window;
    if (ccurl_is_in_parts(transfer)) mark_ready(transfer);
}

static size_t on_head(char *bytes, size_t one, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    size_t total = one * count;
    note_answer(transfer);
    if (transfer->stop == ccurl_stop_abandoned) return 0;
    bool is_too_large = total > transfer->head_limit - transfer->head.count;
    if (is_too_large) return ccurl_end_transfer(transfer, ccurl_stop_head_limit, NULL);
    if (!append(&transfer->head, bytes, total, 1024)) return ccurl_end_transfer(transfer, ccurl_stop_memory, NULL);
    if (transfer->response.has_checked_head || !ends_head(bytes, total)) return total;
    struct ccurl_framing framing;
    if (!ccurl_check_head(transfer, &framing)) return 0;
    // libcurl reports the bytes after the response that it drops. libcurl keeps the connection in spite of such bytes
    // (before 8.7 after a response that has no payload, and to 8.23 after chunks), and the rest of the unrequested
    // bytes would be taken for the next response. After a payload with a Content-Length, libcurl closes the connection
    // itself. The reports begin only after the end of the head, when libcurl reports little else.
    if (framing.length <= 0) be_verbose(transfer);
    if (transfer->response.status >= 200) take_final_head(transfer, framing.has_location);
    else transfer->response.head_start = transfer->head.count;
    ccurl_watch_tls_end(transfer);
    if (transfer->is_starved) release_soon(transfer);
    return stop_at_count(transfer) || ccurl_stop_if_refused(transfer) ? 0 : total;
}

bool ccurl_take_line(ccurl_transfer *transfer, char *line, size_t count) {
    return on_head(line, 1, count, transfer) == count;
}

static size_t on_read(char *bytes, size_t one, size_t count, void *context) {
    ccurl_transfer *transfer = context;
    const size_t abort_transfer = 0x10000000, pause_transfer = 0x10000001;
    if (!transfer->source || !transfer->source_context) return 0;
    // libcurl also asks while sending is paused, for an event from before the pause (at least in 7.88). It would send
    // the bytes, and stay paused: only `curl_easy_pause` ends a pause.
    if (transfer->is_starved) return pause_transfer;
    if (ccurl_stop_if_answered(transfer)) return abort_transfer;
    size_t given = transfer->source(transfer->source_context, transfer->source_offset, bytes, one * count);
    if (given == ccurl_source_pending) {
        transfer->is_starved = true;
        // libcurl may have read the end of the connection before; while reading is paused, that is checked later.
        if (!transfer->is_paused && !ccurl_is_reading(transfer)) release_soon(transfer);
        return pause_transfer;
    }
    if (given > one * count) {
        transfer->stop = ccurl_stop_source;
        return abort_transfer;
    }
    // A server may answer before it has read the whole upload, and close the connection, which the server's system
    // resets. If libcurl then sends, it reports the reset, and not the answer (7.81 to 8.23). Therefore, libcurl reads
    // first: at most once for each head, since it need not read the available bytes. The check comes last, so that
    // there is little time for an answer to arrive between this check and the sending.
    bool is_holding = transfer->links[ccurl_holding].place;
    bool may_hold = !transfer->is_paused && !is_holding && transfer->held_at != transfer->head.count;
    if (given > 0 && may_hold && ccurl_has_answer(transfer)) {
        transfer->held_at = transfer->head.count;
        release_soon(transfer);
        return pause_transfer;
    }
    transfer->source_offset += given;
    return given;
}

static int on_seek(void *context, int64_t offset, int origin) {
    ccurl_transfer *transfer = context;
    if (origin != SEEK_SET || offset < 0) return 1;
    transfer->source_offset = (uint64_t)offset;
    return 0;
}

/// Records progress; called only while there is a payload to send, or a listener observes progress.
static int on_progress(void *context, int64_t to_come, int64_t come, int64_t to_send, int64_t sent) {
    (void)to_come, (void)to_send;
    ccurl_transfer *transfer = context;
    if (sent != transfer->uploaded) transfer->moved_at = transfer->round->now;
    if (transfer->wants_progress && (sent != transfer->uploaded || come != transfer->downloaded))
        transfer->round->has_progress = true;
    transfer->uploaded = sent;
    transfer->downloaded = come;
    if (transfer->response.end != ccurl_end_framed) ccurl_note_tls_end(transfer);
    return transfer->stop == ccurl_stop_abandoned;
}

void ccurl_transfer_expect_connection(ccurl_transfer *transfer) {
    if (transfer->connect_milliseconds <= 0) return;
    int64_t waited = (transfer->round->now - transfer->added_at) / 1000000;
    int64_t limit = transfer->connect_milliseconds + transfer->connect_milliseconds / 8 + 1;
    int64_t most = INT32_MAX;
    ccurl_lib.easy_setopt(
        transfer->easy, ccurl_connect_timeout_ms, (long)(waited + limit < most ? waited + limit : most));
}

/// Notes that a transfer, which may have waited for a connection, opens one; false if the transfer is abandoned.
static bool begin_to_connect(ccurl_transfer *transfer) {
    if (transfer->stop == ccurl_stop_abandoned) return false;
    if (transfer->phase != ccurl_phase_waiting) return true;
    ccurl_set_phase(transfer, ccurl_phase_connecting);
    transfer->began_at = transfer->round->now;
    if (transfer->waited_until == 0) transfer->waited_until = transfer->round->now;
    ccurl_transfer_expect_connection(transfer);
    return true;
}

static int on_resolver(void *state, void *reserved, void *context) {
    (void)state, (void)reserved;
    ccurl_transfer *transfer = context;
    if (!begin_to_connect(transfer)) return 1;
    transfer->is_resolving = true;
    if (transfer->may_not_look_up) transfer->stop = ccurl_stop_lookup;
    return transfer->may_not_look_up;
}

/// Opens a socket as libcurl does, except that programs that this process starts do not inherit the socket.
static int on_socket(void *context, int purpose, struct ccurl_socket_address *address) {
    (void)purpose;
    ccurl_transfer *transfer = context;
    if (!begin_to_connect(transfer)) return -1;
    transfer->is_resolving = false;
    // Without a socket, libcurl goes on with the next address of the host.
    if (!ccurl_may_connect(transfer, address)) return -1;
    int descriptor = socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
    transfer->socket_error = descriptor >= 0 ? 0 : errno;
    if (descriptor >= 0) ccurl_sockets_opened(&transfer->multi->sockets, descriptor, address->type == SOCK_DGRAM);
    return descriptor;
}

int ccurl_lack_of_descriptors(void) {
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return errno == EMFILE || errno == ENFILE ? errno : 0;
    close(descriptor);
    return 0;
}

void ccurl_transfer_abandon(ccurl_transfer *transfer) {
    transfer->stop = ccurl_stop_abandoned;
    // At the time limit, libcurl would wait for the name lookup because of which the transfer was abandoned.
    ccurl_lib.easy_setopt(transfer->easy, ccurl_connect_timeout_ms, (long)INT32_MAX);
    ccurl_set_phase(transfer, ccurl_phase_waiting);
}

/// Returns the reason why a request must not be sent on the connection that libcurl has chosen; none if it may.
static ccurl_stop refusal_of_request(ccurl_transfer *transfer, const struct ccurl_ends *ends) {
    if (transfer->stop == ccurl_stop_abandoned) return ccurl_stop_abandoned;
    if (!ccurl_may_use(transfer, ends->their_address)) return ccurl_stop_address;
    bool is_repetition =
        transfer->phase == ccurl_phase_connected && transfer->expectation != ccurl_expectation_failed;
    // libcurl 7.88 takes some malformed responses of HTTP/2 on a used connection for none, though it has passed on
    // their head.
    if (is_repetition && transfer->head.count > 0) return ccurl_stop_framing;
    if (is_repetition && !transfer->may_repeat) return ccurl_stop_repetition;
    if (transfer->attempts >= ccurl_most_attempts) return ccurl_stop_repetition;
    if (transfer->head.count > 0) {
        // After an answer with 417, libcurl sends the request again without its `Expect`, as RFC 9110 10.1.1 asks.
        transfer->expectation = ccurl_expectation_dropped;
        ccurl_end_decoding(transfer);
        transfer->head.count = 0;
        transfer->payload.count = 0;
        transfer->response = (ccurl_response){.counted = -1};
    }
    return ccurl_begin_on_connection(transfer, ends) ? ccurl_stop_none : ccurl_stop_stale_connection;
}

static int on_before_request(void *context, char *their_address, char *our_address, int their_port, int our_port) {
    (void)our_address;
    ccurl_transfer *transfer = context;
    const int go_on = 0, abort_transfer = 1;
    ccurl_stop stop = refusal_of_request(transfer, &(struct ccurl_ends){their_address, their_port, our_port});
    if (stop != ccurl_stop_none) {
        // The explanation of `ccurl_stop_framing`; the others have none.
        ccurl_end_transfer(transfer, stop, "the response ended in a way that HTTP does not allow (RFC 9113 8.1)");
        return abort_transfer;
    }
    if (transfer->is_multiplexed) mark_ready(transfer);
    if (transfer->is_multiplexed && !transfer->may_repeat) be_verbose(transfer);
    transfer->attempts++;
    transfer->stream = 0;
    transfer->is_refused = false;
    transfer->is_starved = false;
    transfer->is_unread = false;
    transfer->is_resolving = false;
    ccurl_set_phase(transfer, ccurl_phase_connected);
    if (transfer->waited_until == 0) transfer->waited_until = transfer->round->now;
    // libcurl may connect again for the same request, whose addresses are judged anew.
    ccurl_forget_addresses(transfer);
    transfer->moved_at = transfer->round->now;
    return go_on;
}

static void set_callbacks(ccurl_transfer *transfer) {
    void *easy = transfer->easy;
    int (*set)(void *, int, ...) = ccurl_lib.easy_setopt;
    set(easy, option_owner, transfer);
    set(easy, option_error_text, transfer->error);
    static const struct {
        int function, context;
        void *callback;
    } callbacks[] = {
        {option_write, option_write_context, on_payload},
        {option_head, option_head_context, on_head},
        {option_read, option_read_context, on_read},
        {option_seek, option_seek_context, on_seek},
        {option_progress, option_progress_context, on_progress},
        {option_resolver, option_resolver_context, on_resolver},
        {option_debug, option_debug_context, on_debug},
        {option_socket, option_socket_context, on_socket},
        {option_before_request, option_before_request_context, on_before_request},
    };
    for (size_t index = 0; index < sizeof callbacks / sizeof *callbacks; index++) {
        set(easy, callbacks[index].function, callbacks[index].callback);
        set(easy, callbacks[index].context, transfer);
    }
    ccurl_demand_tls_end(easy);
}

ccurl_transfer *ccurl_transfer_create(ccurl_round *round) {
    ccurl_transfer *transfer = calloc(1, sizeof *transfer);
    if (!transfer) return NULL;
    ccurl_enter();
    transfer->easy = ccurl_lib.easy_init();
    ccurl_leave();
    if (!transfer->easy) {
        free(transfer);
        return NULL;
    }
    transfer->round = round;
    ccurl_transfer_reset(transfer, 0);
    set_callbacks(transfer);
    return transfer;
}

void ccurl_transfer_free(ccurl_transfer *transfer) {
    ccurl_enter();
    ccurl_lib.easy_cleanup(transfer->easy);
    ccurl_leave();
    ccurl_end_decoding(transfer);
    release(&transfer->head);
    release(&transfer->payload);
    release(&transfer->body);
    free(transfer);
}

void ccurl_transfer_reset(ccurl_transfer *transfer, size_t keep) {
    forget(&transfer->head, keep);
    forget(&transfer->payload, keep);
    forget(&transfer->body, keep);
    ccurl_end_decoding(transfer);
    ccurl_transfer_silence(transfer);
    // The options that were set for one transfer alone.
    int (*set)(void *, int, ...) = ccurl_lib.easy_setopt;
    if (transfer->is_verbose) set(transfer->easy, option_verbose, 0L);
    if (transfer->forbids_reuse) set(transfer->easy, ccurl_forbid_reuse, 0L);
    if (transfer->is_on_new_connection) set(transfer->easy, ccurl_fresh_connect, 0L);
    *transfer = (ccurl_transfer){
        .easy = transfer->easy,
        .multi = transfer->multi,
        .mark = transfer->mark,
        .round = transfer->round,
        .head = transfer->head,
        .head_limit = transfer->head_limit,
        .payload = transfer->payload,
        .body = transfer->body,
        .is_unshared = transfer->is_unshared,
        .connect_milliseconds = transfer->connect_milliseconds,
        .slot = -1,
        .descriptor = -1,
        .response = {.counted = -1},
        .payload_limit = SIZE_MAX,
        .redirect_limit = SIZE_MAX,
        .held_at = SIZE_MAX,
    };
}

int ccurl_send_nothing(ccurl_transfer *transfer) {
    int (*set)(void *, int, ...) = ccurl_lib.easy_setopt;
    int result = set(transfer->easy, option_body, NULL);
    if (result == 0) result = set(transfer->easy, option_body_size, (int64_t)-1);
    if (result == 0) result = set(transfer->easy, option_upload_size, (int64_t)-1);
    // This option is last: the first of these options chooses POST.
    return result == 0 ? set(transfer->easy, ccurl_http_get, 1L) : result;
}

int ccurl_send_bytes(ccurl_transfer *transfer, const void *bytes, size_t count) {
    transfer->body.count = 0;
    if (!append(&transfer->body, bytes, count, 256)) return 27;
    int result = ccurl_lib.easy_setopt(transfer->easy, ccurl_post, 1L);
    if (result == 0) result = ccurl_lib.easy_setopt(transfer->easy, option_body_size, (int64_t)count);
    if (result != 0) return result;
    return ccurl_lib.easy_setopt(transfer->easy, option_body, count ? transfer->body.start : "");
}

int ccurl_send_source(ccurl_transfer *transfer, ccurl_source source, void *context, int64_t count) {
    transfer->source = source;
    transfer->source_context = context;
    transfer->source_count = count;
    int result = ccurl_lib.easy_setopt(transfer->easy, ccurl_upload, 1L);
    if (result != 0) return result;
    return ccurl_lib.easy_setopt(transfer->easy, option_upload_size, count);
}

int ccurl_set_fields(ccurl_transfer *transfer, ccurl_list *fields) {
    return ccurl_lib.easy_setopt(transfer->easy, option_fields, (void *)fields);
}

int ccurl_set_resolve(ccurl_transfer *transfer, ccurl_list *lines) {
    return ccurl_lib.easy_setopt(transfer->easy, option_resolve, (void *)lines);
}

int ccurl_set_long(ccurl_transfer *transfer, ccurl_long_option option, long value) {
    return ccurl_lib.easy_setopt(transfer->easy, option, value);
}

int ccurl_set_text(ccurl_transfer *transfer, ccurl_text_option option, const char *value) {
    return ccurl_lib.easy_setopt(transfer->easy, option, value);
}

ccurl_list *ccurl_list_append(ccurl_list *list, const char *line) {
    return ccurl_lib.slist_append(list, line);
}

void ccurl_list_free(ccurl_list *list) { ccurl_lib.slist_free_all(list); }

#endif
