// The TLS library that libcurl uses, where it is OpenSSL or GnuTLS; for the files of this target only.

#ifndef CCURL_TLS_H
#define CCURL_TLS_H

#include "CCurl.h"

enum ccurl_tls_backend { ccurl_tls_openssl = 1, ccurl_tls_gnutls = 2 };

/// `struct curl_tlssessioninfo` of curl.h, which `CURLINFO_TLS_SSL_PTR` gives.
struct ccurl_tls_session {
    int backend;
    /// The `SSL *` of OpenSSL, or the `gnutls_session_t` of GnuTLS; null without TLS.
    void *internals;
};

/// The text of GnuTLS's `gnutls_datum_t`.
struct ccurl_tls_datum {
    const unsigned char *bytes;
    unsigned int count;
};

/// The functions of the TLS library; null where it has none of that name.
struct ccurl_tls_library {
    int (*openssl_pending)(const void *session);
    void (*openssl_alpn)(const void *session, const unsigned char **bytes, unsigned int *count);
    /// Null unless libcurl says that it uses OpenSSL.
    int (*openssl_shutdown)(const void *session);
    /// Null unless libcurl says that it uses OpenSSL 3.0 or later.
    uint64_t (*openssl_clear_options)(void *context, uint64_t options);
    size_t (*gnutls_pending)(void *session);
    int (*gnutls_alpn)(void *session, struct ccurl_tls_datum *protocol);
};

extern struct ccurl_tls_library ccurl_tls;

/// Finds the functions of the TLS library where libcurl itself finds them, so that they are of the same library.
void ccurl_load_tls(void *libcurl, const char *tls_version);

/// The session of the connection that a transfer has now; null if it has no TLS.
const struct ccurl_tls_session *ccurl_tls_session(ccurl_transfer *transfer);

/// Whether a transfer's connection has TLS, as far as libcurl tells.
bool ccurl_has_tls(ccurl_transfer *transfer);

/// Whether the TLS library holds bytes of a transfer's connection that nobody has read.
bool ccurl_has_unread(ccurl_transfer *transfer);

/// Whether a transfer's connection speaks HTTP/2, if it has one that could.
bool ccurl_is_multiplexed(ccurl_transfer *transfer);

/// Has a TLS connection that ends without `close_notify` be an error, not an end.
void ccurl_demand_tls_end(void *easy);

/// From the head of a response on, whose payload only the end of the connection delimits, looks how TLS ends.
void ccurl_watch_tls_end(ccurl_transfer *transfer);

/// Looks whether TLS has ended, as long as the transfer has its connection.
void ccurl_note_tls_end(ccurl_transfer *transfer);

#endif
