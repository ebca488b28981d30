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
    int watch;
    struct socket *sockets;
    size_t count;
};

/// What the last wait of this thread ended with.
static _Thread_local struct {
    int count;
    struct epoll_event events[ccurl_sockets_at_once];
} happened;

static uint32_t epoll_events(int events) {
    return (events & ccurl_can_read ? EPOLLIN : 0) | (events & ccurl_can_write ? EPOLLOUT : 0);
}

static bool control(int watch, int verb, int descriptor, int events) {
    struct epoll_event event = {.events = epoll_events(events), .data.fd = descriptor};
    return epoll_ctl(watch, verb, descriptor, &event) == 0;
}

int ccurl_watch_create(int bell) {
    int watch = epoll_create1(EPOLL_CLOEXEC);
    if (watch < 0 || control(watch, EPOLL_CTL_ADD, bell, ccurl_can_read)) return watch;
    close(watch);
    return -1;
}

void ccurl_watch_free(int watch) {
    if (watch >= 0) close(watch);
}

struct ccurl_sockets *ccurl_sockets_create(int watch) {
    struct ccurl_sockets *sockets = calloc(1, sizeof *sockets);
    if (sockets) sockets->watch = watch;
    return sockets;
}

void ccurl_sockets_free(struct ccurl_sockets *sockets) {
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
    return control(sockets->watch, verb, descriptor, events) || verb == EPOLL_CTL_DEL;
}

bool ccurl_sockets_watch(struct ccurl_sockets *sockets, int descriptor, int events) {
    struct socket *socket = entry(sockets, descriptor);
    if (!socket) return false;
    socket->wanted = (uint8_t)events;
    if (events == 0) {
        // The next request on the same connection wants the same again. If the server closes it, that is told once.
        if (socket->is_ours && socket->watched == ccurl_can_read) return true;
        // One that was still connecting is closed without a word, and its number may be next that of a pipe.
        socket->is_ours = false;
    }
    if (socket->watched == events) return true;
    return change(sockets, descriptor, socket, events);
}

void ccurl_sockets_opened(struct ccurl_sockets *sockets, int descriptor) {
    struct socket *socket = entry(sockets, descriptor);
    if (!socket) return;
    // The number may have been that of a socket that was closed without a word, and is wanted for the same: then it is not
    // told again.
    *socket = (struct socket){.wanted = socket->wanted, .is_ours = true};
    if (socket->wanted != 0) change(sockets, descriptor, socket, socket->wanted);
}

void ccurl_sockets_closing(struct ccurl_sockets *sockets, int descriptor) {
    struct socket *socket = entry(sockets, descriptor);
    if (!socket) return;
    if (socket->watched != 0) change(sockets, descriptor, socket, 0);
    *socket = (struct socket){0};
}

bool ccurl_wait(int watch, int bell, int milliseconds) {
    int count = epoll_wait(watch, happened.events, ccurl_sockets_at_once, milliseconds);
    happened.count = 0;
    for (int index = 0; index < count; index++) {
        if (happened.events[index].data.fd == bell) ccurl_wake_clear(bell);
        else happened.events[happened.count++] = happened.events[index];
    }
    return count >= 0 || errno == EINTR;
}

int ccurl_sockets_hear(struct ccurl_sockets *sockets, struct ccurl_socket_event *events) {
    int told = 0;
    for (int index = 0; index < happened.count; index++) {
        int descriptor = happened.events[index].data.fd;
        uint32_t what = happened.events[index].events;
        struct socket *socket = entry(sockets, descriptor);
        if (!socket) continue;
        if (socket->wanted == 0) {
            if (socket->watched != 0) change(sockets, descriptor, socket, 0);
            continue;
        }
        // Errors are for libcurl to find where it reads or writes.
        int heard = what & ~(uint32_t)(EPOLLIN | EPOLLOUT) ? socket->wanted : 0;
        if (what & EPOLLIN) heard |= ccurl_can_read;
        if (what & EPOLLOUT) heard |= ccurl_can_write;
        events[told++] = (struct ccurl_socket_event){descriptor, heard};
    }
    return told;
}

#endif
