// Many transfers at once.

#if CURL_ENGINE

#include "library.h"
#include "lists.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    option_kept_connections = 6,
    option_connections_per_host = 7,
    option_connections_in_all = 13,
    option_lookup_threads = 20,
    option_quick_exit = 21,
    option_watch = 20001,
    option_watch_context = 10002,
    option_close_socket = 20208,
    option_close_socket_context = 10209,
};

/// Starts, changes or ends the watch of a socket for libcurl.
static int on_watch(void *easy, int descriptor, int what, void *context, void *unused) {
    (void)easy, (void)unused;
    ccurl_multi *multi = context;
    const int read_and_write = 3;
    if (!(what & ccurl_can_read)) ccurl_note_unread(ccurl_sockets_user(&multi->sockets, descriptor));
    return ccurl_sockets_watch(&multi->sockets, descriptor, what & ~read_and_write ? 0 : what) ? 0 : -1;
}

static int on_close(void *context, int descriptor) {
    ccurl_multi *multi = context;
    ccurl_sockets_closing(&multi->sockets, descriptor);
    return close(descriptor);
}

ccurl_multi *ccurl_multi_create(int watch, long connections_per_host, long connections_in_all) {
    ccurl_multi *multi = calloc(1, sizeof *multi);
    if (!multi) return NULL;
    multi->sockets.watch = watch;
    multi->connections_per_host = connections_per_host;
    multi->connections_in_all = connections_in_all;
    ccurl_enter();
    multi->handle = ccurl_lib.multi_init();
    ccurl_leave();
    if (!multi->handle) {
        free(multi);
        return NULL;
    }
    int (*set)(void *, int, ...) = ccurl_lib.multi_setopt;
    set(multi->handle, option_kept_connections, connections_in_all);
    set(multi->handle, option_connections_per_host, connections_per_host);
    set(multi->handle, option_connections_in_all, connections_in_all);
    // From 8.20 on, which may look up a name longer than its transfer exists: its end does not wait for that.
    set(multi->handle, option_quick_exit, 1L);
    set(multi->handle, option_lookup_threads, (long)ccurl_lookup_limit);
    set(multi->handle, option_watch, on_watch);
    set(multi->handle, option_watch_context, multi);
    return multi;
}

int ccurl_multi_free(ccurl_multi *multi) {
    ccurl_enter();
    int code = ccurl_lib.multi_cleanup(multi->handle);
    ccurl_leave();
    free(multi->sockets.sockets);
    free(multi->sockets.open);
    free(multi);
    return code;
}

int ccurl_multi_add(ccurl_multi *multi, ccurl_transfer *transfer) {
    if (transfer->multi != multi) {
        // A connection keeps these options for its whole life, which may be longer than the transfer's.
        ccurl_lib.easy_setopt(transfer->easy, option_close_socket, on_close);
        ccurl_lib.easy_setopt(transfer->easy, option_close_socket_context, multi);
        transfer->multi = multi;
    }
    transfer->added_at = transfer->round->now;
    ccurl_choose_mark(transfer);
    ccurl_transfer_expect_connection(transfer);
    ccurl_enter();
    int code = ccurl_lib.multi_add_handle(multi->handle, transfer->easy);
    ccurl_leave();
    multi->has_added = true;
    if (code == 0) enlist(transfer, ccurl_running, &multi->first);
    return code;
}

int ccurl_multi_remove(ccurl_multi *multi, ccurl_transfer *transfer) {
    delist(transfer, ccurl_running);
    ccurl_enter();
    int code = ccurl_lib.multi_remove_handle(multi->handle, transfer->easy);
    ccurl_leave();
    ccurl_end_on_connection(transfer);
    ccurl_set_phase(transfer, ccurl_phase_waiting);
    return code;
}

/// Returns the number of milliseconds until libcurl has something to do; -1 for no time.
static long time_left(ccurl_multi *multi) {
    long milliseconds = -1;
    ccurl_lib.multi_timeout(multi->handle, &milliseconds);
    return milliseconds;
}

long ccurl_multi_time_left(ccurl_multi *multi) { return multi->must_check_shared ? 0 : time_left(multi); }

/// Whether an event may be for a connection that several transfers share.
static bool is_shared(ccurl_multi *multi, struct ccurl_socket_event event) {
    if (multi->has_unknown_shared) return true;
    struct ccurl_socket *socket = ccurl_sockets_entry(&multi->sockets, event.descriptor);
    return !socket || socket->is_multiplexed;
}

/// Whether several transfers may share a connection now.
static bool is_any_shared(ccurl_multi *multi) {
    if (multi->has_unknown_shared) return true;
    struct ccurl_sockets *sockets = &multi->sockets;
    for (size_t index = 0; index < sockets->open_count; index++) {
        struct ccurl_socket *socket = &sockets->sockets[sockets->open[index]];
        if (socket->is_multiplexed && socket->users > 1) return true;
    }
    return false;
}

/// Lets libcurl check all transfers.
///
/// If a part of a response has arrived for a transfer and there is more, libcurl sets a timer, and removes that at the
/// end of the check if an earlier timer of the transfer was due by a millisecond, or if another transfer begins (7.88):
/// the transfer would wait for the next event on its connection. Therefore, all are checked again then.
static int check_all(ccurl_multi *multi, int *running) {
    long left = time_left(multi);
    bool may_forget = multi->has_added || (left >= 0 && left <= 1);
    multi->has_shared_answer = false;
    int code = ccurl_lib.multi_socket_all(multi->handle, running);
    if (may_forget && multi->has_shared_answer) multi->must_check_shared = true;
    return code;
}

