// The limit of name lookups, which go on when their transfers end.
//
// The system ends no lookup early. A transfer that ends during its lookup is removed at once, so that it holds no
// connection, and the lookup goes on, with a thread and two descriptors. While a name server is down, each transfer
// leaves another lookup:
//
// - libcurl 8.20 and later limits its threads, and removes a lookup that has not begun with its transfer. Its default
//   of 20 threads is too low here: each name takes two, so that ten names without an answer delay all others.
// - Earlier versions start a thread for each lookup. Therefore, the owner counts those of ended transfers, and a
//   transfer fails instead of beginning one too many (`may_not_look_up`).

#if CURL_ENGINE

#include "library.h"

#include <sys/resource.h>

/// The most threads: a quarter of what a service of systemd may start by default (`TasksMax`, 4,915).
enum { most_lookups = 1024 };

long ccurl_lookup_limit(void) {
    struct rlimit descriptors;
    if (getrlimit(RLIMIT_NOFILE, &descriptors) != 0) return most_lookups;
    // Half of the descriptors, two for each lookup, so that connections have the rest.
    rlim_t limit = descriptors.rlim_cur / 4;
    return limit < 1 ? 1 : limit < most_lookups ? (long)limit : most_lookups;
}

bool ccurl_limits_lookups(uint32_t version) { return version >= 0x081400; }

bool ccurl_waits_for_lookup(uint32_t version) { return version < 0x075700; }

#endif
