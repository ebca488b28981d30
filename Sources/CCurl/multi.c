// Many transfers at once.

#if defined(__linux__)

#include "library.h"

#include <string.h>

ccurl_multi *ccurl_multi_create(void) {
    ccurl_enter();
    void *multi = ccurl_lib.multi_init();
    ccurl_leave();
    return multi;
}

int ccurl_multi_free(ccurl_multi *multi) {
    ccurl_enter();
    int code = ccurl_lib.multi_cleanup(multi);
    ccurl_leave();
    return code;
}

int ccurl_multi_set(ccurl_multi *multi, ccurl_multi_option option, long value) {
    return ccurl_lib.multi_setopt(multi, option, value);
}

int ccurl_multi_add(ccurl_multi *multi, ccurl_transfer *transfer) {
    ccurl_enter();
    int code = ccurl_lib.multi_add_handle(multi, transfer->easy);
    ccurl_leave();
    return code;
}

int ccurl_multi_remove(ccurl_multi *multi, ccurl_transfer *transfer) {
    ccurl_enter();
    int code = ccurl_lib.multi_remove_handle(multi, transfer->easy);
    ccurl_leave();
    return code;
}

int ccurl_multi_perform(ccurl_multi *multi) {
    int running = 0;
    ccurl_enter();
    int code = ccurl_lib.multi_perform(multi, &running);
    ccurl_leave();
    return code;
}

int ccurl_multi_wait(ccurl_multi *multi, int descriptor, int milliseconds) {
    struct ccurl_wait_descriptor more = {.descriptor = descriptor, .events = 1};
    int code = ccurl_lib.multi_poll(multi, &more, 1, milliseconds, NULL);
    if (more.happened) ccurl_wake_clear(descriptor);
    return code;
}

const char *ccurl_multi_text(int code) { return ccurl_lib.multi_strerror(code); }

/// A session of HTTP/2 that is over (RFC 9113 6.8): libcurl sends a request anew by itself only on HTTP/1, and on HTTP/2
/// chooses the same connection again until it gives up.
static bool is_session_over(ccurl_transfer *transfer, int result) {
    const int http2 = 16, sending = 55, receiving = 56;
    if (result == http2) return true;
    return (result == sending || result == receiving) && strncmp(transfer->error, "Connection died", 15) == 0;
}

bool ccurl_multi_repeat(ccurl_multi *multi, ccurl_transfer *transfer, int result) {
    if (!is_session_over(transfer, result) || !transfer->may_repeat || transfer->is_repeated) return false;
    if (transfer->is_abandoned || transfer->stop != ccurl_stop_none || transfer->head.count > 0) return false;
    transfer->is_repeated = true;
    transfer->source_offset = 0;
    transfer->error[0] = 0;
    if (ccurl_multi_remove(multi, transfer) != 0) return false;
    transfer->uploaded = 0;
    transfer->downloaded = 0;
    transfer->is_resolving = false;
    transfer->is_connected = false;
    // Not 0: it has waited in line before, and what is left is to connect.
    transfer->began_at = transfer->round->now;
    transfer->moved_at = transfer->round->now;
    return ccurl_multi_add(multi, transfer) == 0;
}

ccurl_transfer *ccurl_multi_next_ended(ccurl_multi *multi, int *result) {
    int left = 0;
    const int ended = 1;
    for (;;) {
        struct ccurl_message *message = ccurl_lib.multi_info_read(multi, &left);
        if (!message) return NULL;
        if (message->kind != ended) continue;
        *result = message->data.result;
        ccurl_transfer *transfer = ccurl_owner(message->easy);
        if (transfer) return transfer;
    }
}

#endif
