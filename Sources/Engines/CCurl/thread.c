// The functions of the system for a thread that drives transfers.

#if CURL_ENGINE

#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

int64_t ccurl_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

_Static_assert(sizeof(ccurl_signals) >= sizeof(sigset_t), "a set of signals fits");

ccurl_signals ccurl_hold_signals(void) {
    sigset_t most, before;
    sigfillset(&most);
    // Signals that a thread causes itself must still be delivered, or a crash reporter would not see them.
    const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    for (size_t index = 0; index < sizeof own / sizeof *own; index++) sigdelset(&most, own[index]);
    pthread_sigmask(SIG_SETMASK, &most, &before);
    ccurl_signals signals = {{0}};
    memcpy(&signals, &before, sizeof before);
    return signals;
}

void ccurl_release_signals(ccurl_signals signals) {
    sigset_t before, pipe;
    memcpy(&before, &signals, sizeof before);
    if (!sigismember(&before, SIGPIPE)) {
        // A SIGPIPE that came meanwhile is caused here: it is sent to the thread that wrote.
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        sigtimedwait(&pipe, NULL, &(struct timespec){0});
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *context) {
    struct start start = *(struct start *)context;
    free(context);
    pthread_setname_np(pthread_self(), "startsmall-curl");
    start.body(start.context);
    return NULL;
}

int ccurl_start_thread(void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (!start) return ENOMEM;
    *start = (struct start){body, context};
    pthread_attr_t attributes;
    int code = pthread_attr_init(&attributes);
    if (code == 0) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        // A thread begins with the signals of the thread that starts it, and no signal is for this one.
        ccurl_signals before = ccurl_hold_signals();
        pthread_t thread;
        code = pthread_create(&thread, &attributes, run, start);
        ccurl_release_signals(before);
        pthread_attr_destroy(&attributes);
    }
    if (code != 0) free(start);
    return code;
}

int ccurl_wake_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void ccurl_wake(int descriptor) {
    // The call fails only if 2^64 - 1 wake-ups were not read, and then the descriptor is readable anyway.
    ssize_t written = write(descriptor, &(uint64_t){1}, sizeof(uint64_t));
    (void)written;
}

void ccurl_wake_clear(int descriptor) {
    uint64_t count;
    ssize_t taken = read(descriptor, &count, sizeof count);
    (void)taken;
}

void ccurl_close(int descriptor) {
    if (descriptor >= 0) close(descriptor);
}

#endif
