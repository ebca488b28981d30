// The choice of libcurl, once: that of the program, if the program contains libcurl or was linked with it. Otherwise, the
// library of the system is loaded.

#if CURL_ENGINE

#define _GNU_SOURCE
#include "coding.h"
#include "library.h"

#include <pthread.h>
#include <stdio.h>

static const char *unavailable = "libcurl was not loaded";
static char unavailable_text[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/// Returns the library that a function is in; null if that is the program itself.
static void *library_of(void *function) {
    Dl_info info;
    return dladdr(function, &info) ? dlopen(info.dli_fname, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD) : NULL;
}

/// Prevents OpenSSL from cleaning up at the end of the process, while threads still use it.
///
/// The option is OPENSSL_INIT_NO_ATEXIT (openssl/crypto.h). It has no effect if the program has used OpenSSL before.
static void keep_openssl(void *handle) {
    int (*init)(uint64_t, const void *) = NULL;
    *(void **)&init = CCURL_FIND(handle, OPENSSL_init_crypto);
    if (init) init(0x00080000, NULL);
}

/// Fills the table, and sets the library, which is null if the program contains libcurl; false if there is none.
static bool find_libcurl(void **handle) {
    if (!ccurl_missing_function(NULL, &ccurl_lib)) {
        *handle = library_of((void *)ccurl_lib.global_init);
        return true;
    }
    char first[200], second[200];
    *handle = ccurl_open_library("libcurl.so.4", &ccurl_lib, first, sizeof first);
    if (!*handle) *handle = ccurl_open_library("libcurl-gnutls.so.4", &ccurl_lib, second, sizeof second);
    if (*handle) return true;
    snprintf(unavailable_text, sizeof unavailable_text, "libcurl can't be loaded: %s; %s", first, second);
    unavailable = unavailable_text;
    return false;
}

static void load(void) {
    void *handle;
    if (!find_libcurl(&handle)) return;
    keep_openssl(handle);
    int result = ccurl_lib.global_init(3);
    if (result != 0) {
        snprintf(unavailable_text, sizeof unavailable_text, "curl_global_init: %s", ccurl_lib.easy_strerror(result));
        unavailable = unavailable_text;
        return;
    }
    ccurl_load_codings(handle);
    ccurl_load_tls(handle, ccurl_lib.version_info(0)->tls_version);
    // The handler is registered after curl_global_init, so that it is called before the handlers that curl_global_init
    // has registered.
    ccurl_guard_exit();
    unavailable = NULL;
}

const char *ccurl_unavailable(void) {
    pthread_once(&once, load);
    return unavailable;
}

#endif
