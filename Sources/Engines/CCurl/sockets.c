// The watched sockets, which the system is given once and not with each wait: a thousand silent connections cost
// nothing.

#if CURL_ENGINE

#define _GNU_SOURCE
#include "sockets.h"
#include "library.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/// The events of this thread's last wait.
static _Thread_local struct {
    int count;
    struct epoll_event events[ccurl_sockets_at_once];
} happened;

/// The largest number of unrequested bytes that are read from a connection that is closed.
///
/// libcurl takes a connection for dead only if its end is all that can be read.
enum { drained_bytes = 64 * 1024 };

bool ccurl_is_readable(int descriptor) {
    struct pollfd one = {.fd = descriptor, .events = POLLIN | POLLRDHUP};
    return poll(&one, 1, 0) > 0 && one.revents != 0;
}

void ccurl_end_unused(int descriptor) {
    char bytes[4096];
    for (size_t drained = 0; drained < drained_bytes;) {
        ssize_t count = recv(descriptor, bytes, sizeof bytes, MSG_DONTWAIT);
        if (count <= 0) break;
        drained += (size_t)count;
    }
    shutdown(descriptor, SHUT_RDWR);
}

static bool control(int watch, int verb, int descriptor, int events) {
    uint32_t what = (events & ccurl_can_read ? EPOLLIN : 0) | (events & ccurl_can_write ? EPOLLOUT : 0);
    struct epoll_event event = {.events = what, .data.fd = descriptor};
    return epoll_ctl(watch, verb, descriptor, &event) == 0;
}

int ccurl_watch_create(int wake_descriptor) {
    int watch = epoll_create1(EPOLL_CLOEXEC);
    if (watch < 0 || control(watch, EPOLL_CTL_ADD, wake_descriptor, ccurl_can_read)) return watch;
    close(watch);
    return -1;
}

struct ccurl_socket *ccurl_sockets_entry(struct ccurl_sockets *sockets, int descriptor) {
    if (descriptor < 0) return NULL;
    size_t index = (size_t)descriptor;
    if (index >= sockets->count) {
        size_t count = 2 * index + 64;
        struct ccurl_socket *more = realloc(sockets->sockets, count * sizeof *more);
        if (!more) return NULL;
        memset(more + sockets->count, 0, (count - sockets->count) * sizeof *more);
        sockets->sockets = more;
        sockets->count = count;
    }
    return &sockets->sockets[index];
}

static bool change(struct ccurl_sockets *sockets, int descriptor, struct ccurl_socket *socket, int events) {
    int verb = events == 0 ? EPOLL_CTL_DEL : socket->watched == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    socket->watched = (uint8_t)events;
    // The system may have removed a socket that was closed without a notice.
    return control(sockets->watch, verb, descriptor, events) || verb == EPOLL_CTL_DEL;
}

bool ccurl_wants(struct ccurl_sockets *sockets, int descriptor, int events) {
    struct ccurl_socket *socket = ccurl_sockets_entry(sockets, descriptor);
    return socket && (socket->wanted & events) == events;
}

/// Whether no request uses this connection, which libcurl keeps for the next one.
static bool is_unused(const struct ccurl_socket *socket) {
    return socket->is_ours && !socket->is_new && socket->users == 0 && socket->wanted == 0;
}

void ccurl_sockets_settle(struct ccurl_sockets *sockets, int descriptor, struct ccurl_socket *socket) {
    if (is_unused(socket) && !socket->is_multiplexed && socket->watched != ccurl_can_read)
        change(sockets, descriptor, socket, ccurl_can_read);
}

void ccurl_sockets_unwatch_on_caller(struct ccurl_sockets *sockets, int descriptor, struct ccurl_socket *socket) {
    if (sockets->is_on_caller && socket->wanted == 0 && socket->watched != 0) change(sockets, descriptor, socket, 0);
}

bool ccurl_sockets_watch(struct ccurl_sockets *sockets, int descriptor, int events) {
    struct ccurl_socket *socket = ccurl_sockets_entry(sockets, descriptor);
    if (!socket) return false;
    socket->wanted = (uint8_t)events;
    if (events == 0) {
        ccurl_sockets_settle(sockets, descriptor, socket);
        // The next request on the same connection wants the same events again. If the server closes the connection,
        // there is one event.
        if (socket->is_ours && socket->watched == ccurl_can_read) return true;
        // A socket that was still connecting is closed without a notice, and a pipe may be the next to get its number.
        if (socket->is_new) socket->is_ours = false;
    }
    if (socket->watched == events) return true;
    return change(sockets, descriptor, socket, events);
}

