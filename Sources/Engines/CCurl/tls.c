// The information of the TLS library about a connection, if it is OpenSSL or GnuTLS.

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

#endif
