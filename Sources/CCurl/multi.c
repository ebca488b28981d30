// Many transfers at once, and what a thread that drives them needs of the system.

#if defined(__linux__)

#define _GNU_SOURCE
#include "library.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

ccurl_multi *ccurl_multi_create(void) {
    ccurl_enter();
    void *multi = ccurl_lib.multi_init();
    ccurl_leave();
    return multi;
}

int ccurl_multi_free(ccurl_multi *multi) {
    ccurl_enter();
    int code = ccurl_lib.multi_cleanup(multi);
    ccurl_leave();
    return code;
}

int ccurl_multi_set(ccurl_multi *multi, ccurl_multi_option option, long value) {
    return ccurl_lib.multi_setopt(multi, option, value);
}

int ccurl_multi_add(ccurl_multi *multi, ccurl_transfer *transfer) {
    ccurl_enter();
    int code = ccurl_lib.multi_add_handle(multi, transfer->easy);
    ccurl_leave();
    return code;
}

int ccurl_multi_remove(ccurl_multi *multi, ccurl_transfer *transfer) {
    ccurl_enter();
    int code = ccurl_lib.multi_remove_handle(multi, transfer->easy);
    ccurl_leave();
    return code;
}

int ccurl_multi_perform(ccurl_multi *multi) {
    int running = 0;
    ccurl_enter();
    int code = ccurl_lib.multi_perform(multi, &running);
    ccurl_leave();
    return code;
}

static void ccurl_wake_clear(int descriptor) {
    uint64_t count;
    ssize_t taken = read(descriptor, &count, sizeof count);
    (void)taken;
}

int ccurl_multi_wait(ccurl_multi *multi, int descriptor, int milliseconds) {
    struct ccurl_wait_descriptor more = {.descriptor = descriptor, .events = 1};
    int code = ccurl_lib.multi_poll(multi, &more, 1, milliseconds, NULL);
    if (more.happened) ccurl_wake_clear(descriptor);
    return code;
}

const char *ccurl_multi_text(int code) { return ccurl_lib.multi_strerror(code); }

int64_t ccurl_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void ccurl_relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
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
        // A thread begins with the signals of the one that starts it. None is for this one: SIGPIPE, which OpenSSL may
        // raise, must not end the process, and a handler of the app's must not run in the middle of libcurl.
        sigset_t all, before;
        sigfillset(&all);
        // What a thread does to itself must still be told, or no crash reporter would see it.
        const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
        for (size_t index = 0; index < sizeof own / sizeof *own; index++) sigdelset(&all, own[index]);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        pthread_t thread;
        code = pthread_create(&thread, &attributes, run, start);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attributes);
    }
    if (code != 0) free(start);
    return code;
}

int ccurl_wake_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void ccurl_wake(int descriptor) {
    // Fails only where 2^64 - 1 wake-ups were not read, and then the descriptor can be read anyway.
    ssize_t written = write(descriptor, &(uint64_t){1}, sizeof(uint64_t));
    (void)written;
}

void ccurl_wake_free(int descriptor) {
    if (descriptor >= 0) close(descriptor);
}

void ccurl_wake_wait(int descriptor, int milliseconds) {
    struct pollfd wait = {.fd = descriptor, .events = POLLIN};
    if (poll(&wait, 1, milliseconds) > 0) ccurl_wake_clear(descriptor);
}

#endif
