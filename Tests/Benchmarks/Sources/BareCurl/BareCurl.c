#include "BareCurl.h"

#if defined(__linux__)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_at_once = 1024, most_payload_bytes = 4096 };
enum { option_url = 10002, option_write = 20011, option_write_context = 10001, option_owner = 10103 };
enum { option_no_signal = 99, option_ca_file = 10065, option_wait_to_share = 237, option_http_version = 84 };
enum { http_1_1 = 2, info_owner = 0x100000 + 21, info_status = 0x200000 + 2 };

struct message {
    int kind;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
};

static struct {
    int (*global_init)(long);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *);
    int (*setopt)(void *, int, ...);
    int (*getinfo)(void *, int, ...);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *);
    int (*add)(void *, void *);
    int (*removed)(void *, void *);
    int (*perform)(void *, int *);
    int (*wait)(void *, void *, unsigned, int, int *);
    struct message *(*next_message)(void *, int *);
} curl;

static bool load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW);
    if (!library) return false;
    *(void **)&curl.global_init = dlsym(library, "curl_global_init");
    *(void **)&curl.easy_init = dlsym(library, "curl_easy_init");
    *(void **)&curl.easy_cleanup = dlsym(library, "curl_easy_cleanup");
    *(void **)&curl.setopt = dlsym(library, "curl_easy_setopt");
    *(void **)&curl.getinfo = dlsym(library, "curl_easy_getinfo");
    *(void **)&curl.multi_init = dlsym(library, "curl_multi_init");
    *(void **)&curl.multi_cleanup = dlsym(library, "curl_multi_cleanup");
    *(void **)&curl.add = dlsym(library, "curl_multi_add_handle");
    *(void **)&curl.removed = dlsym(library, "curl_multi_remove_handle");
    *(void **)&curl.perform = dlsym(library, "curl_multi_perform");
    *(void **)&curl.wait = dlsym(library, "curl_multi_poll");
    *(void **)&curl.next_message = dlsym(library, "curl_multi_info_read");
    return curl.global_init(3) == 0;
}

struct call {
    void *easy;
    size_t count;
    char payload[most_payload_bytes];
};

struct bare_curl {
    void *multi;
    bare_curl_whole whole;
    int at_once;
    struct call calls[];
};

static size_t keep(char *bytes, size_t one, size_t count, void *context) {
    struct call *call = context;
    size_t total = one * count;
    if (total > most_payload_bytes - call->count) return 0;
    memcpy(call->payload + call->count, bytes, total);
    call->count += total;
    return total;
}

bare_curl *bare_curl_open(bare_curl_server server, int at_once, bare_curl_whole whole) {
    if (at_once < 1 || at_once > most_at_once || !load()) return NULL;
    bare_curl *bare = calloc(1, sizeof *bare + (size_t)at_once * sizeof *bare->calls);
    if (!bare) return NULL;
    bare->multi = curl.multi_init();
    bare->whole = whole;
    bare->at_once = at_once;
    for (int index = 0; index < at_once; index++) {
        struct call *call = &bare->calls[index];
        call->easy = curl.easy_init();
        curl.setopt(call->easy, option_url, server.url);
        if (server.ca_file) curl.setopt(call->easy, option_ca_file, server.ca_file);
        if (server.ca_file && server.multiplexes) curl.setopt(call->easy, option_wait_to_share, 1L);
        if (!server.multiplexes) curl.setopt(call->easy, option_http_version, (long)http_1_1);
        curl.setopt(call->easy, option_no_signal, 1L);
        curl.setopt(call->easy, option_owner, call);
        curl.setopt(call->easy, option_write, keep);
        curl.setopt(call->easy, option_write_context, call);
    }
    return bare;
}

void bare_curl_close(bare_curl *bare) {
    for (int index = 0; index < bare->at_once; index++) curl.easy_cleanup(bare->calls[index].easy);
    curl.multi_cleanup(bare->multi);
    free(bare);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/// Returns whether an ended call delivered the expected response.
static bool is_good(bare_curl *bare, struct message *message, struct call *call) {
    long status = 0;
    curl.getinfo(message->easy, info_status, &status);
    if (message->data.result != 0 || status != 200 || call->count == 0) return false;
    return !bare->whole || bare->whole(call->payload, call->count);
}

bare_curl_figure bare_curl_run(bare_curl *bare, double seconds) {
    double start = now();
    long calls = 0;
    int busy = bare->at_once;
    bool failed = false;
    for (int index = 0; index < busy; index++) curl.add(bare->multi, bare->calls[index].easy);
    while (busy > 0) {
        int running, left;
        curl.perform(bare->multi, &running);
        struct message *message;
        while ((message = curl.next_message(bare->multi, &left))) {
            struct call *call = NULL;
            curl.getinfo(message->easy, info_owner, &call);
            failed = !is_good(bare, message, call) || failed;
            calls++;
            call->count = 0;
            curl.removed(bare->multi, call->easy);
            if (failed || now() - start > seconds) {
                busy--;
            } else {
                curl.add(bare->multi, call->easy);
            }
        }
        if (busy > 0) curl.wait(bare->multi, NULL, 0, 1000, NULL);
    }
    return (bare_curl_figure){.seconds = now() - start, .calls = failed ? -1 : calls};
}

#else

bare_curl *bare_curl_open(bare_curl_server server, int at_once, bare_curl_whole whole) {
    (void)server, (void)at_once, (void)whole;
    return NULL;
}

bare_curl_figure bare_curl_run(bare_curl *bare, double seconds) {
    (void)bare, (void)seconds;
    return (bare_curl_figure){.calls = -1};
}

void bare_curl_close(bare_curl *bare) { (void)bare; }

#endif
