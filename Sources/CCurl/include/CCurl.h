// What StartSmall uses of libcurl's ABI, in declarations of our own: no header of libcurl is needed to build, and its
// functions are found when the program runs. The ABI of libcurl.so.4 has been kept since 7.16.0 (2006).
//
// What takes a handle is for one thread at a time: the one that owns the handles. The rest is for any.

#ifndef CCURL_H
#define CCURL_H

#if defined(__linux__)

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct ccurl_easy ccurl_easy;
typedef struct ccurl_multi ccurl_multi;
typedef struct ccurl_list ccurl_list;

// MARK: the library

/// Why libcurl can't be used, or null if it can; the first call loads it, once for the process.
const char *_Nullable ccurl_unavailable(void);

/// Why a library of this name would not do, or null if it would; changes nothing.
const char *_Nullable ccurl_load_error(const char *library, char *text, size_t text_size);

/// The file of certificates that libcurl trusts where it is told of none, if it can't be read here; null if it can, or is
/// not known (before 7.84).
const char *_Nullable ccurl_missing_ca_file(void);

/// The version as 0xXXYYZZ, such as 0x075801 for 7.88.1.
uint32_t ccurl_version(void);

enum {
    ccurl_feature_http2 = 1 << 16,
};

/// What the library was built with, as bits.
uint32_t ccurl_features(void);

/// Whether payloads in these content codings can be decoded: gzip and deflate by zlib, br and zstd by their own libraries.
bool ccurl_decodes_gzip(void);
bool ccurl_decodes_brotli(void);
bool ccurl_decodes_zstd(void);

/// libcurl's words for a result.
const char *ccurl_result_text(int result);

// MARK: options
//
// The numbers are libcurl's: an option is a thousand of its kind and a number of its own. 0 is for a C long, 10000 for
// a pointer (text, list, any other), 20000 for a function, 30000 for 64 bits, 40000 for a blob. Texts are copied by
// libcurl, other pointers are not. Each kind is a type here, so that none can be taken for another.

typedef enum : int {
    ccurl_tls_version = 32,
    ccurl_no_progress = 43,
    ccurl_no_body = 44,
    ccurl_upload = 46,
    ccurl_post = 47,
    ccurl_follow_location = 52,
    ccurl_fresh_connect = 74,
    ccurl_forbid_reuse = 75,
    ccurl_http_get = 80,
    ccurl_http_version = 84,
    ccurl_buffer_size = 98,
    ccurl_no_signal = 99,
    ccurl_tcp_no_delay = 121,
    ccurl_connect_timeout_ms = 156,
    ccurl_protocols = 181,
    ccurl_redirect_protocols = 182,
    ccurl_path_as_is = 234,
    ccurl_pipe_wait = 237,
    ccurl_proxy_tls_version = 250,
    ccurl_suppress_connect_headers = 265,
    ccurl_quick_exit = 272,
    ccurl_disallow_user_in_url = 278,
    ccurl_http09_allowed = 285,
    ccurl_max_age_of_connection = 288,
    ccurl_max_lifetime_of_connection = 314,
} ccurl_long_option;

typedef enum : int {
    ccurl_url = 10002,
    ccurl_proxy = 10004,
    ccurl_client_certificate = 10025,
    ccurl_key_password = 10026,
    ccurl_custom_request = 10036,
    ccurl_interface = 10062,
    ccurl_ca_file = 10065,
    ccurl_client_certificate_type = 10086,
    ccurl_client_key = 10087,
    ccurl_ca_path = 10097,
    ccurl_no_proxy = 10177,
    ccurl_pinned_public_key = 10230,
    ccurl_unix_socket = 10231,
    ccurl_proxy_ca_file = 10246,
    ccurl_proxy_ca_path = 10247,
    ccurl_protocols_text = 10318,
    ccurl_redirect_protocols_text = 10319,
} ccurl_text_option;

