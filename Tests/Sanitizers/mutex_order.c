// Reports to ThreadSanitizer the order that Swift's Mutex establishes, which it can't see by itself on Linux.
//
// A free Mutex is locked by code that the compiler inlines into the caller, where the sanitizer sees it. A locked one
// is waited for in libswiftSynchronization.so, which is built without the sanitizer, so that accesses under the lock
// look like a race. These three functions replace the library's own (LD_PRELOAD), call them, and report their effect.
// Nothing is suppressed here: a real race is still reported, as proof.swift shows.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define LOCK_SLOWLY "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_SLOWLY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOWLY "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Defined only in a process with the sanitizer.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

static SWIFT void (*next_lock)(uint32_t thread, SELF void *mutex);
static SWIFT bool (*next_try)(SELF void *mutex);
static SWIFT void (*next_unlock)(SELF void *mutex);

__attribute__((constructor)) static void find(void) {
    *(void **)&next_lock = dlsym(RTLD_NEXT, LOCK_SLOWLY);
    *(void **)&next_try = dlsym(RTLD_NEXT, TRY_SLOWLY);
    *(void **)&next_unlock = dlsym(RTLD_NEXT, UNLOCK_SLOWLY);
}

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) __asm__(LOCK_SLOWLY);
SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) {
    if (!next_lock) find();
    if (!next_lock) abort();
    next_lock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try_slowly(SELF void *mutex) __asm__(TRY_SLOWLY);
SWIFT bool try_slowly(SELF void *mutex) {
    if (!next_try) find();
    if (!next_try) abort();
    bool is_locked = next_try(mutex);
    if (is_locked && __tsan_acquire) __tsan_acquire(mutex);
    return is_locked;
}

SWIFT void unlock_slowly(SELF void *mutex) __asm__(UNLOCK_SLOWLY);
SWIFT void unlock_slowly(SELF void *mutex) {
    if (!next_unlock) find();
    if (!next_unlock) abort();
    if (__tsan_release) __tsan_release(mutex);
    next_unlock(mutex);
}