int ccurl_multi_perform(ccurl_multi *multi, ccurl_round *round, bool all) {
    const int no_socket = -1;
    int code = 0, running = 0;
    all = all || multi->must_check_shared;
    multi->must_check_shared = false;
    ccurl_enter();
    for (int index = 0; index < multi->event_count && !all; index++) all = is_shared(multi, multi->events[index]);
    if (all) {
        multi->event_count = 0;
        code = check_all(multi, &running);
    }
    for (int index = 0; index < multi->event_count && code == 0; index++) {
        struct ccurl_socket_event event = multi->events[index];
        // Bytes that have arrived meanwhile are read before any are sent: they may be an answer that precedes a reset
        // of the connection.
        bool has_more = event.what == ccurl_can_write
            && ccurl_wants(&multi->sockets, event.descriptor, ccurl_can_read) && ccurl_is_readable(event.descriptor);
        if (has_more) event.what |= ccurl_can_read;
        code = ccurl_lib.multi_socket_action(multi->handle, event.descriptor, event.what, &running);
    }
    multi->event_count = 0;
    if (round->holding) ccurl_release_holding(round, false);
    if (code == 0 && ccurl_multi_time_left(multi) == 0) {
        code = ccurl_lib.multi_socket_action(multi->handle, no_socket, 0, &running);
        // A transfer that has just begun may have read the bytes of another one on the same connection, too.
        if (code == 0 && is_any_shared(multi)) code = check_all(multi, &running);
    }
    multi->has_added = false;
    if (round->holding) ccurl_release_holding(round, true);
    ccurl_leave();
    return code;
}

void ccurl_multi_read_events(ccurl_multi *multi) {
    multi->event_count = ccurl_sockets_read_events(&multi->sockets, multi->events);
}

void ccurl_multi_set_on_caller(ccurl_multi *multi, bool is_on_caller) { multi->sockets.is_on_caller = is_on_caller; }

const char *ccurl_multi_text(int code) { return ccurl_lib.multi_strerror(code); }

/// Whether a session of HTTP/2 is over (RFC 9113 6.8).
///
/// libcurl sends a request again by itself only on HTTP/1, and on HTTP/2 chooses the same connection again until it
/// gives up.
static bool is_session_over(ccurl_transfer *transfer, int result) {
    const int http2 = 16, sending = 55, receiving = 56;
    if (result == http2) return true;
    return (result == sending || result == receiving) && strncmp(transfer->error, "Connection died", 15) == 0;
}

/// Whether a connection that was used before ended before any answer.
///
/// If the server closes the connection in order, libcurl sends the request again by itself, unless the sending is paused;
/// if the server resets it, libcurl does not (7.81 to 8.23).
static bool is_lost(ccurl_transfer *transfer, int result) {
    const int sending = 55, receiving = 56;
    bool is_end = transfer->stop == ccurl_stop_unread || result == sending || result == receiving;
    return is_end && transfer->phase == ccurl_phase_connected && ccurl_is_reused(transfer);
}

/// Whether the request may be sent a second time, as its connection was closed before an answer.
static bool may_repeat(ccurl_transfer *transfer, int result) {
    if (!transfer->may_repeat || transfer->attempts >= ccurl_most_attempts) return false;
    if (transfer->stop != ccurl_stop_none && transfer->stop != ccurl_stop_unread) return false;
    return is_session_over(transfer, result) || is_lost(transfer, result);
}

bool ccurl_multi_repeat(ccurl_multi *multi, ccurl_transfer *transfer, int result) {
    // The request was not sent yet, or was not sent the second time.
    bool is_unsent = transfer->stop == ccurl_stop_stale_connection && !transfer->is_on_new_connection;
    if (!is_unsent && !may_repeat(transfer, result)) return false;
    // A request that has been answered is not sent again, regardless of how much of its answer has arrived.
    if (transfer->head.count > 0) return false;
    if (is_unsent) {
        if (ccurl_lib.easy_setopt(transfer->easy, ccurl_fresh_connect, 1L) != 0) return false;
        transfer->is_on_new_connection = true;
    }
    transfer->stop = ccurl_stop_none;
    transfer->source_offset = 0;
    transfer->is_starved = false;
    transfer->is_unread = false;
    transfer->error[0] = 0;
    ccurl_forget_addresses(transfer);
    if (ccurl_multi_remove(multi, transfer) != 0) return false;
    if (transfer->forbids_reuse) ccurl_lib.easy_setopt(transfer->easy, ccurl_forbid_reuse, 0L);
    transfer->forbids_reuse = false;
    transfer->uploaded = 0;
    transfer->downloaded = 0;
    transfer->is_resolving = false;
    // The transfer has waited for a connection before, and only has to connect now. But a transfer that is not sent on
    // a silent connection may have to wait until that is closed.
    bool may_wait = is_unsent && transfer->is_multiplexed;
    if (!may_wait) ccurl_set_phase(transfer, ccurl_phase_connecting);
    transfer->began_at = transfer->round->now;
    transfer->moved_at = transfer->round->now;
    return ccurl_multi_add(multi, transfer) == 0;
}

ccurl_transfer *ccurl_multi_next_ended(ccurl_multi *multi, int *result) {
    int left = 0;
    const int ended = 1;
    for (;;) {
        struct ccurl_message *message = ccurl_lib.multi_info_read(multi->handle, &left);
        if (!message) return NULL;
        if (message->kind != ended) continue;
        *result = message->data.result;
        ccurl_transfer *transfer = ccurl_owner(message->easy);
        if (transfer) return transfer;
    }
}

#endif
