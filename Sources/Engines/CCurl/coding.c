// Decoding of gzip, deflate, br and zstd as a payload arrives.
//
// libcurl can decode, too, but it accepts a truncated payload as complete, does not support a second member of gzip,
// and decompresses everything that it has read before a pause takes effect, which is unbounded for br. Here, decoding
// stops as soon as the payload has as many bytes as allowed, and continues after they were taken. The additional memory
// is the window: 32 KiB for gzip and deflate (RFC 1951 2), at most 16 MiB for br (RFC 7932 9.1) and 8 MiB for zstd (RFC
// 9659 3).

#if CURL_ENGINE

#define _GNU_SOURCE
#include "bytes.h"
#include "coding.h"
#include "library.h"

#include <string.h>
#include <strings.h>

/// `z_stream` of zlib.h, whose layout has been kept since 1.0.
struct zlib_stream {
    const unsigned char *next_in;
    unsigned int count_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned int room_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *allocate;
    void *deallocate;
    void *opaque;
    int data_type;
    unsigned long checksum;
    unsigned long reserved;
};

enum { zlib_ok = 0, zlib_stream_end = 1, zlib_no_memory = -4, zlib_no_progress = -5 };

/// The parameters of `inflateInit2`: the largest window, 16 more for gzip, and negative for deflate without a header.
enum { zlib_window_bits = 15, zlib_gzip = 16 };

enum { brotli_error = 0, brotli_end = 1 };

/// ZSTD_d_windowLogMax of zstd.h, and 8 MiB, which a decoder of HTTP need not exceed (RFC 9659 3).
enum { zstd_window_log_max = 100, zstd_window_log = 23 };

struct zstd_room {
    void *start;
    size_t count;
    size_t place;
};

static struct {
    int (*inflate_init)(struct zlib_stream *, int bits, const char *version, int size);
    int (*inflate)(struct zlib_stream *, int flush);
    int (*inflate_reset)(struct zlib_stream *);
    int (*inflate_end)(struct zlib_stream *);

    void *(*brotli_create)(void *allocate, void *deallocate, void *opaque);
    int (*brotli_decode)(void *, size_t *count, const uint8_t **in, size_t *room, uint8_t **out, size_t *total);
    void (*brotli_destroy)(void *);

    void *(*zstd_create)(void);
    size_t (*zstd_set)(void *, int parameter, int value);
    size_t (*zstd_decode)(void *, struct zstd_room *out, struct zstd_room *in);
    unsigned (*zstd_is_error)(size_t);
    size_t (*zstd_free)(void *);
} codec;

static bool has_zlib, has_brotli, has_zstd;

