// The functions of libcurl as they are found when the program runs; for the files of this target only.

#ifndef CCURL_LIBRARY_H
#define CCURL_LIBRARY_H

#include "CCurl.h"
#include "sockets.h"

#include <dlfcn.h>
#include <sys/socket.h>

/// A message of `curl_multi_info_read`.
struct ccurl_message {
    int kind;
    void *easy;
    union {
        void *whatever;
        int result;
    } data;
};

/// The beginning of `curl_version_info_data`, which only ever grows at its end.
struct ccurl_version_data {
    int age;
    const char *version;
    unsigned int version_number;
    const char *host;
    int features;
    const char *tls_version;
};

// Each function has the result and the parameters of the ABI. The three setters are variadic in the ABI, too.
#define CCURL_FUNCTIONS(FUNCTION)                                                                      \
    FUNCTION(int, global_init, (long flags))                                                           \
    FUNCTION(const struct ccurl_version_data *, version_info, (int age))                               \
    FUNCTION(void *, easy_init, (void))                                                                \
    FUNCTION(void, easy_cleanup, (void *easy))                                                         \
    FUNCTION(int, easy_setopt, (void *easy, int option, ...))                                          \
    FUNCTION(int, easy_getinfo, (void *easy, int info, ...))                                           \
    FUNCTION(int, easy_pause, (void *easy, int what))                                                  \
    FUNCTION(const char *, easy_strerror, (int result))                                                \
    FUNCTION(void *, slist_append, (void *list, const char *line))                                     \
    FUNCTION(void, slist_free_all, (void *list))                                                       \
    FUNCTION(void *, multi_init, (void))                                                               \
    FUNCTION(int, multi_cleanup, (void *multi))                                                        \
    FUNCTION(int, multi_setopt, (void *multi, int option, ...))                                        \
    FUNCTION(int, multi_add_handle, (void *multi, void *easy))                                         \
    FUNCTION(int, multi_remove_handle, (void *multi, void *easy))                                      \
    FUNCTION(int, multi_socket_action, (void *multi, int descriptor, int events, int *running))        \
    FUNCTION(int, multi_socket_all, (void *multi, int *running))                                       \
    FUNCTION(int, multi_timeout, (void *multi, long *ms))                                              \
    FUNCTION(struct ccurl_message *, multi_info_read, (void *multi, int *left))                        \
    FUNCTION(const char *, multi_strerror, (int code))

struct ccurl_library {
#define CCURL_FIELD(result, name, parameters) result(*name) parameters;
    CCURL_FUNCTIONS(CCURL_FIELD)
#undef CCURL_FIELD
};

