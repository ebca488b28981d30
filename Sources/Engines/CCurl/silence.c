// Shared connections on which nothing arrives.
//
// A connection of HTTP/2 may die without an error: its server stops reading and answering, while its system still
// confirms all packets. libcurl would choose the oldest connection for each further request (7.88 and 8.23), since time
// limits end only the requests, and not the connection. Therefore, a connection that owes an answer, and on which
// nothing has arrived for some time or the whole time limit of a request, gets no other request before something does.
//
// libcurl shares a connection only between transfers with the same TLS options. Each origin has a mark, which is a
// combination of options without an effect here. When the connection with the current mark is silent, the origin gets
// the next mark, so that libcurl opens one connection, and shares that one. If the host may have no other connection,
// the owner ends the requests on the silent one (`ccurl_is_replaced`).
//
// Without TLS, and with libcurl before 7.83, marks have no effect: libcurl chooses the silent connection, on which the
// request does not begin (`ccurl_begin_on_connection`), so that each request opens a connection of its own.
//
// The system knows when the last byte arrived over TCP, so that each frame counts, as a PING does. For HTTP/3, only a
// head or a part of a payload counts.

#if CURL_ENGINE

#define _GNU_SOURCE
#include "library.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

/// The beginning of `struct tcp_info` of linux/tcp.h, which only ever grows at its end.
///
/// The structure of glibc ends before the count of bytes, and the SDK for static Linux has no linux/tcp.h.
struct tcp_state {
    uint8_t states[8];
    uint32_t times_before[11];
    uint32_t last_data_recv;
    uint32_t times_after[12];
    uint64_t counts_before[3];
    uint64_t bytes_received;
};

/// The options by which connections are told apart: CURLSSLOPT_NO_REVOKE, _REVOKE_BEST_EFFORT and _AUTO_CLIENT_CERT.
///
/// Only Schannel reads them. With so many marks, an origin may have seven silent connections.
static const long options[] = {0, 2, 8, 2 | 8, 32, 2 | 32, 8 | 32, 2 | 8 | 32};
enum { option_tls = 216, mark_count = sizeof options / sizeof *options };

/// Returns what the system knows of a connection; nothing for HTTP/3.
static struct tcp_state state_of(int descriptor, struct ccurl_socket *socket) {
    struct tcp_state state = {.last_data_recv = 0};
    socklen_t size = sizeof state;
    if (!socket->is_datagram) getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &state, &size);
    return state;
}

/// Returns the time at which something last arrived on a connection, by the owner's clock.
static int64_t arrived_at(ccurl_round *round, int descriptor, struct ccurl_socket *socket) {
    if (socket->is_datagram) return socket->answered_at;
    return round->now - (int64_t)state_of(descriptor, socket).last_data_recv * 1000000;
}

void ccurl_note_request(ccurl_round *round, int descriptor, struct ccurl_socket *socket) {
    if (!socket->is_multiplexed) return;
    uint64_t received = state_of(descriptor, socket).bytes_received;
    if (received != socket->received) socket->received_at = round->now;
    socket->received = received;
    if (socket->users > 0) return;
    socket->is_replaced = false;
    bool is_answered = socket->answered_at >= socket->asked_at;
    if (is_answered || arrived_at(round, descriptor, socket) >= socket->asked_at) socket->asked_at = round->now;
}

struct ccurl_socket *ccurl_socket_of(ccurl_transfer *transfer) {
    if (transfer->descriptor < 0 || !transfer->multi) return NULL;
    struct ccurl_socket *socket = ccurl_sockets_entry(&transfer->multi->sockets, transfer->descriptor);
    return socket && socket->generation == transfer->generation ? socket : NULL;
}

void ccurl_note_answer(ccurl_transfer *transfer) {
    struct ccurl_socket *socket = ccurl_socket_of(transfer);
    if (!socket || socket->is_multiplexed) transfer->multi->has_shared_answer = true;
    if (socket) socket->answered_at = transfer->round->now;
}