enum { ccurl_ok = 0 };

enum { ccurl_tls_1_2 = 6, ccurl_tls_1_3 = 7 };
enum { ccurl_http_1_0 = 1, ccurl_http_1_1 = 2, ccurl_http_2 = 3, ccurl_http_3 = 30 };
enum { ccurl_http_2_over_tls = 4, ccurl_http_2_only = 5 };
enum { ccurl_protocol_http_and_https = 1 | 2 };

// MARK: bytes and transfers

typedef struct {
    char *_Nullable start;
    size_t count;
    size_t capacity;
} ccurl_bytes;

/// Why one of our callbacks ended a transfer.
typedef enum : int {
    ccurl_stop_none = 0,
    ccurl_stop_payload_limit,
    ccurl_stop_head_limit,
    ccurl_stop_memory,
    ccurl_stop_repetition,
    ccurl_stop_abandoned,
    ccurl_stop_source,
    ccurl_stop_framing,
    ccurl_stop_coding,
    ccurl_stop_stale_connection,
    ccurl_stop_answered,
} ccurl_stop;

typedef struct ccurl_transfer ccurl_transfer;
typedef struct ccurl_decoder ccurl_decoder;

/// Gives at most `room` bytes of the request's payload from an offset on; 0 at its end, SIZE_MAX if it can't.
typedef size_t (*ccurl_source)(void *context, uint64_t offset, char *bytes, size_t room);

/// What the owner of many transfers and their callbacks tell each other.
typedef struct {
    /// The owner's clock, which stands still during a round.
    int64_t now;

    /// The transfers that have something to be taken before they are over; to be asked by `ccurl_next_news`.
    ccurl_transfer *_Nullable news;

    /// The transfers that hold their sending.
    ccurl_transfer *_Nullable holding;

    /// Whether bytes came or went on a transfer that is heard.
    bool has_progress;

    /// How many transfers have no connection yet, and are waited for.
    size_t awaiting_connection;

    /// How many transfers are opening a connection.
    size_t connecting;
} ccurl_round;

/// An easy handle with what its callbacks fill, so that Swift is entered only when a transfer has something to give.
struct ccurl_transfer {
    ccurl_easy *easy;
    /// Where it is, or was last; null if it was nowhere.
    ccurl_multi *_Nullable multi;
    /// The owner's number for what the handle is doing.
    int64_t slot;

    /// The lines of all heads and of the trailers, as they came; at most `head_limit` bytes.
    ccurl_bytes head;
    size_t head_limit;

    /// What has come of the payload; at most `payload_limit` bytes, unless it is taken in parts.
    ccurl_bytes payload;
    size_t payload_limit;

    /// Whether a payload that comes in a content coding is decoded.
    bool undoes_codings;
    /// The method is HEAD: whatever the response says, it has no payload.
    bool is_head;
    /// The head of the response has been checked; what comes as a head behind it are trailers.
    bool has_checked_head;
    /// Only the end of the connection delimits the payload (RFC 9112 6.3).
    bool ends_by_close;
    /// TLS did not end with the connection, as far as is known.
    bool lacks_tls_end;
    /// What decodes the payload, or null if it comes as it is.
    ccurl_decoder *_Nullable decoder;
    /// How many bytes at the start of what libcurl gives next have been decoded, before the transfer paused.
    size_t decoded;

    /// With how many bytes of payload untaken the transfer pauses; 0 where no part is wanted, but the whole.
    size_t window;
    /// The response is a successful one, whose payload is taken in parts.
    bool is_in_parts;
    /// Nothing more is read until `ccurl_transfer_resume`.
    bool is_paused;
    /// Somebody wants to know of its head, though the payload is not taken in parts.
    bool tells_head;
    /// Somebody wants to know of its progress.
    bool wants_progress;
    bool has_news;
    ccurl_transfer *_Nullable next_news;

