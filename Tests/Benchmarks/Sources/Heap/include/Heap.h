#ifndef HEAP_H
#define HEAP_H

#include <stddef.h>

/// Returns the bytes that this process has allocated and not freed; 0 if they are unknown.
///
/// Unlike resident memory, which a burst leaves fragmented, this number grows only if memory is kept.
size_t heap_bytes_in_use(void);

#endif
