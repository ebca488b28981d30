// The closing of connections that were unused for long, while other connections are in use.
//
// libcurl looks for them only when a transfer asks for a connection. Therefore, a transfer asks here, and gets no
// socket.

#if defined(__linux__)

#include "library.h"

static int on_socket(void *context, int purpose, void *address) {
    (void)context, (void)purpose, (void)address;
    return -1;
}

static void *make(void) {
    void *easy = ccurl_lib.easy_init();
    if (!easy) return NULL;
    ccurl_lib.easy_setopt(easy, ccurl_no_signal, 1L);
    ccurl_lib.easy_setopt(easy, ccurl_option_socket, on_socket);
    // There is no name to look up, neither of the host nor of a proxy.
    ccurl_lib.easy_setopt(easy, ccurl_url, "http://127.0.0.1:1/");
    ccurl_lib.easy_setopt(easy, ccurl_proxy, "");
    return easy;
}

void ccurl_multi_sweep(ccurl_multi *multi, long seconds) {
    ccurl_enter();
    if (multi->idle_handle)
        ccurl_lib.multi_remove_handle(multi->handle, multi->idle_handle);
    else
        multi->idle_handle = make();
    if (multi->idle_handle) {
        ccurl_lib.easy_setopt(multi->idle_handle, ccurl_max_age_of_connection, seconds > 0 ? seconds : 1L);
        ccurl_lib.multi_add_handle(multi->handle, multi->idle_handle);
    }
    ccurl_leave();
}

void ccurl_idle_connections_free(ccurl_multi *multi) {
    if (!multi->idle_handle) return;
    ccurl_lib.multi_remove_handle(multi->handle, multi->idle_handle);
    ccurl_lib.easy_cleanup(multi->idle_handle);
    multi->idle_handle = NULL;
}

#endif