    /// What is sent: either `body`, or what `source` gives.
    ccurl_bytes body;
    ccurl_source _Nullable source;
    void *_Nullable source_context;
    uint64_t source_offset;

    ccurl_round *round;
    /// When something last came or went, by the owner's clock.
    int64_t moved_at;
    int64_t uploaded;
    int64_t downloaded;

    /// When this transfer began to connect, by the owner's clock; 0 while it waits in line for a connection.
    int64_t began_at;

    /// A name is being resolved, so that removing the handle could block until that is done (curl 8515).
    bool is_resolving;
    /// It has no connection yet, and is waited for.
    bool is_awaiting_connection;
    /// The request is being sent, on a connection.
    bool is_connected;
    /// The request may be sent a second time if a reused connection was closed before an answer (RFC 9110 9.2.2).
    bool may_repeat;
    /// Sending waits until what has arrived is read, which may be the answer.
    bool is_holding;
    ccurl_transfer *_Nullable next_holding;
    /// How many bytes of heads there were when sending last waited.
    size_t held_at;
    /// A connection without TLS carries the request, so that an answer before the end of an upload may be read from its
    /// receive queue when the connection is lost.
    bool may_answer_early;
    /// The bytes that were in the receive queue when the connection of an unanswered upload was closed.
    ccurl_bytes answer;
    /// How many bytes of requests this handle had sent before it used its connection, by libcurl's count.
    long request_bytes;
    /// The connection may be shared with other requests, if it speaks HTTP/2.
    bool may_share;
    /// The descriptor of the connection that the request is sent on, and which of its sockets; -1 if it is not known.
    int descriptor;
    uint32_t generation;
    /// The request begins anew on a new connection, as the one that libcurl chose could carry no more.
    bool is_on_new_connection;
    /// Whether options are set for this transfer alone, and are to be taken back.
    bool watches_excess;
    bool forbids_reuse;
    /// The request has been sent a second time, since its connection was given up before any answer.
    bool is_repeated;
    /// Nobody waits for the outcome any more.
    bool is_abandoned;
    ccurl_stop stop;
    /// Why `stop` was set, for the reasons that have words of their own.
    const char *_Nullable reason;
    /// The system's number for why the last socket could not be opened, or 0 if none failed to.
    int socket_error;

    /// How many milliseconds it may take to get a connection; 0 for no limit.
    int64_t connect_milliseconds;
    /// A connection is being opened for it.
    bool is_connecting;
    /// When the transfer was given to libcurl, by the owner's clock.
    int64_t added_at;

    char error[256];
};

/// A new handle with our callbacks, or null if there is no memory.
ccurl_transfer *_Nullable ccurl_transfer_create(ccurl_round *round);
void ccurl_transfer_free(ccurl_transfer *transfer);

/// Ready for another request: what came and went is forgotten, buffers larger than `keep` bytes are freed.
void ccurl_transfer_reset(ccurl_transfer *transfer, size_t keep);

/// Goes on with a transfer that has paused; a code other than 0 says that bytes are lost, and it can't.
int ccurl_transfer_resume(ccurl_transfer *transfer);

/// Whether a payload that has come to its end is a whole one of its content coding.
bool ccurl_payload_is_whole(ccurl_transfer *transfer);

/// Nothing of it is news any more: it is about to be taken away.
void ccurl_transfer_silence(ccurl_transfer *transfer);

/// A transfer in parts that has a head or payload to be taken; null if there is none.
ccurl_transfer *_Nullable ccurl_next_news(ccurl_round *round);

/// Gives the payload's memory away, no larger than it must be; to be freed with `free`.
char *_Nullable ccurl_take_payload(ccurl_transfer *transfer);

/// Forgets the payload and the method of the request before: what follows is a GET.
///
/// libcurl keeps `CURLOPT_POSTFIELDS` and the sizes when another method is chosen. From 7.81 to 8.5, an upload that is sent
/// a second time is not read anew while `CURLOPT_POSTFIELDS` is set, and is sent without its body; before 8.1, neither POST
/// nor HEAD ends an upload (CVE-2023-28322).
int ccurl_send_nothing(ccurl_transfer *transfer);

