// The check whether a connection can carry another request.
//
// Bytes that arrive on a connection without an outstanding request are not a response to any request, and the bytes
// after them can't be distinguished from the next response: the connection is closed (RFC 9112 9.2). libcurl does not
// do that (7.81 to 8.23): it takes such bytes for the response to the next request, and each later response is off by
// one. Therefore, this target closes the connection, in two places:
//
// - An unused connection is watched. If bytes or its end arrive, it is shut down at once (`ccurl_end_unused`).
// - Before a request is sent on a used connection, the connection is checked again (`ccurl_begin_on_connection`): bytes
//   may have arrived since the last iteration, or may be invisible to the watch, in the buffers of TLS,
//   or the end that its server has announced (`Keep-Alive`) is near.
//
// The request has not been sent in these cases, so that any request may start over, on a new connection.
//
// A connection that speaks HTTP/2 or HTTP/3 is excepted: PING, SETTINGS and GOAWAY arrive at any time, and no frame is
// taken for a response to another request (RFC 9113 5.1, RFC 9114 4.1). With TLS, a session ticket can't be
// distinguished from a response without decrypting it, so that a connection on which a ticket arrives late is closed,
// too. Servers send tickets with the handshake, before the first response (RFC 8446 4.6.1), when libcurl reads them.
//
// The check does not see bytes that libcurl 8.1 to 8.8 has read ahead of a TLS record, into a buffer of libcurl.

#if CURL_ENGINE

#define _GNU_SOURCE
#include "library.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_storage all;
};

/// Returns the port of an address; 0 if it has none.
static int port_of(const union address *address) {
    switch (address->any.sa_family) {
    case AF_INET: return ntohs(address->v4.sin_port);
    case AF_INET6: return ntohs(address->v6.sin6_port);
    default: return 0;
    }
}

/// Whether the peer of a socket is this address and port.
static bool has_peer(int descriptor, const char *address, int port) {
    union address peer;
    socklen_t size = sizeof peer;
    if (getpeername(descriptor, &peer.any, &size) != 0 || port_of(&peer) != port) return false;
    char text[INET6_ADDRSTRLEN] = "";
    const void *bytes = peer.any.sa_family == AF_INET ? (const void *)&peer.v4.sin_addr : &peer.v6.sin6_addr;
    return inet_ntop(peer.any.sa_family, bytes, text, sizeof text) && address && strcmp(text, address) == 0;
}

/// Returns the local port of a socket, which is read from the system once; 0 if it has none.
static uint16_t local_port(int descriptor, struct ccurl_socket *socket) {
    if (socket->port != 0) return socket->port;
    union address address;
    socklen_t size = sizeof address;
    if (getsockname(descriptor, &address.any, &size) == 0) socket->port = (uint16_t)port_of(&address);
    return socket->port;
}

/// Returns the descriptor of a connection that libcurl names by its ends; -1 if it is not known.
///
/// The ends are necessary, since libcurl before 8.10 does not report the socket of a transfer at this time. One local
/// port may belong to connections to several peers, and to a connection of TCP and one of UDP.
static int find(struct ccurl_sockets *sockets, const struct ccurl_ends *ends, bool is_datagram) {
    if (ends->our_port <= 0) return -1;
    int found = -1;
    for (size_t index = 0; index < sockets->open_count; index++) {
        int descriptor = sockets->open[index];
        struct ccurl_socket *socket = &sockets->sockets[descriptor];
        if (socket->is_datagram != is_datagram || local_port(descriptor, socket) != ends->our_port) continue;
        if (found < 0)
            found = descriptor;
        else if (has_peer(descriptor, ends->their_address, ends->their_port))
            return descriptor;
    }
    return found;
}

void ccurl_end_on_connection(ccurl_transfer *transfer) {
    struct ccurl_socket *socket = ccurl_socket_of(transfer);
    if (socket && socket->users > 0) {
        socket->users--;
        socket->kept_until = transfer->kept_until;
        if (socket->transfer == transfer) socket->transfer = NULL;
        ccurl_sockets_settle(&transfer->multi->sockets, transfer->descriptor, socket);
    }
    transfer->descriptor = -1;
}

static void use(ccurl_transfer *transfer, int descriptor, struct ccurl_socket *socket) {
    if (transfer->descriptor == descriptor && transfer->generation == socket->generation) return;
    ccurl_end_on_connection(transfer);
    ccurl_note_request(transfer->round, descriptor, socket);
    transfer->descriptor = descriptor;
    transfer->generation = socket->generation;
    socket->users++;
    socket->mark = transfer->mark;
    socket->origin = transfer->origin;
    socket->is_ours = true;
    socket->is_new = false;
    socket->transfer = socket->is_multiplexed ? NULL : transfer;
}

/// Whether bytes or the end have arrived on any connection that libcurl may have chosen.
///
/// This check is for a chosen connection that is not known: a Unix domain socket has no ports.
static bool is_any_stale(struct ccurl_sockets *sockets) {
    for (size_t index = 0; index < sockets->open_count; index++) {
        int descriptor = sockets->open[index];
        struct ccurl_socket *socket = &sockets->sockets[descriptor];
        if (socket->is_new || socket->wanted != 0 || socket->users > 0 || socket->is_multiplexed) continue;
        if (ccurl_is_readable(descriptor)) return true;
    }
    return false;
}

bool ccurl_has_answer(ccurl_transfer *transfer) {
    struct ccurl_socket *socket = ccurl_socket_of(transfer);
    return socket && !socket->is_multiplexed && ccurl_is_readable(transfer->descriptor);
}

void ccurl_close_after(ccurl_transfer *transfer) {
    if (transfer->is_unshared || transfer->forbids_reuse) return;
    transfer->forbids_reuse = ccurl_lib.easy_setopt(transfer->easy, ccurl_forbid_reuse, 1L) == 0;
}

bool ccurl_begin_on_connection(ccurl_transfer *transfer, const struct ccurl_ends *ends) {
    struct ccurl_sockets *sockets = &transfer->multi->sockets;
    enum ccurl_protocol protocol = ccurl_protocol(transfer);
    bool is_multiplexed = transfer->may_share && protocol != ccurl_protocol_http1;
    transfer->is_multiplexed = is_multiplexed;
    int descriptor = find(sockets, ends, protocol == ccurl_protocol_http3);
    if (descriptor < 0 && is_multiplexed) transfer->multi->has_unknown_shared = true;
    if (descriptor < 0) return is_multiplexed || !(ccurl_has_unread(transfer) || is_any_stale(sockets));
    struct ccurl_socket *socket = &sockets->sockets[descriptor];
    bool is_same = transfer->descriptor == descriptor && transfer->generation == socket->generation;
    if (is_multiplexed && ccurl_is_silent(transfer, descriptor, socket)) {
        if (socket->users == 0) ccurl_close_after(transfer);
        return false;
    }
    // A request is repeated on a new connection: of the used ones, each may end in the same way.
    bool is_looked_at = !socket->is_new && !is_same && !is_multiplexed;
    if (is_looked_at && transfer->attempts > 0 && !ccurl_has_failed_expectation(transfer)) return false;
    socket->is_multiplexed = is_multiplexed;
    ccurl_sockets_unwatch_on_caller(sockets, descriptor, socket);
    use(transfer, descriptor, socket);
    bool is_past = socket->kept_until > 0 && socket->kept_until <= transfer->round->now;
    return !is_looked_at || !(is_past || ccurl_is_readable(descriptor) || ccurl_has_unread(transfer));
}

#endif
