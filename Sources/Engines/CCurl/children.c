// The descriptors that libcurl opens itself, and that programs which this process starts would inherit.
//
// The sockets of connections are opened by this target (`on_socket`). libcurl 7.88 also opens pairs of sockets without
// FD_CLOEXEC: one pair to wake up a multi handle, and one pair for each name lookup; in 8.5, the former is a pipe.
// libcurl names no end of the former, and of the latter only the end that it waits for (`on_watch`): programs inherit
// the other end during a lookup. The ends of the former are known by what a wake-up does: a byte waits at one end, and
// was sent from the other one. If others are written to in the same moment, none is marked, and the next wake-up tells.

#if CURL_ENGINE

#define _GNU_SOURCE
#include "library.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/// The descriptors that are looked at: a new one has the lowest free number.
enum { most_descriptors = 1024 };

/// The number of wake-ups after which an end that is not known stays unmarked.
enum { most_attempts = 4 };

/// Whether a descriptor is an end of a pair of sockets, or of a pipe, that would be inherited.
static bool is_end(int descriptor) {
    struct stat status;
    int flags = fcntl(descriptor, F_GETFD), domain = -1;
    socklen_t size = sizeof domain;
    if (flags < 0 || flags & FD_CLOEXEC || fstat(descriptor, &status) != 0) return false;
    if (S_ISFIFO(status.st_mode)) return true;
    return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX;
}

/// Whether bytes wait at an end of a pair, or were sent from it and wait at the other one.
static bool has_waiting(int descriptor) {
    int received = 0, sent = 0;
    ioctl(descriptor, FIONREAD, &received);
    ioctl(descriptor, TIOCOUTQ, &sent);
    return received > 0 || sent > 0;
}

/// Sends a byte between the ends, and marks those at which it waits; false if there are not exactly two.
static bool mark_ends(void *multi) {
    bool was_quiet[most_descriptors] = {false};
    int ends[2] = {-1, -1}, found = 0, happened = 0;
    // The standard streams are for children.
    for (int descriptor = STDERR_FILENO + 1; descriptor < most_descriptors; descriptor++)
        was_quiet[descriptor] = is_end(descriptor) && !has_waiting(descriptor);
    if (ccurl_lib.multi_wakeup(multi) != 0) return false;
    for (int descriptor = 0; descriptor < most_descriptors; descriptor++) {
        if (!was_quiet[descriptor] || !is_end(descriptor) || !has_waiting(descriptor)) continue;
        if (found < 2) ends[found] = descriptor;
        found++;
    }
    // The byte is read again, since nothing else of this target does.
    ccurl_lib.multi_poll(multi, NULL, 0, 0, &happened);
    if (found != 2) return false;
    for (int index = 0; index < 2; index++) fcntl(ends[index], F_SETFD, FD_CLOEXEC);
    return true;
}

void ccurl_keep_from_children(void *multi) {
    bool is_marked = false;
    for (int attempt = 0; attempt < most_attempts && !is_marked; attempt++) is_marked = mark_ends(multi);
}

#endif
