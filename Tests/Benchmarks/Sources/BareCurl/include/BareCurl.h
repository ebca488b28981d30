// libcurl without anything of StartSmall: what there is to reach. A program in C as one would write it by hand, with one
// thread, one multi handle, and an easy handle for each call at a time, which are used again.

#ifndef BARE_CURL_H
#define BARE_CURL_H

#include <stddef.h>

/// CompositeCall of one URL, several at a time.
typedef struct bare_curl bare_curl;

/// Takes the payload of a call; 0 if it is not what it should be.
typedef int (*bare_curl_whole)(const char *payload, size_t count);

/// What came of a run; `calls` is negative if anything failed.
typedef struct {
    double seconds;
    long calls;
} bare_curl_figure;

/// Null if libcurl can't be loaded, or `at_once` is too many; `whole` may be null, and then payloads are counted only.
bare_curl *bare_curl_open(const char *url, int at_once, bare_curl_whole whole);

/// GETs the URL until `seconds` are over; connections are kept for the next run.
bare_curl_figure bare_curl_run(bare_curl *bare, double seconds);

void bare_curl_close(bare_curl *bare);

#endif
