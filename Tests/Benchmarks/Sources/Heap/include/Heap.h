#ifndef HEAP_H
#define HEAP_H

#include <stddef.h>

/// How many bytes of this process's memory are taken from the allocator and not given back; 0 if it can't tell.
///
/// Unlike resident memory, which a burst leaves fragmented, it grows only where something is kept.
size_t heap_bytes_in_use(void);

#endif
