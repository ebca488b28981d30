// The sockets that libcurl waits for, as epoll watches them; for the files of this target only.

#ifndef CCURL_SOCKETS_H
#define CCURL_SOCKETS_H

#include "CCurl.h"

/// The most sockets of which one wait tells.
enum { ccurl_sockets_at_once = 256 };

/// What libcurl wants to know of a socket, and is told of it (`CURL_POLL_IN`, `CURL_CSELECT_IN`).
enum { ccurl_can_read = 1, ccurl_can_write = 2 };

struct ccurl_sockets;

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

/// What has happened to sockets until the last wait of this thread ended, and to how many; something may be told of a
/// descriptor that was opened since.
int ccurl_sockets_hear(struct ccurl_sockets *sockets, struct ccurl_socket_event *events);

#endif
