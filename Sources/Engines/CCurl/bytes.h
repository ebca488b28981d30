// Growable buffers of bytes; for the files of this target only.

#ifndef CCURL_BYTES_H
#define CCURL_BYTES_H

#include "CCurl.h"

#include <stdlib.h>
#include <string.h>

/// Reserves room for `more` bytes at the end; the capacity doubles, so that appending takes constant time on average.
static inline bool reserve(ccurl_bytes *bytes, size_t more, size_t least) {
    if (more <= bytes->capacity - bytes->count) return true;
    if (more > SIZE_MAX / 2 - bytes->count) return false;
    size_t capacity = bytes->capacity * 2;
    if (capacity < least) capacity = least;
    if (capacity < bytes->count + more) capacity = bytes->count + more;
    char *start = realloc(bytes->start, capacity);
    if (!start) return false;
    bytes->start = start;
    bytes->capacity = capacity;
    return true;
}

static inline bool append(ccurl_bytes *bytes, const char *more, size_t count, size_t least) {
    if (count == 0) return true;
    if (!reserve(bytes, count, least)) return false;
    memcpy(bytes->start + bytes->count, more, count);
    bytes->count += count;
    return true;
}

static inline void release(ccurl_bytes *bytes) {
    free(bytes->start);
    *bytes = (ccurl_bytes){0};
}

/// Empties the buffer, and frees its memory if it has more than `keep` bytes.
static inline void forget(ccurl_bytes *bytes, size_t keep) {
    if (bytes->capacity > keep) release(bytes);
    bytes->count = 0;
}

#endif