/// Copies these bytes to be sent with the head, with their count as Content-Length.
int ccurl_send_bytes(ccurl_transfer *transfer, const void *_Nullable bytes, size_t count);

/// Sends what a source gives, this many bytes.
int ccurl_send_source(ccurl_transfer *transfer, ccurl_source source, void *context, uint64_t count);

/// The header fields to send, which are not copied; null for none but libcurl's own.
int ccurl_set_fields(ccurl_transfer *transfer, ccurl_list *_Nullable fields);

int ccurl_set_long(ccurl_transfer *transfer, ccurl_long_option option, long value);
int ccurl_set_text(ccurl_transfer *transfer, ccurl_text_option option, const char *_Nullable value);

/// Gives libcurl its limit for the time until there is a connection, counted from now on.
///
/// Of several addresses of a host in one family, libcurl leaves a silent one when half of the time that is left is over
/// (7.81 to 8.23), so it has to know of a limit. Its own is an eighth longer than that of the owner, who ends the transfer
/// first: at its limit, libcurl before 7.87 waits for a name lookup, and all other transfers with it (curl 8515). To be
/// called again where a transfer has waited for a connection, which does not count.
void ccurl_transfer_expect_connection(ccurl_transfer *transfer);

/// Nobody waits for the outcome any more; what libcurl does until it can be taken away is not waited for.
void ccurl_transfer_abandon(ccurl_transfer *transfer);

/// The list with one more line, which is copied; null if there is no memory, and then the list is as it was.
ccurl_list *_Nullable ccurl_list_append(ccurl_list *_Nullable list, const char *line);
void ccurl_list_free(ccurl_list *_Nullable list);

/// Sends a request a second time, at most once, that may be, and whose connection the server gave up before an answer;
/// false if that is not so, and the result stands.
///
/// A request that was not sent, as its connection could carry no more, begins anew in any case.
bool ccurl_multi_repeat(ccurl_multi *multi, ccurl_transfer *transfer, int result);

/// Reads what had arrived when the connection of an upload was lost as the response; to be called once, before
/// `ccurl_multi_repeat`.
///
/// - Returns: 0 if it is a whole response. Otherwise the result as it was, and the transfer has what arrived of one.
int ccurl_read_answer(ccurl_transfer *transfer, int result);

/// EMFILE or ENFILE if this process can open no descriptor now, or else 0.
int ccurl_lack_of_descriptors(void);

/// The system's number for what went wrong, or 0; it may be that of an earlier transfer of this handle.
long ccurl_system_error(ccurl_transfer *transfer);

/// The status of a proxy's answer to CONNECT, or 0.
long ccurl_proxy_status(ccurl_transfer *transfer);

/// How many bytes of payload have come and gone on the wire, and how many are to come by Content-Length, or -1.
typedef struct {
    int64_t sent;
    int64_t received;
    int64_t announced;
} ccurl_counts;

ccurl_counts ccurl_get_counts(ccurl_transfer *transfer);

/// Where the time went, in microseconds since the transfer began, 0 for what did not take place; and what carried it.
typedef struct {
    int64_t name_lookup;
    int64_t connect;
    int64_t secure_connection;
    int64_t first_byte;
    int64_t total;
    /// How many connections were opened for it; 0 if one was there.
    long connections;
    /// A number of libcurl's own, as `ccurl_http_1_1`; 0 if there was no response.
    long http_version;
    long port;
    /// Valid until the handle is used again; null or empty if there is none.
    const char *_Nullable address;
} ccurl_timings;

ccurl_timings ccurl_get_timings(ccurl_transfer *transfer);

/// 1 if a proxy was asked, 0 if none was, -1 if this libcurl does not tell (before 8.7).
long ccurl_used_proxy(ccurl_transfer *transfer);

