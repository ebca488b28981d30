// The functions of the system and of the compiler's library that Embedded Swift calls, for a 32-bit program on Linux
// that links neither: see run.sh.
typedef unsigned int size_t;
typedef unsigned char byte;
typedef unsigned long long u64;
typedef union {
    u64 all;
    struct {
        unsigned low, high;
    } part;
} halves;

static byte heap[64 << 20] __attribute__((aligned(64)));
static size_t used;

// Memory is never freed: the checks end soon.
int posix_memalign(void **memory, size_t alignment, size_t count) {
    size_t start = (used + alignment - 1) & ~(alignment - 1);
    if (start + count > sizeof heap) return 12;
    used = start + count;
    *memory = heap + start;
    return 0;
}

void free(void *memory) {}

void *memcpy(void *to, const void *from, size_t count) {
    for (size_t i = 0; i < count; i++) ((byte *)to)[i] = ((const byte *)from)[i];
    return to;
}

void *memmove(void *to, const void *from, size_t count) {
    if (to < from) return memcpy(to, from, count);
    while (count--) ((byte *)to)[count] = ((const byte *)from)[count];
    return to;
}

void *memset(void *to, int value, size_t count) {
    for (size_t i = 0; i < count; i++) ((byte *)to)[i] = (byte)value;
    return to;
}

int memcmp(const void *left, const void *right, size_t count) {
    for (size_t i = 0; i < count; i++) {
        int difference = ((const byte *)left)[i] - ((const byte *)right)[i];
        if (difference) return difference;
    }
    return 0;
}

void arc4random_buf(void *to, size_t count) { memset(to, 7, count); }

u64 __ashldi3(u64 value, int count) {
    halves x = {.all = value};
    if (count >= 32) {
        x.part.high = x.part.low << (count - 32);
        x.part.low = 0;
    } else if (count) {
        x.part.high = x.part.high << count | x.part.low >> (32 - count);
        x.part.low <<= count;
    }
    return x.all;
}

u64 __lshrdi3(u64 value, int count) {
    halves x = {.all = value};
    if (count >= 32) {
        x.part.low = x.part.high >> (count - 32);
        x.part.high = 0;
    } else if (count) {
        x.part.low = x.part.low >> count | x.part.high << (32 - count);
        x.part.high >>= count;
    }
    return x.all;
}

static u64 divide(u64 value, u64 by, u64 *rest) {
    u64 quotient = 0, left = 0;
    for (int bit = 63; bit >= 0; bit--) {
        left = __ashldi3(left, 1) | (__lshrdi3(value, bit) & 1);
        quotient = __ashldi3(quotient, 1);
        if (left >= by) {
            left -= by;
            quotient |= 1;
        }
    }
    *rest = left;
    return quotient;
}

u64 __udivdi3(u64 value, u64 by) {
    u64 rest;
    return divide(value, by, &rest);
}

u64 __umoddi3(u64 value, u64 by) {
    u64 rest;
    divide(value, by, &rest);
    return rest;
}

long long __divdi3(long long value, long long by) {
    u64 quotient = __udivdi3(value < 0 ? 0 - (u64)value : (u64)value, by < 0 ? 0 - (u64)by : (u64)by);
    return (value < 0) != (by < 0) ? (long long)(0 - quotient) : (long long)quotient;
}

long long __moddi3(long long value, long long by) {
    u64 rest = __umoddi3(value < 0 ? 0 - (u64)value : (u64)value, by < 0 ? 0 - (u64)by : (u64)by);
    return value < 0 ? (long long)(0 - rest) : (long long)rest;
}

double floor(double value) {
    if (!(value > -4503599627370496.0 && value < 4503599627370496.0)) return value;
    double whole = (double)(long long)value;
    return whole > value ? whole - 1 : whole;
}

int check(void);

static void leave(int code) { __asm__ volatile("int $0x80" : : "a"(1), "b"(code)); }

void __stack_chk_fail(void) { leave(99); }

void *__stack_chk_guard;

// For the linker, as printing code may be linked.
int putchar(int character) { return character; }

void _start(void) {
    __asm__ volatile("andl $-16, %esp");
    leave(check());
}

// For the capacity of dictionaries, which is small.
double ceil(double number) {
    double whole = (double)(int)number;
    return whole < number ? whole + 1 : whole;
}
