// The end of the process while transfers run: libraries release their state then, and a thread that runs inside of them
// crashes. Therefore, the end waits until no thread is inside of libcurl, and lets no thread in again.

#if CURL_ENGINE

#define _GNU_SOURCE
#include "library.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/// The longest time for which the end of the process waits for a thread that is stuck in libcurl, as in a name lookup.
enum { exit_patience_seconds = 2 };

static pthread_rwlock_t inside = PTHREAD_RWLOCK_INITIALIZER;
static atomic_bool is_exiting;

/// The number of forks since libcurl was loaded.
///
/// A child of `fork` has none of the threads, but a copy of the lock as they held it: the lock is initialized again, or
/// the child would never end.
static atomic_int forks;

static void count_fork(void) {
    atomic_fetch_add_explicit(&forks, 1, memory_order_relaxed);
    pthread_rwlock_init(&inside, NULL);
}

int32_t ccurl_forks(void) { return atomic_load_explicit(&forks, memory_order_relaxed); }

void ccurl_enter(void) {
    pthread_rwlock_rdlock(&inside);
    if (!atomic_load_explicit(&is_exiting, memory_order_acquire)) return;
    pthread_rwlock_unlock(&inside);
    for (;;) pause();
}

bool ccurl_is_exiting(void) { return atomic_load_explicit(&is_exiting, memory_order_acquire); }

void ccurl_leave(void) { pthread_rwlock_unlock(&inside); }

static void at_exit(void) {
    atomic_store_explicit(&is_exiting, true, memory_order_release);
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += exit_patience_seconds;
    // The lock is never unlocked: from here on, the libraries clean up.
    pthread_rwlock_timedwrlock(&inside, &deadline);
}

void ccurl_guard_exit(void) {
    pthread_atfork(NULL, NULL, count_fork);
    atexit(at_exit);
}

#endif
