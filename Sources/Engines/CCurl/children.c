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

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/// The most descriptors that may be such an end; others are not looked at.
enum { most_candidates = 256 };

/// The number of wake-ups after which an end that is not known stays unmarked.
enum { most_attempts = 4 };

static int option(int descriptor, int name) {
    int value = -1;
    socklen_t size = sizeof value;
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

/// Returns the number of bytes that wait at an end of a pair, or that were sent from an end and wait at the other one.
static int waiting(int descriptor, unsigned long what) {
    int count = 0;
    return ioctl(descriptor, what, &count) == 0 ? count : 0;
}

static bool has_waiting(int descriptor) {
    return waiting(descriptor, FIONREAD) > 0 || waiting(descriptor, TIOCOUTQ) > 0;
}

/// Whether a descriptor is an end of a pair of sockets, or of a pipe, that would be inherited.
static bool is_end(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return false;
    bool is_socket = option(descriptor, SO_DOMAIN) == AF_UNIX && option(descriptor, SO_TYPE) == SOCK_STREAM;
    if (!is_socket && !S_ISFIFO(status.st_mode)) return false;
    int flags = fcntl(descriptor, F_GETFD);
    return flags >= 0 && !(flags & FD_CLOEXEC);
}

static size_t find_candidates(int *candidates) {
    size_t count = 0;
    DIR *list = opendir("/proc/self/fd");
    if (!list) return 0;
    for (struct dirent *entry = readdir(list); entry && count < most_candidates; entry = readdir(list)) {
        char *end = NULL;
        long descriptor = strtol(entry->d_name, &end, 10);
        // The standard streams are for children.
        if (end == entry->d_name || *end || descriptor <= STDERR_FILENO || descriptor == dirfd(list)) continue;
        if (is_end((int)descriptor) && !has_waiting((int)descriptor)) candidates[count++] = (int)descriptor;
    }
    closedir(list);
    return count;
}

/// Marks the two ends at which something waits; returns false if there are not exactly two.
static bool mark_ends(const int *candidates, size_t count) {
    int ends[2] = {-1, -1}, found = 0;
    for (size_t index = 0; index < count; index++) {
        if (!is_end(candidates[index]) || !has_waiting(candidates[index])) continue;
        if (found == 2) return false;
        ends[found++] = candidates[index];
    }
    if (found != 2) return false;
    for (int index = 0; index < 2; index++) fcntl(ends[index], F_SETFD, FD_CLOEXEC);
    return true;
}

void ccurl_keep_from_children(void *multi) {
    bool is_marked = false;
    for (int attempt = 0; attempt < most_attempts && !is_marked; attempt++) {
        int candidates[most_candidates], happened = 0;
        size_t count = find_candidates(candidates);
        if (count == 0 || ccurl_lib.multi_wakeup(multi) != 0) return;
        is_marked = mark_ends(candidates, count);
        // The byte is read again, since nothing else of this target does.
        ccurl_lib.multi_poll(multi, NULL, 0, 0, &happened);
    }
}

#endif
