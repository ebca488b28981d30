#include "BareCurl.h"

#if defined(__linux__)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

struct message {
    int kind;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
};

enum { most_at_once = 1024 };
enum { option_url = 10002, option_write = 20011, option_write_context = 10001, option_header = 20079 };
enum { option_no_signal = 99 };

static size_t count_bytes(char *bytes, size_t one, size_t count, void *context) {
    (void)bytes;
    *(size_t *)context += one * count;
    return one * count;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double bare_curl_run(const char *url, int at_once, int calls) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW);
    if (!library || at_once < 1 || at_once > most_at_once) return -1;
    int (*global_init)(long);
    void *(*easy_init)(void), (*easy_cleanup)(void *);
    int (*setopt)(void *, int, ...);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *), (*add)(void *, void *), (*removed)(void *, void *);
    int (*perform)(void *, int *), (*wait)(void *, void *, unsigned, int, int *);
    struct message *(*next_message)(void *, int *);
    *(void **)&global_init = dlsym(library, "curl_global_init");
    *(void **)&easy_init = dlsym(library, "curl_easy_init");
    *(void **)&easy_cleanup = dlsym(library, "curl_easy_cleanup");
    *(void **)&setopt = dlsym(library, "curl_easy_setopt");
    *(void **)&multi_init = dlsym(library, "curl_multi_init");
    *(void **)&multi_cleanup = dlsym(library, "curl_multi_cleanup");
    *(void **)&add = dlsym(library, "curl_multi_add_handle");
    *(void **)&removed = dlsym(library, "curl_multi_remove_handle");
    *(void **)&perform = dlsym(library, "curl_multi_perform");
    *(void **)&wait = dlsym(library, "curl_multi_poll");
    *(void **)&next_message = dlsym(library, "curl_multi_info_read");
    global_init(3);

    void *multi = multi_init();
    void *easy[most_at_once];
    size_t bytes = 0;
    double start = now();
    int begun = 0, ended = 0, failed = 0;
    for (int index = 0; index < at_once; index++) {
        easy[index] = easy_init();
        setopt(easy[index], option_url, url);
        setopt(easy[index], option_no_signal, 1L);
        setopt(easy[index], option_write, count_bytes);
        setopt(easy[index], option_write_context, &bytes);
        if (begun < calls) {
            add(multi, easy[index]);
            begun++;
        }
    }
    while (ended < calls && !failed) {
        int running, left;
        perform(multi, &running);
        struct message *message;
        while ((message = next_message(multi, &left))) {
            if (message->kind != 1) continue;
            if (message->data.result != 0) failed = 1;
            ended++;
            void *one = message->easy;
            removed(multi, one);
            if (begun < calls) {
                add(multi, one);
                begun++;
            }
        }
        if (ended < calls && !failed) wait(multi, NULL, 0, 1000, NULL);
    }
    double seconds = now() - start;
    for (int index = 0; index < at_once; index++) {
        removed(multi, easy[index]);
        easy_cleanup(easy[index]);
    }
    multi_cleanup(multi);
    return failed || bytes == 0 ? -1 : seconds;
}

#else

double bare_curl_run(const char *url, int at_once, int calls) {
    (void)url, (void)at_once, (void)calls;
    return -1;
}

#endif
