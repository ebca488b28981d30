// The functions of libcurl.

#if CURL_ENGINE

#define _GNU_SOURCE
#include "library.h"

#include <stdio.h>

struct ccurl_library ccurl_lib;

const char *ccurl_missing_function(void *library, struct ccurl_library *table) {
#define CCURL_FILL(result, name, parameters)                   \
    *(void **)&table->name = CCURL_FIND(library, curl_##name); \
    if (!table->name) return "curl_" #name;
    CCURL_FUNCTIONS(CCURL_FILL)
#undef CCURL_FILL
    return NULL;
}

void *ccurl_open_library(const char *library, struct ccurl_library *table, char *text, size_t size) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        const char *why = dlerror();
        snprintf(text, size, "%s", why ? why : library);
        return NULL;
    }
    const char *name = ccurl_missing_function(handle, table);
    if (!name) return handle;
    snprintf(text, size, "%s has no %s; libcurl 7.81 or later is needed", library, name);
    dlclose(handle);
    return NULL;
}

const char *ccurl_load_error(const char *library, char *text, size_t size) {
    struct ccurl_library table;
    void *handle = ccurl_open_library(library, &table, text, size);
    if (!handle) return text;
    dlclose(handle);
    return NULL;
}

uint32_t ccurl_version(void) { return ccurl_lib.version_info(0)->version_number; }

uint32_t ccurl_features(void) { return (uint32_t)ccurl_lib.version_info(0)->features; }

const char *ccurl_result_text(int result) { return ccurl_lib.easy_strerror(result); }

#endif