/// Adds a descriptor to the list of open sockets; false if there is no memory.
static bool list(struct ccurl_sockets *sockets, int descriptor, struct ccurl_socket *socket) {
    if (sockets->open_count == sockets->open_capacity) {
        size_t capacity = 2 * sockets->open_capacity + 16;
        int *more = realloc(sockets->open, capacity * sizeof *more);
        if (!more) return false;
        sockets->open = more;
        sockets->open_capacity = capacity;
    }
    socket->place = sockets->open_count;
    sockets->open[sockets->open_count++] = descriptor;
    return true;
}

/// Removes a descriptor from the list, if it is there.
static void unlist(struct ccurl_sockets *sockets, int descriptor, const struct ccurl_socket *socket) {
    if (socket->place >= sockets->open_count || sockets->open[socket->place] != descriptor) return;
    int last = sockets->open[--sockets->open_count];
    sockets->open[socket->place] = last;
    sockets->sockets[last].place = socket->place;
}

void ccurl_sockets_opened(struct ccurl_sockets *sockets, int descriptor, bool is_datagram) {
    struct ccurl_socket *socket = ccurl_sockets_entry(sockets, descriptor);
    if (!socket) return;
    // The number may be that of a socket that was closed without a notice, and that was wanted for the same events: in
    // that case, libcurl does not ask for them again.
    unlist(sockets, descriptor, socket);
    *socket = (struct ccurl_socket){
        .wanted = socket->wanted,
        .is_ours = true,
        .is_new = true,
        .is_datagram = is_datagram,
        .generation = ++sockets->generation,
    };
    // A socket that is not on the list counts as unknown, for which the others are checked.
    list(sockets, descriptor, socket);
    if (socket->wanted != 0) change(sockets, descriptor, socket, socket->wanted);
}

void ccurl_sockets_closing(struct ccurl_sockets *sockets, int descriptor) {
    struct ccurl_socket *socket = ccurl_sockets_entry(sockets, descriptor);
    if (!socket) return;
    if (socket->watched != 0) change(sockets, descriptor, socket, 0);
    unlist(sockets, descriptor, socket);
    *socket = (struct ccurl_socket){0};
}

ccurl_transfer *ccurl_sockets_user(struct ccurl_sockets *sockets, int descriptor) {
    struct ccurl_socket *socket = ccurl_sockets_entry(sockets, descriptor);
    return socket && socket->is_ours && !socket->is_multiplexed ? socket->transfer : NULL;
}

bool ccurl_wait(int watch, int wake_descriptor, int milliseconds) {
    int count = epoll_wait(watch, happened.events, ccurl_sockets_at_once, milliseconds);
    happened.count = 0;
    for (int index = 0; index < count; index++) {
        if (happened.events[index].data.fd == wake_descriptor) ccurl_wake_clear(wake_descriptor);
        else happened.events[happened.count++] = happened.events[index];
    }
    return count >= 0 || errno == EINTR;
}

int ccurl_sockets_read_events(struct ccurl_sockets *sockets, struct ccurl_socket_event *events) {
    int reported = 0;
    for (int index = 0; index < happened.count; index++) {
        int descriptor = happened.events[index].data.fd;
        uint32_t what = happened.events[index].events;
        struct ccurl_socket *socket = ccurl_sockets_entry(sockets, descriptor);
        if (!socket) continue;
        if (socket->wanted == 0) {
            if (is_unused(socket) && !socket->is_multiplexed) {
                // Another thread may have used the connection since the wait ended, and have read the reported bytes.
                if (!ccurl_is_readable(descriptor)) continue;
                ccurl_end_unused(descriptor);
            }
            if (socket->watched != 0) change(sockets, descriptor, socket, 0);
            continue;
        }
        // libcurl finds errors when it reads or writes.
        int observed = what & ~(uint32_t)(EPOLLIN | EPOLLOUT) ? socket->wanted : 0;
        if (what & EPOLLIN) observed |= ccurl_can_read;
        if (what & EPOLLOUT) observed |= ccurl_can_write;
        events[reported++] = (struct ccurl_socket_event){descriptor, observed};
    }
    return reported;
}

#endif
