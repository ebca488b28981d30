// The information of the TLS library about a connection, and its end, if the library is OpenSSL or GnuTLS.

#if CURL_ENGINE

#define _GNU_SOURCE
#include "library.h"

#include <string.h>

/// CURLINFO_TLS_SSL_PTR of curl.h.
enum { info_tls_session = 0x400000 + 45 };

enum { backend_openssl = 1, backend_gnutls = 2 };

/// `struct curl_tlssessioninfo` of curl.h, the result of `CURLINFO_TLS_SSL_PTR`.
struct tls_session {
    int backend;
    /// The `SSL *` of OpenSSL, or the `gnutls_session_t` of GnuTLS; null without TLS.
    void *internals;
};

/// The text of GnuTLS's `gnutls_datum_t`.
struct tls_datum {
    const unsigned char *bytes;
    unsigned int count;
};

/// The functions of the TLS library; null for a function that it does not have.
static struct {
    int (*openssl_pending)(const void *session);
    void (*openssl_alpn)(const void *session, const unsigned char **bytes, unsigned int *count);
    /// The function of OpenSSL; null unless libcurl reports that it uses OpenSSL.
    int (*openssl_shutdown)(const void *session);
    /// The function of OpenSSL; null unless libcurl reports that it uses OpenSSL 3.0 or later.
    uint64_t (*openssl_clear_options)(void *context, uint64_t options);
    size_t (*gnutls_pending)(void *session);
    int (*gnutls_alpn)(void *session, struct tls_datum *protocol);
} tls;

void ccurl_load_tls(void *libcurl, const char *tls_version) {
    *(void **)&tls.openssl_pending = CCURL_FIND(libcurl, SSL_pending);
    *(void **)&tls.openssl_alpn = CCURL_FIND(libcurl, SSL_get0_alpn_selected);
    *(void **)&tls.gnutls_pending = CCURL_FIND(libcurl, gnutls_record_check_pending);
    *(void **)&tls.gnutls_alpn = CCURL_FIND(libcurl, gnutls_alpn_get_selected_protocol);
    // The context of another library is another structure, even if that library has a function of the same name.
    const char *name = "OpenSSL/";
    if (!tls_version || strncmp(tls_version, name, strlen(name)) != 0) return;
    *(void **)&tls.openssl_shutdown = CCURL_FIND(libcurl, SSL_get_shutdown);
    char major = tls_version[strlen(name)];
    if (major < '3' || major > '9') return;
    *(void **)&tls.openssl_clear_options = CCURL_FIND(libcurl, SSL_CTX_clear_options);
}

/// Returns the session of a transfer's current connection; null if it has no TLS.
static const struct tls_session *session_of(ccurl_transfer *transfer) {
    struct tls_session *session = NULL;
    if (ccurl_lib.easy_getinfo(transfer->easy, info_tls_session, &session) != 0) return NULL;
    return session && session->internals ? session : NULL;
}

bool ccurl_has_unread(ccurl_transfer *transfer) {
    const struct tls_session *session = session_of(transfer);
    if (!session) return false;
    if (session->backend == backend_openssl && tls.openssl_pending)
        return tls.openssl_pending(session->internals) > 0;
    if (session->backend == backend_gnutls && tls.gnutls_pending)
        return tls.gnutls_pending(session->internals) > 0;
    return false;
}

enum ccurl_protocol ccurl_protocol(ccurl_transfer *transfer) {
    const struct tls_session *session = session_of(transfer);
    if (!session) return ccurl_protocol_unknown;
    const unsigned char *protocol = NULL;
    unsigned int count = 0;
    if (session->backend == backend_openssl && tls.openssl_alpn) {
        tls.openssl_alpn(session->internals, &protocol, &count);
    } else if (session->backend == backend_gnutls && tls.gnutls_alpn) {
        struct tls_datum datum = {0};
        if (tls.gnutls_alpn(session->internals, &datum) == 0) protocol = datum.bytes, count = datum.count;
    } else {
        return ccurl_protocol_unknown;
    }
    if (protocol && count == 2 && memcmp(protocol, "h2", 2) == 0) return ccurl_protocol_http2;
    return protocol && count == 2 && memcmp(protocol, "h3", 2) == 0 ? ccurl_protocol_http3 : ccurl_protocol_http1;
}

// MARK: the end of a TLS connection
//
// If only the end of the connection delimits a payload, anybody on the way could truncate it: by RFC 9112 9.8, a
// response is incomplete if its connection ends without `close_notify`. GnuTLS reports that as an error. With OpenSSL,
// libcurl accepts it like any other end: libcurl configures OpenSSL 3 to do so (SSL_OP_IGNORE_UNEXPECTED_EOF), and from
// 7.87 on it hides the end from OpenSSL anyway. Therefore, the option is cleared, and OpenSSL is asked for the alerts
// that it has received.

/// CURLOPT_SSL_CTX_FUNCTION of curl.h.
enum { option_tls_context = 20108 };

/// SSL_OP_IGNORE_UNEXPECTED_EOF of openssl/ssl.h, since 3.0.
static const uint64_t ignore_unexpected_end = 1 << 7;

/// SSL_RECEIVED_SHUTDOWN of openssl/ssl.h.
enum { received_close_notify = 2 };

static int on_tls_context(void *easy, void *tls_context, void *unused) {
    (void)easy, (void)unused;
    tls.openssl_clear_options(tls_context, ignore_unexpected_end);
    return 0;
}

void ccurl_demand_tls_end(void *easy) {
    if (tls.openssl_clear_options) ccurl_lib.easy_setopt(easy, option_tls_context, on_tls_context);
}

void ccurl_watch_tls_end(ccurl_transfer *transfer) {
    if (!tls.openssl_shutdown || transfer->response.end == ccurl_end_framed) return;
    // libcurl reports progress a last time after it has read everything, and before it removes the connection.
    ccurl_lib.easy_setopt(transfer->easy, ccurl_no_progress, 0L);
    ccurl_note_tls_end(transfer);
}

void ccurl_note_tls_end(ccurl_transfer *transfer) {
    if (!tls.openssl_shutdown) return;
    const struct tls_session *session = session_of(transfer);
    if (!session || session->backend != backend_openssl) return;
    bool has_ended = tls.openssl_shutdown(session->internals) & received_close_notify;
    transfer->response.end = has_ended ? ccurl_end_by_close : ccurl_end_without_tls;
}

#endif
