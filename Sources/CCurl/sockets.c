// What is waited for, told to the system once and not with each wait: a thousand silent connections cost nothing.

#if defined(__linux__)

#include "sockets.h"
#include "library.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

/// A descriptor, by its number.
struct socket {
    /// What libcurl wants to know of it.
    uint8_t wanted;
    /// What the system watches it for: more than is wanted, where that is sooner ignored than changed.
    uint8_t watched;
    /// Its end is told.
    bool is_ours;
};

struct ccurl_sockets {
    int epoll;
    int bell;
    struct socket *sockets;
    size_t count;
};

static uint32_t epoll_events(int events) {
    return (events & ccurl_can_read ? EPOLLIN : 0) | (events & ccurl_can_write ? EPOLLOUT : 0);
}

static bool control(struct ccurl_sockets *sockets, int verb, int descriptor, int events) {
    struct epoll_event event = {.events = epoll_events(events), .data.fd = descriptor};
    return epoll_ctl(sockets->epoll, verb, descriptor, &event) == 0;
}

struct ccurl_sockets *ccurl_sockets_create(int bell) {
    struct ccurl_sockets *sockets = calloc(1, sizeof *sockets);
    if (!sockets) return NULL;
    sockets->bell = bell;
    sockets->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (sockets->epoll >= 0 && control(sockets, EPOLL_CTL_ADD, bell, ccurl_can_read)) return sockets;
    ccurl_sockets_free(sockets);
    return NULL;
}

void ccurl_sockets_free(struct ccurl_sockets *sockets) {
    if (sockets->epoll >= 0) close(sockets->epoll);
    free(sockets->sockets);
    free(sockets);
}

/// The entry of a descriptor; null if there is no memory for it.
static struct socket *entry(struct ccurl_sockets *sockets, int descriptor) {
    if (descriptor < 0) return NULL;
    size_t index = (size_t)descriptor;
    if (index >= sockets->count) {
        size_t count = 2 * index + 64;
        struct socket *more = realloc(sockets->sockets, count * sizeof *more);
        if (!more) return NULL;
        memset(more + sockets->count, 0, (count - sockets->count) * sizeof *more);
        sockets->sockets = more;
        sockets->count = count;
    }
    return &sockets->sockets[index];
}

static bool change(struct ccurl_sockets *sockets, int descriptor, struct socket *socket, int events) {
    int verb = events == 0 ? EPOLL_CTL_DEL : socket->watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    socket->watched = (uint8_t)events;
    // The system may have forgotten a socket that was closed without a word.
    return control(sockets, verb, descriptor, events) || verb == EPOLL_CTL_DEL;
}

bool ccurl_sockets_watch(struct ccurl_sockets *sockets, int descriptor, int events) {
    struct socket *socket = entry(sockets, descriptor);
    if (!socket) return false;
    socket->wanted = (uint8_t)events;
    if (socket->watched == events) return true;
    // The next request on the same connection wants the same again. If the server closes it, that is told once.
    if (events == 0 && socket->is_ours && socket->watched == ccurl_can_read) return true;
    return change(sockets, descriptor, socket, events);
}

void ccurl_sockets_opened(struct ccurl_sockets *sockets, int descriptor) {
    struct socket *socket = entry(sockets, descriptor);
    if (socket) *socket = (struct socket){.is_ours = true};
}

void ccurl_sockets_closing(struct ccurl_sockets *sockets, int descriptor) {
    struct socket *socket = entry(sockets, descriptor);
    if (!socket) return;
    if (socket->watched != 0) change(sockets, descriptor, socket, 0);
    *socket = (struct socket){0};
}

int ccurl_sockets_wait(struct ccurl_sockets *sockets, int milliseconds, struct ccurl_socket_event *events) {
    struct epoll_event happened[ccurl_sockets_at_once];
    int count = epoll_wait(sockets->epoll, happened, ccurl_sockets_at_once, milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    int told = 0;
    for (int index = 0; index < count; index++) {
        int descriptor = happened[index].data.fd;
        if (descriptor == sockets->bell) {
            ccurl_wake_clear(descriptor);
            continue;
        }
        struct socket *socket = entry(sockets, descriptor);
        if (!socket) continue;
        if (socket->wanted == 0) {
            change(sockets, descriptor, socket, 0);
            continue;
        }
        // Errors are for libcurl to find where it reads or writes.
        int what = happened[index].events & ~(uint32_t)(EPOLLIN | EPOLLOUT) ? socket->wanted : 0;
        if (happened[index].events & EPOLLIN) what |= ccurl_can_read;
        if (happened[index].events & EPOLLOUT) what |= ccurl_can_write;
        events[told++] = (struct ccurl_socket_event){descriptor, what};
    }
    return told;
}

#endif
