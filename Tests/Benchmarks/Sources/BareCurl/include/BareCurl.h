// libcurl without StartSmall: the upper bound. A C program as one would write it by hand, with one thread, one multi
// handle, and one reused easy handle for each concurrent call.

#ifndef BARE_CURL_H
#define BARE_CURL_H

#include <stdbool.h>
#include <stddef.h>

/// Concurrent calls of one URL.
typedef struct bare_curl bare_curl;

/// Checks the payload of a call; returns 0 if it is wrong.
typedef int (*bare_curl_whole)(const char *payload, size_t count);

/// The result of a run; `calls` is negative if any call failed.
typedef struct {
    double seconds;
    long calls;
} bare_curl_figure;

/// A server as libcurl calls it.
typedef struct {
    const char *url;
    /// The file of the certificate to trust; null for a URL without TLS.
    const char *ca_file;
    /// Whether calls may share a connection by HTTP/2.
    bool multiplexes;
} bare_curl_server;

/// Returns null if libcurl can't be loaded, or `at_once` is too large; if `whole` is null, the payloads are not
/// checked.
bare_curl *bare_curl_open(bare_curl_server server, int at_once, bare_curl_whole whole);

/// GETs the URL until `seconds` are over; connections are kept for the next run.
bare_curl_figure bare_curl_run(bare_curl *bare, double seconds);

void bare_curl_close(bare_curl *bare);

#endif