/// The URL that was asked for, or null; it lives as long as the handle is not used again.
const char *_Nullable ccurl_asked_url(ccurl_transfer *transfer);

// MARK: many transfers

typedef enum : int {
    ccurl_kept_connections = 6,
    ccurl_connections_per_host = 7,
    ccurl_connections_in_all = 13,
} ccurl_multi_option;

/// A new handle without transfers, or null if there is no memory; `watch` is told of its sockets.
ccurl_multi *_Nullable ccurl_multi_create(int watch);
int ccurl_multi_free(ccurl_multi *multi);
int ccurl_multi_set(ccurl_multi *multi, ccurl_multi_option option, long value);
int ccurl_multi_add(ccurl_multi *multi, ccurl_transfer *transfer);
int ccurl_multi_remove(ccurl_multi *multi, ccurl_transfer *transfer);

/// Does what can be done without waiting, as was heard and the time says.
///
/// To be called with all every 250 ms while a connection is being opened: libcurl's timer for leaving a silent address
/// may come a moment before its limit, and then libcurl does not look again until it gives up (7.88 at least).
///
/// With transfers that share a connection, all are looked at: libcurl does not tell of one that can go on since another
/// has read what was for it (7.88 at least), and would wait for ever.
int ccurl_multi_perform(ccurl_multi *multi, ccurl_round *round, bool all);

/// Milliseconds until libcurl has something to do, whatever the sockets say; -1 if it has not.
long ccurl_multi_time_left(ccurl_multi *multi);

/// Has connections closed that nobody has used for more than so many seconds, at least 1, when libcurl next does
/// something.
///
/// For when a connection may be made: where all that are allowed are in use, it would wait in line for one.
void ccurl_multi_sweep(ccurl_multi *multi, long seconds);

/// Tells whether a caller's thread drives the transfers now, while another waits.
void ccurl_multi_set_on_caller(ccurl_multi *multi, bool is_on_caller);

/// Takes what the last wait of this thread ended with, for `ccurl_multi_perform`.
void ccurl_multi_hear(ccurl_multi *multi);

/// A transfer that is over, with its result; null if there is none.
ccurl_transfer *_Nullable ccurl_multi_next_ended(ccurl_multi *multi, int *result);

const char *ccurl_multi_text(int code);

// MARK: the system

/// Nanoseconds of a clock that only goes forward.
int64_t ccurl_now(void);

/// Runs a function on a thread of its own, which nobody waits for and which takes no signals; 0, or why not.
int ccurl_start_thread(void (*body)(void *), void *context);

/// The signals that a thread took before.
typedef struct {
    uint64_t bits[16];
} ccurl_signals;

/// Has this thread take no signals but those of a crash, until they are let in again: so SIGPIPE, which OpenSSL may raise,
/// does not end the process, and a handler of the app's does not run in the middle of libcurl.
ccurl_signals ccurl_hold_signals(void);
void ccurl_release_signals(ccurl_signals before);

/// A descriptor that can be read after `ccurl_wake`, or -1; any thread may wake.
int ccurl_wake_create(void);
void ccurl_wake(int descriptor);
void ccurl_wake_free(int descriptor);

/// A descriptor that tells of sockets, and of wake-ups by `bell`, or -1.
int ccurl_watch_create(int bell);
void ccurl_watch_free(int watch);

/// Waits until something happens to a socket, someone wakes, or the time, which is not negative, is over; false if it can't.
///
/// Others may use the handle whose sockets these are meanwhile.
bool ccurl_wait(int watch, int bell, int milliseconds);

/// Whether the process is at its end, and libcurl may not be entered any more.
bool ccurl_is_exiting(void);

/// How often `fork` has made this process from another since libcurl was loaded; what was made before is of no use.
int32_t ccurl_forks(void);

#pragma clang assume_nonnull end

#endif
#endif
