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

/// Returns the coding of this name, in any case.
enum ccurl_coding ccurl_coding_named(const char *name, size_t count);

/// Finds the functions that decode, in the libraries that libcurl was linked with and then in those of the system.
void ccurl_load_codings(void *libcurl);

/// Begins to decode the payload of this response; false, with `stop` and `reason` set, if it can't be decoded.
bool ccurl_begin_decoding(ccurl_transfer *transfer, enum ccurl_coding coding);

enum ccurl_decoded {
    /// All bytes are taken.
    ccurl_decoded_all,
    /// The payload has as many bytes as allowed; the number of taken bytes is in `*taken`.
    ccurl_decoded_full,
    /// The bytes do not conform to the coding, or there is no memory: `stop` and `reason` are set.
    ccurl_decoded_nothing,
};

/// Decodes bytes and appends them to the payload, until it has `full` bytes or more.
enum ccurl_decoded ccurl_decode(ccurl_transfer *transfer, const char *bytes, size_t count, size_t full, size_t *taken);

void ccurl_end_decoding(ccurl_transfer *transfer);

/// Returns the status of the last head; -1, with `stop` and `reason` set, if the head has no status line.
///
/// libcurl takes each status after a name in lower case for 200 (7.81 to 8.23), and so an interim response for a final
/// one, which is refused; 8.23 takes 2000 for 200.
long ccurl_read_status(ccurl_transfer *transfer);

/// Checks a complete head; false, with `stop` and `reason` set, if its payload can't be read safely.
bool ccurl_check_head(ccurl_transfer *transfer, long status);

#endif
