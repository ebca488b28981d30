// The end of a TLS connection.
//
// If only the end of the connection delimits a payload, anybody on the way could truncate it: by RFC 9112 9.8, a
// response is incomplete if its connection ends without `close_notify`. GnuTLS reports that as an error. With OpenSSL,
// libcurl accepts it like any other end: libcurl configures OpenSSL 3 to do so (SSL_OP_IGNORE_UNEXPECTED_EOF), and from
// 7.87 on it hides the end from OpenSSL anyway. Therefore, the option is cleared, and OpenSSL is asked for the alerts
// that it has received.

#if CURL_ENGINE

#include "library.h"
#include "tls.h"

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
    if (!ccurl_tls.openssl_shutdown || !transfer->ends_by_close) return;
    // libcurl reports progress a last time after it has read everything, and before it removes the connection.
    ccurl_lib.easy_setopt(transfer->easy, ccurl_no_progress, 0L);
    ccurl_note_tls_end(transfer);
}

void ccurl_note_tls_end(ccurl_transfer *transfer) {
    if (!ccurl_tls.openssl_shutdown) return;
    const struct ccurl_tls_session *session = ccurl_tls_session(transfer);
    if (!session || session->backend != ccurl_tls_openssl) return;
    transfer->lacks_tls_end = !(ccurl_tls.openssl_shutdown(session->internals) & received_close_notify);
}

#endif
