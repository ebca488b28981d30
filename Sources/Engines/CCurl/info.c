// The information of libcurl about a transfer.

#if CURL_ENGINE

#include "library.h"

#include <unistd.h>

enum {
    info_asked_url = 0x100000 + 1,
    info_owner = 0x100000 + 21,
    info_ca_file = 0x100000 + 61,
    info_address = 0x100000 + 32,
    info_status = 0x200000 + 2,
    info_proxy_status = 0x200000 + 22,
    info_system_error = 0x200000 + 25,
    info_connections = 0x200000 + 26,
    info_port = 0x200000 + 40,
    info_http_version = 0x200000 + 46,
    info_sent = 0x600000 + 7,
    info_received = 0x600000 + 8,
    info_used_proxy = 0x200000 + 66,
    info_content_length = 0x600000 + 15,
    info_total_time = 0x600000 + 50,
    info_name_lookup_time = 0x600000 + 51,
    info_connect_time = 0x600000 + 52,
    info_first_byte_time = 0x600000 + 54,
    info_secure_connection_time = 0x600000 + 56,
};

static long long_info(ccurl_transfer *transfer, int info) {
    long value = 0;
    return ccurl_lib.easy_getinfo(transfer->easy, info, &value) == 0 ? value : 0;
}

static int64_t size_info(ccurl_transfer *transfer, int info) {
    int64_t value = 0;
    return ccurl_lib.easy_getinfo(transfer->easy, info, &value) == 0 ? value : 0;
}

ccurl_transfer *ccurl_owner(void *easy) {
    ccurl_transfer *owner = NULL;
    return ccurl_lib.easy_getinfo(easy, info_owner, &owner) == 0 ? owner : NULL;
}

int64_t ccurl_content_length(ccurl_transfer *transfer) { return size_info(transfer, info_content_length); }

long ccurl_status(ccurl_transfer *transfer) { return long_info(transfer, info_status); }

const char *ccurl_missing_ca_file(void) {
    ccurl_enter();
    void *easy = ccurl_lib.easy_init();
    const char *path = NULL;
    if (easy && ccurl_lib.easy_getinfo(easy, info_ca_file, &path) != 0) path = NULL;
    // The text belongs to the library, and not to the handle.
    if (easy) ccurl_lib.easy_cleanup(easy);
    ccurl_leave();
    return path && *path && access(path, R_OK) != 0 ? path : NULL;
}

bool ccurl_is_reused(ccurl_transfer *transfer) { return long_info(transfer, info_connections) == 0; }

ccurl_counts ccurl_get_counts(ccurl_transfer *transfer) {
    int64_t sent = size_info(transfer, info_sent), taken = (int64_t)transfer->source_offset;
    return (ccurl_counts){
        // libcurl also counts the lines around chunks (at least in 7.88).
        .sent = transfer->is_produced && sent > taken ? taken : sent,
        .received = size_info(transfer, info_received),
        .announced = ccurl_content_length(transfer),
    };
}

ccurl_timings ccurl_get_timings(ccurl_transfer *transfer) {
    ccurl_timings timings = {
        .name_lookup = size_info(transfer, info_name_lookup_time),
        .connect = size_info(transfer, info_connect_time),
        .secure_connection = size_info(transfer, info_secure_connection_time),
        .first_byte = size_info(transfer, info_first_byte_time),
        .total = size_info(transfer, info_total_time),
        .connections = long_info(transfer, info_connections),
        .http_version = long_info(transfer, info_http_version),
        .port = long_info(transfer, info_port),
    };
    ccurl_lib.easy_getinfo(transfer->easy, info_address, &timings.address);
    return timings;
}

long ccurl_system_error(ccurl_transfer *transfer) { return long_info(transfer, info_system_error); }

long ccurl_proxy_status(ccurl_transfer *transfer) { return long_info(transfer, info_proxy_status); }

long ccurl_used_proxy(ccurl_transfer *transfer) {
    long value = -1;
    return ccurl_lib.easy_getinfo(transfer->easy, info_used_proxy, &value) == 0 ? value : -1;
}

const char *ccurl_asked_url(ccurl_transfer *transfer) {
    const char *url = NULL;
    return ccurl_lib.easy_getinfo(transfer->easy, info_asked_url, &url) == 0 ? url : NULL;
}

#endif