/// Whether an answer to another request has arrived since a time at which a request began.
///
/// libcurl may deliver a part of an answer after that time though it had arrived before.
static bool has_answered_since(int64_t time, int descriptor, struct ccurl_socket *socket) {
    if (socket->answered_at <= time) return false;
    if (socket->is_datagram || socket->received_at > time) return true;
    return state_of(descriptor, socket).bytes_received != socket->received;
}

void ccurl_note_overdue(ccurl_transfer *transfer) {
    struct ccurl_socket *socket = ccurl_socket_of(transfer);
    if (!socket || !socket->is_multiplexed) return;
    if (!has_answered_since(transfer->moved_at, transfer->descriptor, socket))
        socket->overdue_at = transfer->round->now;
}

/// Whether libcurl could open no other connection to an origin, as all are in use.
static bool is_full(ccurl_multi *multi, uint64_t origin) {
    long in_all = 0, to_host = 0;
    for (size_t index = 0; index < multi->sockets.open_count; index++) {
        struct ccurl_socket *socket = &multi->sockets.sockets[multi->sockets.open[index]];
        if (socket->users == 0) continue;
        in_all++;
        if (socket->origin == origin) to_host++;
    }
    return in_all >= multi->connections_in_all || to_host >= multi->connections_per_host;
}

/// Whether a transfer on a connection, or each one, waits for the server, and not for its own reader or producer.
static bool waits(ccurl_multi *multi, int descriptor, struct ccurl_socket *socket, bool each) {
    for (ccurl_transfer *one = multi->first; one; one = one->links[ccurl_running].next) {
        if (one->descriptor != descriptor || one->generation != socket->generation) continue;
        bool does_wait = !one->is_paused && (!one->is_starved || one->response.has_checked_head);
        if (does_wait != each) return does_wait;
    }
    return each;
}

bool ccurl_is_silent(ccurl_transfer *transfer, int descriptor, struct ccurl_socket *socket) {
    ccurl_multi *multi = transfer->multi;
    int64_t since = transfer->round->now - transfer->round->silence;
    bool may_be_long = socket->asked_at <= since && socket->answered_at <= since;
    if (!socket->is_multiplexed || (!may_be_long && socket->answered_at >= socket->overdue_at)) return false;
    int64_t last = arrived_at(transfer->round, descriptor, socket);
    bool is_overdue = last < socket->overdue_at;
    bool is_long = may_be_long && last <= since;
    // The system's time is a few milliseconds off: what has been answered owes nothing, whatever that time is.
    bool is_owed = socket->answered_at < socket->asked_at && last < socket->asked_at;
    if (socket->users == 0) return is_overdue || (is_long && is_owed);
    is_long = is_long && waits(multi, descriptor, socket, false);
    if (!is_full(multi, socket->origin)) return is_overdue || is_long;
    socket->is_replaced = is_long && waits(multi, descriptor, socket, true);
    if (socket->is_replaced) multi->has_replaced = true;
    return socket->is_replaced;
}

void ccurl_choose_mark(ccurl_transfer *transfer) {
    ccurl_multi *multi = transfer->multi;
    uint8_t mark = 0;
    if (transfer->may_share) {
        uint8_t *current = &multi->marks[transfer->origin % ccurl_marked_origins];
        for (size_t index = 0; index < multi->sockets.open_count; index++) {
            int descriptor = multi->sockets.open[index];
            struct ccurl_socket *socket = &multi->sockets.sockets[descriptor];
            if (socket->origin != transfer->origin || socket->mark != *current) continue;
            if (!ccurl_is_silent(transfer, descriptor, socket)) continue;
            *current = (*current + 1) % mark_count;
            break;
        }
        mark = *current;
    }
    if (mark != transfer->mark && ccurl_lib.easy_setopt(transfer->easy, option_tls, options[mark]) == 0)
        transfer->mark = mark;
}

bool ccurl_multi_take_replaced(ccurl_multi *multi) {
    bool has_replaced = multi->has_replaced;
    multi->has_replaced = false;
    return has_replaced;
}

bool ccurl_is_replaced(ccurl_transfer *transfer) {
    struct ccurl_socket *socket = ccurl_socket_of(transfer);
    return socket && socket->is_replaced;
}

#endif
