// libcurl without anything of StartSmall: what there is to reach. A program in C as one would write it by hand, with one
// thread, one multi handle, and an easy handle for each call at a time, which are used again.

#ifndef BARE_CURL_H
#define BARE_CURL_H

/// GETs a URL `calls` times, `at_once` at a time; the seconds it took, or a negative number if anything failed.
double bare_curl_run(const char *url, int at_once, int calls);

#endif
