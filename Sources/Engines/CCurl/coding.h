// Content codings (RFC 9110 8.4.1) and the check of a head; for the files of this target only.

#ifndef CCURL_CODING_H
#define CCURL_CODING_H

#include "CCurl.h"

/// A content coding whose library was found.
struct ccurl_coding;

/// Returns the coding of this name, in any case; null if it can't be decoded.
const struct ccurl_coding *ccurl_coding_named(const char *name, size_t count);

/// Finds the functions that decode, in the libraries that libcurl was linked with and then in those of the system.
void ccurl_load_codings(void *libcurl);

/// Begins to decode the payload of this response; false, with `stop` and `reason` set, if it can't be decoded, as that
/// of a coding that is null.
bool ccurl_begin_decoding(ccurl_transfer *transfer, const struct ccurl_coding *coding);

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

/// The facts of a head about its payload.
struct ccurl_framing {
    /// The Content-Length; -1 if there is none, or no payload.
    int64_t length;
    int transfer_codings;
    /// Whether the one transfer coding is "identity", which RFC 2616 3.6 had for none.
    bool is_identity;
    int content_codings;
    const struct ccurl_coding *coding;
    bool has_location;
};

/// Checks the last head, which is complete, and fills `framing`; false, with `stop` and `reason` set, if the head has
/// no status line, or its payload can't be read safely.
///
/// libcurl takes each status after a name in lower case for 200 (7.81 to 8.23), and so an interim response for a final
/// one, which is refused; 8.23 takes 2000 for 200.
bool ccurl_check_head(ccurl_transfer *transfer, struct ccurl_framing *framing);

#endif
