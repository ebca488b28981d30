// Content codings (RFC 9110 8.4.1) and the check of a head; for the files of this target only.

#ifndef CCURL_CODING_H
#define CCURL_CODING_H

#include "CCurl.h"

enum ccurl_coding {
    ccurl_coding_unknown,
    ccurl_coding_gzip,
    ccurl_coding_deflate,
    ccurl_coding_brotli,
    ccurl_coding_zstd,
};

/// The coding of this name, in any case.
enum ccurl_coding ccurl_coding_named(const char *name, size_t count);

/// Looks for the functions that decode, in what libcurl was linked with and then in the system's libraries.
void ccurl_load_codings(void *libcurl);

/// Has the payload of this response decoded; false, with `stop` and `reason` set, if it can't be.
bool ccurl_begin_decoding(ccurl_transfer *transfer, enum ccurl_coding coding);

enum ccurl_decoded {
    /// All bytes are taken.
    ccurl_decoded_all,
    /// The payload has as much as it may; how many bytes are taken is in `*taken`.
    ccurl_decoded_full,
    /// The bytes are not of this coding, or there is no memory: `stop` and `reason` are set.
    ccurl_decoded_nothing,
};

/// Decodes bytes to the end of the payload, until it has `full` bytes or more.
enum ccurl_decoded ccurl_decode(ccurl_transfer *transfer, const char *bytes, size_t count, size_t full, size_t *taken);

void ccurl_end_decoding(ccurl_transfer *transfer);

/// Checks a head that is whole; false, with `stop` and `reason` set, if its payload can't be read safely.
bool ccurl_check_head(ccurl_transfer *transfer, long status);

/// Reads how a payload is delimited whose head has been checked: its Content-Length, or -1, and whether it is chunked; false
/// if its head can't be trusted.
bool ccurl_read_delimiter(ccurl_transfer *transfer, int64_t *length, bool *is_chunked);

#endif
