// Shared connections that do not answer any more.
//
// A connection of HTTP/2 may die without an error: its server stops reading and answering, while its system still
// confirms all packets. libcurl would choose the connection for each further request to the host (7.88 and 8.23), since
// time limits end only the requests, and not the connection. Therefore, a connection on which a request reached its
// time limit is doubted: no other request is sent on it (`ccurl_begin_on_connection`) before anything arrives, and
// libcurl closes it with the last of its transfers. The others on it are not disturbed, as they may be answered. While
// they last, libcurl goes on choosing the connection, so that each further request opens one of its own, as long as the
// host may have more; after that, requests are sent on the doubted one.
//
// The system counts the bytes that arrive, so that each frame is an answer: also a PING, or the late response to the
// request that has ended. For HTTP/3, the system counts no bytes: an answer is a head, or a part of a payload.

#if defined(__linux__)

#define _GNU_SOURCE
#include "library.h"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/// The beginning of the kernel's `struct tcp_info` (linux/tcp.h), which only ever grows at its end.
struct information {
    uint8_t states[8];
    uint32_t numbers[24];
    uint64_t rates[2];
    uint64_t acknowledged;
    uint64_t received;
};

_Static_assert(offsetof(struct information, received) == 128, "the layout is the kernel's");

/// Returns the number of bytes that have arrived on a connection of TCP; 0 for another one, or if it is not known.
static uint64_t received(int descriptor) {
    const int tcp_information = 11;
    struct information information = {.received = 0};
    socklen_t size = sizeof information;
    if (getsockopt(descriptor, IPPROTO_TCP, tcp_information, &information, &size) != 0) return 0;
    return size == sizeof information ? information.received : 0;
}

/// Returns the socket of a transfer; null if it is not known.
static struct ccurl_socket *socket_of(ccurl_transfer *transfer) {
    if (transfer->descriptor < 0 || !transfer->multi) return NULL;
    struct ccurl_socket *socket = ccurl_sockets_entry(transfer->multi->sockets, transfer->descriptor);
    return socket && socket->generation == transfer->generation ? socket : NULL;
}

void ccurl_doubt_connection(ccurl_transfer *transfer, bool is_overdue) {
    struct ccurl_socket *socket = socket_of(transfer);
    if (!socket || !socket->is_multiplexed) return;
    if (!is_overdue && socket->users > 1) return;
    if (socket->answered_at > transfer->moved_at) return;
    socket->is_doubted = true;
    uint64_t count = received(transfer->descriptor);
    // What has arrived and was not read yet is an answer.
    int unread = 0;
    if (ioctl(transfer->descriptor, SIOCINQ, &unread) != 0) unread = 0;
    socket->received_at_doubt = count > (uint64_t)unread ? count - (uint64_t)unread : count;
}

void ccurl_note_answer(ccurl_transfer *transfer) {
    struct ccurl_socket *socket = socket_of(transfer);
    if (!socket || socket->is_multiplexed) transfer->multi->has_shared_answer = true;
    if (!socket) return;
    socket->answered_at = transfer->round->now;
    // Of TCP, the number of bytes tells more: libcurl also delivers what had arrived before the doubt.
    if (socket->received_at_doubt == 0) socket->is_doubted = false;
}

bool ccurl_is_doubted(int descriptor, struct ccurl_socket *socket) {
    if (socket->is_doubted && received(descriptor) != socket->received_at_doubt) socket->is_doubted = false;
    return socket->is_doubted;
}

bool ccurl_is_on_doubted(ccurl_transfer *transfer) {
    struct ccurl_socket *socket = socket_of(transfer);
    return socket && ccurl_is_doubted(transfer->descriptor, socket);
}

void ccurl_close_after(ccurl_transfer *transfer) {
    if (transfer->is_unshared || transfer->forbids_reuse) return;
    transfer->forbids_reuse = ccurl_lib.easy_setopt(transfer->easy, ccurl_forbid_reuse, 1L) == 0;
}

#endif
