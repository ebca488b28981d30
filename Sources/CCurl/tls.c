// What the TLS library knows of a connection, where it is OpenSSL or GnuTLS.

#if defined(__linux__)

#define _GNU_SOURCE
#include "library.h"

#include <dlfcn.h>
#include <string.h>

enum { info_tls_session = 0x400000 + 45 };

/// What `CURLINFO_TLS_SSL_PTR` gives: `struct curl_tlssessioninfo`.
struct session {
    int backend;
    void *internals;
};

enum { backend_openssl = 1, backend_gnutls = 2 };

/// The text of GnuTLS's `gnutls_datum_t`.
struct datum {
    const unsigned char *bytes;
    unsigned int count;
};

static int (*openssl_pending)(const void *session);
static void (*openssl_alpn)(const void *session, const unsigned char **bytes, unsigned int *count);
static size_t (*gnutls_pending)(void *session);
static int (*gnutls_alpn)(void *session, struct datum *protocol);

void ccurl_find_tls(void *library) {
    // Found where libcurl itself finds them, so that they are of the same library.
    *(void **)&openssl_pending = dlsym(library, "SSL_pending");
    *(void **)&openssl_alpn = dlsym(library, "SSL_get0_alpn_selected");
    *(void **)&gnutls_pending = dlsym(library, "gnutls_record_check_pending");
    *(void **)&gnutls_alpn = dlsym(library, "gnutls_alpn_get_selected_protocol");
}

/// The session of the connection that a transfer has now; null if it has no TLS.
static const struct session *session(ccurl_transfer *transfer) {
    struct session *session = NULL;
    if (ccurl_lib.easy_getinfo(transfer->easy, info_tls_session, &session) != ccurl_ok) return NULL;
    return session && session->internals ? session : NULL;
}

bool ccurl_has_tls(ccurl_transfer *transfer) { return session(transfer) != NULL; }

bool ccurl_has_unread(ccurl_transfer *transfer) {
    const struct session *tls = session(transfer);
    if (!tls) return false;
    if (tls->backend == backend_openssl && openssl_pending) return openssl_pending(tls->internals) > 0;
    if (tls->backend == backend_gnutls && gnutls_pending) return gnutls_pending(tls->internals) > 0;
    return false;
}

bool ccurl_is_multiplexed(ccurl_transfer *transfer) {
    const struct session *tls = session(transfer);
    // Without TLS, only connections that speak HTTP/2 from the first byte on are shared.
    if (!tls) return true;
    const unsigned char *protocol = NULL;
    unsigned int count = 0;
    if (tls->backend == backend_openssl && openssl_alpn) {
        openssl_alpn(tls->internals, &protocol, &count);
    } else if (tls->backend == backend_gnutls && gnutls_alpn) {
        struct datum datum = {0};
        if (gnutls_alpn(tls->internals, &datum) == 0) protocol = datum.bytes, count = datum.count;
    } else {
        // Another library: HTTP/2 goes on working, and HTTP/1.1 is as safe as libcurl is.
        return true;
    }
    return protocol && count == 2 && memcmp(protocol, "h2", 2) == 0;
}

#endif
