// The information of the TLS library about a connection, and its end, if the library is OpenSSL or GnuTLS.

#if CURL_ENGINE

#define _GNU_SOURCE
#include "library.h"
#include "tls.h"

#include <string.h>

/// CURLINFO_TLS_SSL_PTR of curl.h.
enum { info_tls_session = 0x400000 + 45 };

struct ccurl_tls_library ccurl_tls;

void ccurl_load_tls(void *libcurl, const char *tls_version) {
    *(void **)&ccurl_tls.openssl_pending = CCURL_FIND(libcurl, SSL_pending);
    *(void **)&ccurl_tls.openssl_alpn = CCURL_FIND(libcurl, SSL_get0_alpn_selected);
    *(void **)&ccurl_tls.gnutls_pending = CCURL_FIND(libcurl, gnutls_record_check_pending);
    *(void **)&ccurl_tls.gnutls_alpn = CCURL_FIND(libcurl, gnutls_alpn_get_selected_protocol);
    // The context of another library is another structure, even if that library has a function of the same name.
    const char *name = "OpenSSL/";
    if (!tls_version || strncmp(tls_version, name, strlen(name)) != 0) return;
    *(void **)&ccurl_tls.openssl_shutdown = CCURL_FIND(libcurl, SSL_get_shutdown);
    char major = tls_version[strlen(name)];
    if (major < '3' || major > '9') return;
    *(void **)&ccurl_tls.openssl_clear_options = CCURL_FIND(libcurl, SSL_CTX_clear_options);
}

const struct ccurl_tls_session *ccurl_tls_session(ccurl_transfer *transfer) {
    struct ccurl_tls_session *session = NULL;
    if (ccurl_lib.easy_getinfo(transfer->easy, info_tls_session, &session) != ccurl_ok) return NULL;
    return session && session->internals ? session : NULL;
}

bool ccurl_has_unread(ccurl_transfer *transfer) {
    const struct ccurl_tls_session *session = ccurl_tls_session(transfer);
    if (!session) return false;
    if (session->backend == ccurl_tls_openssl && ccurl_tls.openssl_pending)
        return ccurl_tls.openssl_pending(session->internals) > 0;
    if (session->backend == ccurl_tls_gnutls && ccurl_tls.gnutls_pending)
        return ccurl_tls.gnutls_pending(session->internals) > 0;
    return false;
}

enum ccurl_protocol ccurl_protocol(ccurl_transfer *transfer) {
    const struct ccurl_tls_session *session = ccurl_tls_session(transfer);
    if (!session) return ccurl_protocol_unknown;
    const unsigned char *protocol = NULL;
    unsigned int count = 0;
    if (session->backend == ccurl_tls_openssl && ccurl_tls.openssl_alpn) {
        ccurl_tls.openssl_alpn(session->internals, &protocol, &count);
    } else if (session->backend == ccurl_tls_gnutls && ccurl_tls.gnutls_alpn) {
        struct ccurl_tls_datum datum = {0};
        if (ccurl_tls.gnutls_alpn(session->internals, &datum) == 0) protocol = datum.bytes, count = datum.count;
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
    ccurl_tls.openssl_clear_options(tls_context, ignore_unexpected_end);
    return 0;
}

void ccurl_demand_tls_end(void *easy) {
    if (ccurl_tls.openssl_clear_options) ccurl_lib.easy_setopt(easy, option_tls_context, on_tls_context);
}

void ccurl_watch_tls_end(ccurl_transfer *transfer) {
    if (!ccurl_tls.openssl_shutdown || transfer->response.end == ccurl_end_framed) return;
    // libcurl reports progress a last time after it has read everything, and before it removes the connection.
    ccurl_lib.easy_setopt(transfer->easy, ccurl_no_progress, 0L);
    ccurl_note_tls_end(transfer);
}

void ccurl_note_tls_end(ccurl_transfer *transfer) {
    if (!ccurl_tls.openssl_shutdown) return;
    const struct ccurl_tls_session *session = ccurl_tls_session(transfer);
    if (!session || session->backend != ccurl_tls_openssl) return;
    bool has_ended = ccurl_tls.openssl_shutdown(session->internals) & received_close_notify;
    transfer->response.end = has_ended ? ccurl_end_by_close : ccurl_end_without_tls;
}

#endif