/// Stores a function; false if it was not found.
static bool store(void *found, void *function) {
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

#define FIND(function, name) store(CCURL_FIND(library, name), &codec.function)

static bool find_zlib(void *library) {
    return FIND(inflate_init, inflateInit2_) && FIND(inflate, inflate) && FIND(inflate_reset, inflateReset)
        && FIND(inflate_end, inflateEnd);
}

static bool find_brotli(void *library) {
    return FIND(brotli_create, BrotliDecoderCreateInstance) && FIND(brotli_decode, BrotliDecoderDecompressStream)
        && FIND(brotli_destroy, BrotliDecoderDestroyInstance);
}

static bool find_zstd(void *library) {
    return FIND(zstd_create, ZSTD_createDCtx) && FIND(zstd_set, ZSTD_DCtx_setParameter)
        && FIND(zstd_decode, ZSTD_decompressStream) && FIND(zstd_is_error, ZSTD_isError)
        && FIND(zstd_free, ZSTD_freeDCtx);
}

#undef FIND

static bool find_anywhere(bool (*find_in)(void *), void *libcurl, const char *name) {
    if (find_in(libcurl)) return true;
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    if (find_in(library)) return true;
    dlclose(library);
    return false;
}

void ccurl_load_codings(void *libcurl) {
    has_zlib = find_anywhere(find_zlib, libcurl, "libz.so.1");
    has_brotli = find_anywhere(find_brotli, libcurl, "libbrotlidec.so.1");
    has_zstd = find_anywhere(find_zstd, libcurl, "libzstd.so.1");
}

struct ccurl_decoder {
    const struct ccurl_coding *coding;
    /// Whether a byte of the coded payload has arrived.
    bool has_begun;
    /// Whether the received bytes are complete; for gzip and zstd, another member or frame may follow.
    bool is_whole;
    /// The first two bytes of deflate, which show whether the header of RFC 1950 is present.
    ///
    /// The header is required, but is often absent.
    unsigned char start[2];
    size_t start_count;
    bool is_prepared;
    struct zlib_stream zlib;
    void *state;
};

enum step { step_done, step_wrong, step_no_memory };

struct ccurl_coding {
    const char *name;
    const bool *is_available;
    /// Prepares a decoder; null if the first bytes of the payload decide.
    bool (*prepare)(struct ccurl_decoder *);
    enum step (*step)(struct ccurl_decoder *, const char **in, size_t *count, char *out, size_t *room);
    void (*free)(void *state);
    /// Whether another member may follow, which zlib has to be told.
    bool has_members;
};

static bool prepare_zlib(struct ccurl_decoder *decoder, int bits) {
    decoder->is_prepared = codec.inflate_init(&decoder->zlib, bits, "1.2.11", (int)sizeof decoder->zlib) == zlib_ok;
    return decoder->is_prepared;
}

static bool prepare_zstd(struct ccurl_decoder *decoder) {
    decoder->state = codec.zstd_create();
    return decoder->state
        && !codec.zstd_is_error(codec.zstd_set(decoder->state, zstd_window_log_max, zstd_window_log));
}

static bool prepare_gzip(struct ccurl_decoder *decoder) {
    return prepare_zlib(decoder, zlib_window_bits + zlib_gzip);
}

static bool prepare_brotli(struct ccurl_decoder *decoder) {
    decoder->state = codec.brotli_create(NULL, NULL, NULL);
    return decoder->state;
}

static enum step inflate_step(struct ccurl_decoder *decoder, const char **in, size_t *count, char *out, size_t *room) {
    if (decoder->is_whole) {
        if (*count == 0) return step_done;
        // Another member follows (RFC 1952 2.2). In the other formats, nothing may follow.
        if (!decoder->coding->has_members || codec.inflate_reset(&decoder->zlib) != zlib_ok) return step_wrong;
        decoder->is_whole = false;
    }
    struct zlib_stream *zlib = &decoder->zlib;
    zlib->next_in = (const unsigned char *)*in;
    zlib->count_in = (unsigned int)*count;
    zlib->next_out = (unsigned char *)out;
    zlib->room_out = (unsigned int)*room;
    int result = codec.inflate(zlib, 0);
    *in = (const char *)zlib->next_in;
    *count = zlib->count_in;
    *room = zlib->room_out;
    if (result == zlib_no_memory) return step_no_memory;
    if (result == zlib_stream_end) decoder->is_whole = true;
    return result == zlib_ok || result == zlib_stream_end || result == zlib_no_progress ? step_done : step_wrong;
}

/// Decodes deflate with the header of RFC 1950, and without the header, as some servers send it.
static enum step deflate_step(struct ccurl_decoder *decoder, const char **in, size_t *count, char *out, size_t *room) {
    if (decoder->is_prepared) return inflate_step(decoder, in, count, out, room);
    while (decoder->start_count < 2 && *count > 0) {
        decoder->start[decoder->start_count++] = (unsigned char)**in;
        *in += 1;
        *count -= 1;
    }
    if (decoder->start_count < 2) return step_done;
    unsigned int method = decoder->start[0], flags = decoder->start[1];
    bool has_head = (method & 15) == 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 == 0;
    if (!prepare_zlib(decoder, has_head ? zlib_window_bits : -zlib_window_bits)) return step_no_memory;
    const char *start = (const char *)decoder->start;
    size_t start_count = 2;
    enum step step = inflate_step(decoder, &start, &start_count, out, room);
    return start_count > 0 ? step_wrong : step;
}

static enum step brotli_step(struct ccurl_decoder *decoder, const char **in, size_t *count, char *out, size_t *room) {
    if (decoder->is_whole) return *count == 0 ? step_done : step_wrong;
    const uint8_t *next_in = (const uint8_t *)*in;
    uint8_t *next_out = (uint8_t *)out;
    int result = codec.brotli_decode(decoder->state, count, &next_in, room, &next_out, NULL);
    *in = (const char *)next_in;
    decoder->is_whole = result == brotli_end;
    return result == brotli_error ? step_wrong : step_done;
}

/// Decodes zstd, in which several frames may follow each other (RFC 8878 3.1).
static enum step zstd_step(struct ccurl_decoder *decoder, const char **in, size_t *count, char *out, size_t *room) {
    if (decoder->is_whole && *count == 0) return step_done;
    struct zstd_room source = {(void *)(uintptr_t)*in, *count, 0}, target = {out, *room, 0};
    size_t result = codec.zstd_decode(decoder->state, &target, &source);
    *in += source.place;
    *count -= source.place;
    *room -= target.place;
    if (codec.zstd_is_error(result)) return step_wrong;
    decoder->is_whole = result == 0;
    return step_done;
}

static void free_brotli(void *state) { codec.brotli_destroy(state); }

static void free_zstd(void *state) { codec.zstd_free(state); }

static const struct ccurl_coding codings[] = {
    {"gzip", &has_zlib, prepare_gzip, inflate_step, NULL, true},
    {"x-gzip", &has_zlib, prepare_gzip, inflate_step, NULL, true},
    {"deflate", &has_zlib, NULL, deflate_step, NULL, false},
    {"br", &has_brotli, prepare_brotli, brotli_step, free_brotli, false},
    {"zstd", &has_zstd, prepare_zstd, zstd_step, free_zstd, false},
};

const struct ccurl_coding *ccurl_coding_named(const char *name, size_t count) {
    for (size_t index = 0; index < sizeof codings / sizeof *codings; index++) {
        const struct ccurl_coding *coding = &codings[index];
        bool is_named = strlen(coding->name) == count && strncasecmp(coding->name, name, count) == 0;
        if (is_named && *coding->is_available) return coding;
    }
    return NULL;
}

bool ccurl_decodes(const char *coding) { return ccurl_coding_named(coding, strlen(coding)); }

bool ccurl_begin_decoding(ccurl_transfer *transfer, const struct ccurl_coding *coding) {
    ccurl_end_decoding(transfer);
    if (!coding)
        return ccurl_end_transfer(transfer, ccurl_stop_coding, "the payload has an unknown content coding");
    struct ccurl_decoder *decoder = calloc(1, sizeof *decoder);
    transfer->response.decoder = decoder;
    if (decoder) decoder->coding = coding;
    if (decoder && (!coding->prepare || coding->prepare(decoder))) return true;
    ccurl_end_decoding(transfer);
    return ccurl_end_transfer(transfer, ccurl_stop_memory, NULL);
}

void ccurl_end_decoding(ccurl_transfer *transfer) {
    struct ccurl_decoder *decoder = transfer->response.decoder;
    transfer->response.decoder = NULL;
    if (!decoder) return;
    if (decoder->is_prepared) codec.inflate_end(&decoder->zlib);
    if (decoder->state) decoder->coding->free(decoder->state);
    free(decoder);
}

bool ccurl_payload_is_whole(ccurl_transfer *transfer) {
    struct ccurl_decoder *decoder = transfer->response.decoder;
    if (!decoder || decoder->is_whole) return true;
    // Many servers declare a coding for an empty payload; but a payload that is ended by a closed connection may be
    // truncated.
    return !decoder->has_begun && transfer->response.end == ccurl_end_framed;
}

enum ccurl_decoded ccurl_decode(ccurl_transfer *transfer, const char *bytes, size_t count, size_t full, size_t *taken) {
    /// The number of bytes that are decoded at a time, as many as libcurl reads.
    const size_t step_bytes = 16 * 1024;
    struct ccurl_decoder *decoder = transfer->response.decoder;
    ccurl_bytes *payload = &transfer->payload;
    const char *place = bytes;
    size_t left = count;
    if (count > 0) decoder->has_begun = true;
    for (;;) {
        *taken = count - left;
        if (payload->count >= full) return ccurl_decoded_full;
        size_t before = left, room = step_bytes;
        enum step step = step_no_memory;
        if (reserve(payload, step_bytes, step_bytes)) {
            step = decoder->coding->step(decoder, &place, &left, payload->start + payload->count, &room);
            payload->count += step_bytes - room;
        }
        bool has_moved = left < before || room < step_bytes;
        if (step == step_done && left == 0 && (!has_moved || room > 0)) {
            *taken = count;
            return ccurl_decoded_all;
        }
        if (step == step_done && has_moved) continue;
        ccurl_stop stop = step == step_no_memory ? ccurl_stop_memory : ccurl_stop_coding;
        ccurl_end_transfer(transfer, stop, "the payload does not conform to its content coding");
        return ccurl_decoded_nothing;
    }
}

#endif
