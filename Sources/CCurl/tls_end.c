// How a TLS connection ends.
//
// Where only the end of the connection delimits a payload, anybody on the way could cut it off: RFC 9112 9.8 has a
// connection that ends without `close_notify` be an incomplete response. GnuTLS makes that an error. With OpenSSL, libcurl
// takes it for an end like any other: it tells OpenSSL 3 to do so (SSL_OP_IGNORE_UNEXPECTED_EOF), and from 7.87 on it hides
// the end from OpenSSL anyway. So the option is cleared, and OpenSSL is asked what it has received.

#if defined(__linux__)

#define _GNU_SOURCE
#include "coding.h"
#include "library.h"

#include <dlfcn.h>
#include <string.h>

enum { option_tls_context = 20108 };

/// SSL_OP_IGNORE_UNEXPECTED_EOF of openssl/ssl.h, since 3.0.
static const uint64_t ignore_unexpected_end = 1 << 7;

enum { option_no_progress = 43, info_tls_session = 0x400000 + 45 };

/// `curl_tlssessioninfo` of curl.h; 1 is for OpenSSL, whose `SSL` is in `internals`.
struct tls_session {
    int backend;
    void *internals;
};

enum { backend_openssl = 1 };

/// SSL_RECEIVED_SHUTDOWN of openssl/ssl.h.
enum { received_close_notify = 2 };

static uint64_t (*clear_options)(void *context, uint64_t options);
static int (*get_shutdown)(const void *tls);

void ccurl_load_tls(void *libcurl, const char *tls_version) {
    // Another library's context is another structure.
    const char *name = "OpenSSL/";
    if (!tls_version || strncmp(tls_version, name, strlen(name)) != 0) return;
    *(void **)&get_shutdown = dlsym(libcurl, "SSL_get_shutdown");
    // Before 3.0, there is no such option.
    char major = tls_version[strlen(name)];
    if (major >= '3' && major <= '9') *(void **)&clear_options = dlsym(libcurl, "SSL_CTX_clear_options");
}

static int on_tls_context(void *easy, void *tls_context, void *unused) {
    (void)easy, (void)unused;
    clear_options(tls_context, ignore_unexpected_end);
    return 0;
}

void ccurl_demand_tls_end(void *easy) {
    if (clear_options) ccurl_lib.easy_setopt(easy, option_tls_context, on_tls_context);
}

void ccurl_watch_tls_end(ccurl_transfer *transfer) {
    if (!get_shutdown || !transfer->ends_by_close) return;
    // libcurl tells of progress a last time when all has been read, and before it takes the connection away.
    ccurl_lib.easy_setopt(transfer->easy, option_no_progress, 0L);
    ccurl_note_tls_end(transfer);
}

void ccurl_note_tls_end(ccurl_transfer *transfer) {
    struct tls_session *session = NULL;
    if (!get_shutdown || ccurl_lib.easy_getinfo(transfer->easy, info_tls_session, &session) != ccurl_ok) return;
    if (!session || session->backend != backend_openssl || !session->internals) return;
    transfer->lacks_tls_end = !(get_shutdown(session->internals) & received_close_notify);
}

#endif
