// The sockets that libcurl waits for, as epoll watches them; for the files of this target only.

#ifndef CCURL_SOCKETS_H
#define CCURL_SOCKETS_H

#include "CCurl.h"

/// The most sockets that one wait reports.
enum { ccurl_sockets_at_once = 256 };

/// The events of a socket that libcurl asks for, and that are reported to it (`CURL_POLL_IN`, `CURL_CSELECT_IN`).
enum { ccurl_can_read = 1, ccurl_can_write = 2 };

/// The state of a descriptor.
struct ccurl_socket {
    /// The events that libcurl wants.
    uint8_t wanted;
    /// The events that the system watches: more than wanted, if ignoring them is cheaper than a change.
    uint8_t watched;
    /// Whether the end of the socket is reported.
    bool is_ours;
    /// Whether no request has been sent on the connection yet.
    bool is_new;
    /// Whether requests share the connection (HTTP/2 and HTTP/3), so that bytes may arrive between two of them.
    bool is_multiplexed;
    /// Whether the socket is one of UDP, which only HTTP/3 uses.
    bool is_datagram;
    /// Whether the silent connection is to be closed, as the host may have no other one.
    bool is_replaced;
    /// The mark of the shared connection: see `ccurl_choose_mark`.
    uint8_t mark;
    /// The time of the first request on the shared connection since something arrived while no request used it.
    int64_t asked_at;
    /// The time of the last head, or part of a payload, that arrived for a request on the shared connection.
    int64_t answered_at;
    /// The number of bytes that had arrived when the last request on the shared connection began, and the time of the
    /// first request that found this number.
    uint64_t received;
    int64_t received_at;
    /// The time at which a request on the connection last reached its time limit without an answer; 0 for none.
    int64_t overdue_at;
    /// The time from which on the connection carries no other request; 0 for no limit.
    int64_t kept_until;
    /// The local port; 0 if it is not known yet, or there is none.
    uint16_t port;
    /// The number of transfers that use the connection.
    uint32_t users;
    /// The transfer whose request the connection carries; null for none, and for a shared connection.
    ccurl_transfer *transfer;
    /// A number that distinguishes the socket from earlier ones with the same descriptor.
    uint32_t generation;
    /// The index in the list of open sockets.
    size_t place;
    /// The origin of the last request on the connection.
    uint64_t origin;
};

struct ccurl_sockets {
    /// The descriptor that watches all sockets.
    int watch;
    struct ccurl_socket *sockets;
    size_t count;

    /// The descriptors of the open sockets whose end is reported, in any order.
    int *open;
    size_t open_count;
    size_t open_capacity;
    uint32_t generation;

    /// Whether a caller's thread drives the transfers, while the engine's thread waits for the watched sockets.
    bool is_on_caller;
};

/// An event of a socket.
struct ccurl_socket_event {
    int descriptor;
    int what;
};

/// Watches a socket for these events, or for none; false if the system can't.
bool ccurl_sockets_watch(struct ccurl_sockets *sockets, int descriptor, int events);

/// Adds an open socket, whose closing is reported from now on, so that it need not be removed before.
void ccurl_sockets_opened(struct ccurl_sockets *sockets, int descriptor, bool is_datagram);

/// Removes a socket that is about to be closed.
void ccurl_sockets_closing(struct ccurl_sockets *sockets, int descriptor);

/// Returns the entry of a descriptor; null if there is no memory for it.
struct ccurl_socket *ccurl_sockets_entry(struct ccurl_sockets *sockets, int descriptor);

/// Whether libcurl wants these events of a socket.
bool ccurl_wants(struct ccurl_sockets *sockets, int descriptor, int events);

/// Watches a socket for bytes if no request uses it; to be called when a request on the socket ends.
void ccurl_sockets_settle(struct ccurl_sockets *sockets, int descriptor, struct ccurl_socket *socket);

/// Ends the watch of a socket that a request is about to use on a caller's thread.
///
/// The answer would wake the engine's thread as well. libcurl watches the socket again if the caller's thread does not
/// read the answer.
void ccurl_sockets_unwatch_on_caller(struct ccurl_sockets *sockets, int descriptor, struct ccurl_socket *socket);

/// Returns the transfer whose request a connection of HTTP/1 carries; null if there is none, or it is not known.
ccurl_transfer *ccurl_sockets_user(struct ccurl_sockets *sockets, int descriptor);

/// Whether bytes, or the end of the connection, can be read from a socket now.
bool ccurl_is_readable(int descriptor);

/// Ends an unused connection on which bytes arrived, or which the peer has ended: libcurl then finds it dead.
void ccurl_end_unused(int descriptor);

/// Takes the events of this thread's last wait; returns their number.
///
/// An event may be reported for a descriptor that was opened since the wait.
int ccurl_sockets_read_events(struct ccurl_sockets *sockets, struct ccurl_socket_event *events);

#endif
