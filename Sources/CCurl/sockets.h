// The sockets that libcurl waits for, as epoll watches them; for the files of this target only.

#ifndef CCURL_SOCKETS_H
#define CCURL_SOCKETS_H

#include "CCurl.h"

/// The most sockets of which one wait tells.
enum { ccurl_sockets_at_once = 256 };

/// What libcurl wants to know of a socket, and is told of it (`CURL_POLL_IN`, `CURL_CSELECT_IN`).
enum { ccurl_can_read = 1, ccurl_can_write = 2 };

/// A descriptor, by its number.
struct ccurl_socket {
    /// What libcurl wants to know of it.
    uint8_t wanted;
    /// What the system watches it for: more than is wanted, where that is sooner ignored than changed.
    uint8_t watched;
    /// Its end is told.
    bool is_ours;
    /// Whether no request has been sent on the connection yet.
    bool is_new;
    /// Whether requests share the connection (HTTP/2), so that bytes may arrive between two of them.
    bool is_multiplexed;
    /// The local port; 0 where it is not known yet, or there is none.
    uint16_t port;
    /// How many transfers use the connection.
    uint32_t users;
    /// The transfer whose request the connection carries; null for none, and for one that requests share.
    ccurl_transfer *transfer;
    /// Distinguishes the socket from earlier ones with the same descriptor.
    uint32_t generation;
    /// The index in the list of open sockets.
    size_t place;
};

struct ccurl_sockets {
    int watch;
    struct ccurl_socket *sockets;
    size_t count;

    /// The descriptors of the open sockets of which the end is told, in any order.
    int *open;
    size_t open_count;
    size_t open_capacity;
    uint32_t generation;

    /// Whether a caller's thread drives the transfers, while the engine's thread waits for the watched sockets.
    bool is_on_caller;
};

/// Something that happened to a socket.
struct ccurl_socket_event {
    int descriptor;
    int what;
};

/// None yet; `watch` is the descriptor by which all are waited for. Null if there is no memory.
struct ccurl_sockets *ccurl_sockets_create(int watch);
void ccurl_sockets_free(struct ccurl_sockets *sockets);

/// Has a socket watched for these events, or for none; false if the system can't.
bool ccurl_sockets_watch(struct ccurl_sockets *sockets, int descriptor, int events);

/// From now on, it is told when this socket is closed: so it need not be forgotten before.
void ccurl_sockets_opened(struct ccurl_sockets *sockets, int descriptor);

/// Forgets a socket that is about to be closed.
void ccurl_sockets_closing(struct ccurl_sockets *sockets, int descriptor);

/// The entry of a descriptor; null if there is no memory for it.
struct ccurl_socket *ccurl_sockets_entry(struct ccurl_sockets *sockets, int descriptor);

/// Whether libcurl wants to know of these events of a socket.
bool ccurl_wants(struct ccurl_sockets *sockets, int descriptor, int events);

/// Has a socket that no request uses watched for bytes, if it is one; to be called when something ends on it.
void ccurl_sockets_settle(struct ccurl_sockets *sockets, int descriptor, struct ccurl_socket *socket);

/// Ends the watch of a socket that a request is about to use on a caller's thread: the answer would wake the engine's
/// thread as well. libcurl has it watched again if that thread does not read the answer.
void ccurl_sockets_unwatch_on_caller(struct ccurl_sockets *sockets, int descriptor, struct ccurl_socket *socket);

/// The transfer whose request a connection of HTTP/1 carries; null if none does, or it is not known.
ccurl_transfer *ccurl_sockets_user(struct ccurl_sockets *sockets, int descriptor);

// MARK: reuse.c

/// Whether bytes, or the end of the connection, can be read from a socket now.
bool ccurl_is_readable(int descriptor);

/// Ends a connection on which bytes arrived while no request used it, or which the peer has ended: libcurl then finds
/// it dead.
void ccurl_end_unused(int descriptor);

/// What has happened to sockets until the last wait of this thread ended, and to how many; something may be told of a
/// descriptor that was opened since.
int ccurl_sockets_hear(struct ccurl_sockets *sockets, struct ccurl_socket_event *events);

#endif
