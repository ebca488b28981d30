// The TLS library that libcurl uses, if it is OpenSSL or GnuTLS; for the files of this target only.

#ifndef CCURL_TLS_H
#define CCURL_TLS_H

#include "CCurl.h"

enum ccurl_tls_backend { ccurl_tls_openssl = 1, ccurl_tls_gnutls = 2 };

/// `struct curl_tlssessioninfo` of curl.h, the result of `CURLINFO_TLS_SSL_PTR`.
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

/// The functions of the TLS library; null for a function that it does not have.
struct ccurl_tls_library {
    int (*openssl_pending)(const void *session);
    void (*openssl_alpn)(const void *session, const unsigned char **bytes, unsigned int *count);
    /// The function of OpenSSL; null unless libcurl reports that it uses OpenSSL.
    int (*openssl_shutdown)(const void *session);
    /// The function of OpenSSL; null unless libcurl reports that it uses OpenSSL 3.0 or later.
    uint64_t (*openssl_clear_options)(void *context, uint64_t options);
    size_t (*gnutls_pending)(void *session);
    int (*gnutls_alpn)(void *session, struct ccurl_tls_datum *protocol);
};

extern struct ccurl_tls_library ccurl_tls;

/// Finds the functions of the TLS library through libcurl, so that they are of the library that libcurl uses.
void ccurl_load_tls(void *libcurl, const char *tls_version);

/// Returns the session of a transfer's current connection; null if it has no TLS.
const struct ccurl_tls_session *ccurl_tls_session(ccurl_transfer *transfer);

/// Whether the TLS library holds unread bytes of a transfer's connection.
bool ccurl_has_unread(ccurl_transfer *transfer);

/// The protocol that the ends of a connection chose in the handshake of TLS (ALPN, RFC 7301).
enum ccurl_protocol {
    /// Without TLS, where only connections that speak HTTP/2 from the first byte on are shared; or a TLS library whose
    /// functions are not known here, with which HTTP/2 still works, and HTTP/1.1 is as safe as libcurl.
    ccurl_protocol_unknown,
    ccurl_protocol_http1,
    ccurl_protocol_http2,
    ccurl_protocol_http3,
};

/// Returns the protocol of a transfer's connection.
enum ccurl_protocol ccurl_protocol(ccurl_transfer *transfer);

/// Makes the end of a TLS connection without `close_notify` an error.
void ccurl_demand_tls_end(void *easy);

/// Starts to check the end of TLS, from the head of a response whose payload only the end of the connection delimits.
void ccurl_watch_tls_end(ccurl_transfer *transfer);

/// Checks whether TLS has ended, as long as the transfer has its connection.
void ccurl_note_tls_end(ccurl_transfer *transfer);

#endif
