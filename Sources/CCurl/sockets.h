// The sockets that libcurl waits for, as epoll watches them; for the files of this target only.

#ifndef CCURL_SOCKETS_H
#define CCURL_SOCKETS_H

#include <stdbool.h>

/// The most sockets of which one wait tells.
enum { ccurl_sockets_at_once = 1024 };

/// What libcurl wants to know of a socket, and is told of it (`CURL_POLL_IN`, `CURL_CSELECT_IN`).
enum { ccurl_can_read = 1, ccurl_can_write = 2 };

struct ccurl_sockets;

/// Something that happened to a socket.
struct ccurl_socket_event {
    int descriptor;
    int what;
};

/// None yet; `bell` ends a wait when it can be read. Null if there is no memory, or no descriptor.
struct ccurl_sockets *ccurl_sockets_create(int bell);
void ccurl_sockets_free(struct ccurl_sockets *sockets);

/// Has a socket watched for these events, or for none; false if the system can't.
bool ccurl_sockets_watch(struct ccurl_sockets *sockets, int descriptor, int events);

/// From now on, it is told when this socket is closed: so it need not be forgotten before.
void ccurl_sockets_opened(struct ccurl_sockets *sockets, int descriptor);

/// Forgets a socket that is about to be closed.
void ccurl_sockets_closing(struct ccurl_sockets *sockets, int descriptor);

/// Waits until something happens, the bell rings, or the time is over; how much has happened, or -1 if it can't wait.
int ccurl_sockets_wait(struct ccurl_sockets *sockets, int milliseconds, struct ccurl_socket_event *events);

#endif