/// The function of this name in a library, or in one that it was linked with; null if there is none.
///
/// If `library` is null, it is the function that the program has itself: a weak reference, which may be undefined.
#define CCURL_FIND(library, name)                         \
    ({                                                    \
        extern void name(void) __attribute__((weak));     \
        (library) ? dlsym(library, #name) : (void *)name; \
    })

/// The library; valid only after `ccurl_unavailable` has returned null.
extern struct ccurl_library ccurl_lib;

/// Fills the table from a library, or from the program if `library` is null; returns the name of the first missing
/// function, or null.
const char *ccurl_missing_function(void *library, struct ccurl_library *table);

/// Opens a library and fills a table from it; returns null, with the reason in `text`, if that fails.
void *ccurl_open_library(const char *library, struct ccurl_library *table, char *text, size_t size);

/// The most requests of one call, whatever the server does: 2. libcurl itself sends up to six on HTTP/2
/// (`CONN_MAX_RETRIES` in lib/transfer.c, 7.81 to 8.23).
enum { ccurl_most_attempts = 2 };

/// The number of marks that a multi handle keeps: few enough that their memory does not matter.
enum { ccurl_marked_origins = 256 };

/// A multi handle, and the sockets that it waits for.
struct ccurl_multi {
    void *handle;
    struct ccurl_sockets sockets;

    /// The most connections to one host, and in all.
    long connections_per_host;
    long connections_in_all;

    /// The events of the last wait, for libcurl to process.
    struct ccurl_socket_event events[ccurl_sockets_at_once];
    int event_count;

    /// Whether transfers share a connection whose socket is not known, so that any event may be for all of them.
    bool has_unknown_shared;

    /// Whether all transfers are to be checked without an event: one that may share its connection continues after a
    /// pause, or may have been forgotten by libcurl.
    bool must_check_shared;

    /// Whether a transfer was added, and did not begin yet.
    bool has_added;

    /// Whether a part of a response has arrived on a shared connection since the last check began.
    bool has_shared_answer;

    /// The transfers that libcurl has, in any order.
    ccurl_transfer *first;

    /// The marks of origins, by the rest of the origin's number; origins may share a mark.
    uint8_t marks[ccurl_marked_origins];

    /// Whether silent connections are to be closed, as their hosts may have no other ones.
    bool has_replaced;
};

/// Ends a transfer for a reason that has an explanation, or for one that has none; returns false.
static inline bool ccurl_end_transfer(ccurl_transfer *transfer, ccurl_stop stop, const char *reason) {
    transfer->stop = stop;
    transfer->reason = reason;
    return false;
}

/// Changes the phase of a transfer, and counts the transfers that are opening a connection.
static inline void ccurl_set_phase(ccurl_transfer *transfer, ccurl_phase phase) {
    if (transfer->phase == ccurl_phase_connecting) transfer->round->connecting--;
    if (phase == ccurl_phase_connecting) transfer->round->connecting++;
    transfer->phase = phase;
}

/// Whether the server has answered a request that asked to continue with 417, and libcurl sends it again.
static inline bool ccurl_has_failed_expectation(const ccurl_transfer *transfer) {
    return transfer->expectation >= ccurl_expectation_failed;
}

/// Returns the transfer of an easy handle.
ccurl_transfer *ccurl_owner(void *easy);

/// Returns the value of `Content-Length`; -1 if it is missing.
int64_t ccurl_content_length(ccurl_transfer *transfer);

/// Returns the status of the last head as libcurl has read it, or 0.
long ccurl_status(ccurl_transfer *transfer);

/// Whether a transfer, until now, opened no connection.
bool ccurl_is_reused(ccurl_transfer *transfer);

/// The two ends of a connection, as libcurl names them; a port below 1 is unknown.
struct ccurl_ends {
    const char *their_address;
    int their_port;
    int our_port;
};

/// Notes that a transfer is about to send a request on a connection; false if the connection can carry no more.
bool ccurl_begin_on_connection(ccurl_transfer *transfer, const struct ccurl_ends *ends);

/// Whether a shared connection owes an answer, and nothing has arrived on it for too long, so that the transfer may not
/// use it: see silence.c.
bool ccurl_is_silent(ccurl_transfer *transfer, int descriptor, struct ccurl_socket *socket);

/// Makes libcurl share no silent connection with a transfer that is about to be added.
void ccurl_choose_mark(ccurl_transfer *transfer);

/// Returns the socket of a transfer; null if it is not known.
struct ccurl_socket *ccurl_socket_of(ccurl_transfer *transfer);

/// Notes that a request is about to use a connection.
void ccurl_note_request(ccurl_round *round, int descriptor, struct ccurl_socket *socket);

/// Makes libcurl close the connection of a transfer at the end of the transfer, unless others use the connection.
void ccurl_close_after(ccurl_transfer *transfer);

/// Notes that the connection of a transfer has answered.
void ccurl_note_answer(ccurl_transfer *transfer);

/// Whether the connection of a running upload has bytes to be read; false for a shared connection.
bool ccurl_has_answer(ccurl_transfer *transfer);

/// Resumes the sending of transfers that are to check whether they can go on; unless `only_starved` is true, also of
/// those that hold their sending.
void ccurl_release_holding(ccurl_round *round, bool only_starved);

/// Whether libcurl waits for bytes on the connection of a transfer, or may do so on a shared one.
bool ccurl_is_reading(ccurl_transfer *transfer);

/// Stops a transfer whose payload is produced, and to which nothing more can be received; returns whether it is one.
bool ccurl_stop_if_answered(ccurl_transfer *transfer);

/// Stops a transfer whose upload a complete response on a shared connection refuses; returns whether it did.
bool ccurl_stop_if_refused(ccurl_transfer *transfer);

/// Notes whether libcurl's words say that the stream of a transfer was not processed.
void ccurl_note_refusal(ccurl_transfer *transfer, const char *text, size_t count);

/// Notes that libcurl does not read from the connection of a transfer, or of none, any more.
void ccurl_note_unread(ccurl_transfer *transfer);

/// Notes that a transfer is over, or has left its connection.
void ccurl_end_on_connection(ccurl_transfer *transfer);

/// `struct curl_sockaddr`, up to the address, which has `size` bytes.
struct ccurl_socket_address {
    int family;
    int type;
    int protocol;
    unsigned int size;
    struct sockaddr address;
};

/// Whether a transfer may open a connection to an address; if not, the address is noted as refused.
bool ccurl_may_connect(ccurl_transfer *transfer, const struct ccurl_socket_address *address);

/// Whether a transfer may send its request to the address that libcurl reports; if not, the address is noted as refused.
bool ccurl_may_use(ccurl_transfer *transfer, const char *text);

/// Forgets the addresses that were refused or allowed.
void ccurl_forget_addresses(ccurl_transfer *transfer);

/// Clears a wake-up, so that the next one is noticed.
void ccurl_wake_clear(int descriptor);

/// Enters libcurl: until `ccurl_leave`, the process does not end, so that the libraries are not cleaned up meanwhile.
void ccurl_enter(void);
void ccurl_leave(void);

/// Makes the end of the process wait for `ccurl_leave`.
void ccurl_guard_exit(void);

// MARK: the TLS library that libcurl uses, if it is OpenSSL or GnuTLS

/// Finds the functions of the TLS library through libcurl, so that they are of the library that libcurl uses.
void ccurl_load_tls(void *libcurl, const char *tls_version);

/// Whether the TLS library holds unread bytes of a transfer's connection.
bool ccurl_has_unread(ccurl_transfer *transfer);

/// The protocol that the ends of a connection chose in the handshake of TLS (ALPN, RFC 7301).
enum ccurl_protocol {
    /// Without TLS, where only connections that speak HTTP/2 from the first byte on are shared; or a TLS library whose
    /// functions are not known here, with which HTTP/2 still works, and HTTP/1.1 is as safe as libcurl.
    ccurl_protocol_unknown,
    ccurl_protocol_http1,
    ccurl_protocol_http2,
    ccurl_protocol_http3,
};

/// Returns the protocol of a transfer's connection.
enum ccurl_protocol ccurl_protocol(ccurl_transfer *transfer);

/// Makes the end of a TLS connection without `close_notify` an error.
void ccurl_demand_tls_end(void *easy);

/// Starts to check the end of TLS, from the head of a response whose payload only the end of the connection delimits.
void ccurl_watch_tls_end(ccurl_transfer *transfer);

/// Checks whether TLS has ended, as long as the transfer has its connection.
void ccurl_note_tls_end(ccurl_transfer *transfer);

#endif
