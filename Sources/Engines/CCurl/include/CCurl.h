// The part of libcurl's ABI that StartSmall uses, in its own declarations: the build needs no header of libcurl, and
// the functions are found when the program runs. The ABI of libcurl.so.4 has been kept since 7.16.0 (2006).
//
// Functions that take a handle are for one thread at a time: the thread that owns the handles. All other functions are
// for any thread.

#ifndef CCURL_H
#define CCURL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct ccurl_easy ccurl_easy;
typedef struct ccurl_multi ccurl_multi;
typedef struct ccurl_list ccurl_list;

// MARK: the library

/// Returns the reason why libcurl can't be used, or null if it can; the first call loads libcurl, once for the process.
const char *_Nullable ccurl_unavailable(void);

/// Returns the reason why a library of this name is not suitable, or null if it is; changes nothing.
const char *_Nullable ccurl_load_error(const char *library, char *text, size_t text_size);

/// Returns the file of certificates that libcurl trusts by default, if the file can't be read here.
///
/// The result is null if the file can be read, or is not known (before 7.84).
const char *_Nullable ccurl_missing_ca_file(void);

/// Returns the version as 0xXXYYZZ, such as 0x075801 for 7.88.1.
uint32_t ccurl_version(void);

enum {
    ccurl_feature_http2 = 1 << 16,
    ccurl_feature_http3 = 1 << 25,
};

/// Returns the features that the library was built with, as bits.
uint32_t ccurl_features(void);

/// Whether payloads in this content coding can be decoded: gzip and deflate by zlib, br and zstd by their libraries.
bool ccurl_decodes(const char *coding);

/// Returns the message of libcurl for a result.
const char *ccurl_result_text(int result);

// MARK: options
//
// The numbers are libcurl's: an option is a multiple of 10000 for its kind plus a number. 0 is for a C long, 10000 for
// a pointer (text, list, any other), 20000 for a function, 30000 for 64 bits, 40000 for a blob. libcurl copies texts,
// but no other pointers. Each kind is a type here, so that no kind can be confused with another.

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
    ccurl_tcp_keep_alive = 213,
    ccurl_tcp_keep_alive_idle = 214,
    ccurl_tcp_keep_alive_interval = 215,
    ccurl_path_as_is = 234,
    ccurl_pipe_wait = 237,
    ccurl_proxy_tls_version = 250,
    ccurl_suppress_connect_headers = 265,
    ccurl_disallow_user_in_url = 278,
    ccurl_http09_allowed = 285,
    ccurl_max_age_of_connection = 288,
    ccurl_max_lifetime_of_connection = 314,
    ccurl_quick_exit = 322,
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

/// The reason why a callback of this library ended a transfer.
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
    /// The response is complete, or the rest of it is not needed: the transfer has succeeded.
    ccurl_stop_whole,
    /// Nothing more can be received, and the response is not complete.
    ccurl_stop_unread,
    ccurl_stop_address,
    ccurl_stop_lookup,
} ccurl_stop;

/// The way of a request to its connection.
typedef enum : int {
    /// The transfer waits for a connection, or to open one.
    ccurl_phase_waiting = 0,
    /// A connection is being opened for the transfer.
    ccurl_phase_connecting,
    /// The request is being sent, on a connection, or was.
    ccurl_phase_connected,
} ccurl_phase;

/// The state of `Expect: 100-continue` (RFC 9110 10.1.1), which libcurl sends of its own: a field of the list of fields
/// would be sent again after each 417.
typedef enum : int {
    ccurl_expectation_none = 0,
    ccurl_expectation_sent,
    /// The server has answered with 417.
    ccurl_expectation_failed,
    /// libcurl sends the request again, without the field; the handle asks for no other transfer.
    ccurl_expectation_dropped,
} ccurl_expectation;

/// The end of a payload (RFC 9112 6.3).
typedef enum : int {
    ccurl_end_framed = 0,
    /// Only the end of the connection delimits the payload.
    ccurl_end_by_close,
    /// The same, and TLS did not end before the connection, as far as is known.
    ccurl_end_without_tls,
} ccurl_end;

/// An address of a host.
typedef struct {
    /// The number of bytes: 4 for IPv4, 16 for IPv6, and 0 for any other kind of address, or for none.
    uint8_t count;
    /// The bytes in network order.
    uint8_t bytes[16];
    /// The number of the zone of an IPv6 address (RFC 4007 6); 0 for none.
    uint32_t zone;
} ccurl_address;

/// Returns whether a connection to an address may be made, or used again.
typedef bool (*ccurl_address_check)(const void *context, const ccurl_address *address);

typedef struct ccurl_transfer ccurl_transfer;
typedef struct ccurl_decoder ccurl_decoder;

/// Writes at most `room` bytes of the request's payload from an offset on.
///
/// - Returns: The number of bytes; 0 at the end of the payload, `ccurl_source_pending` if there are none yet, and any
///   other number above `room` if the payload can't be read.
typedef size_t (*ccurl_source)(void *context, uint64_t offset, char *bytes, size_t room);

/// The number of bytes that means that a source has none yet: the sending pauses until `ccurl_transfer_resume_sending`.
static const size_t ccurl_source_pending = PTRDIFF_MAX - 1;

/// The state that the owner of many transfers shares with their callbacks.
typedef struct {
    /// The time by the owner's clock, which does not change during an iteration.
    int64_t now;

    /// The transfers with news for their owner before they are over, for `ccurl_next_ready`.
    ccurl_transfer *_Nullable ready;

    /// The transfers that hold their sending.
    ccurl_transfer *_Nullable holding;

    /// Whether bytes were sent or received on a transfer with listeners.
    bool has_progress;

    /// The number of transfers that are opening a connection.
    size_t connecting;

    /// The check of each address, and its context; null if all addresses are allowed.
    ccurl_address_check _Nullable allows;
    const void *_Nullable allows_context;

    /// The time without a byte after which a shared connection that owes an answer gets no other request.
    int64_t silence;
} ccurl_round;

/// The lists that a transfer may be in: those of its multi handle and of its round.
enum { ccurl_running, ccurl_ready, ccurl_holding, ccurl_list_kinds };

/// The next transfer of a list, and the pointer to this one; null if the transfer is not in the list.
typedef struct {
    ccurl_transfer *_Nullable next;
    ccurl_transfer *_Nullable *_Nullable place;
} ccurl_link;

/// What is known of a response; cleared before another attempt to send the request.
typedef struct {
    /// The status of the last head that was checked.
    long status;
    /// The index of the last head in the bytes of all heads: those of 1xx precede the others.
    size_t head_start;
    /// Whether the head of the response has been checked; a head after it consists of trailers.
    bool has_checked_head;
    ccurl_end end;
    /// The decoder of the payload, or null if the payload is not decoded.
    ccurl_decoder *_Nullable decoder;
    /// The number of bytes at the start of libcurl's next part that have been decoded, before the transfer paused.
    size_t decoded;
    /// The number of bytes of the payload that have arrived, before decoding.
    int64_t arrived;
    /// The length of a payload whose end libcurl does not know; -1 for all other ones.
    int64_t counted;
    /// The time at which the head of a redirect that the owner follows arrived, by the owner's clock; 0 for none.
    int64_t redirected_at;
} ccurl_response;

/// An easy handle with the data of its callbacks.
///
/// Swift is called only when a transfer has something to deliver.
struct ccurl_transfer {
    ccurl_easy *easy;
    /// The multi handle that has the transfer, or had it last; null if there was none.
    ccurl_multi *_Nullable multi;
    ccurl_round *round;
    ccurl_link links[ccurl_list_kinds];
    /// The mark of the connections that the transfer may share; a property of the handle's options.
    uint8_t mark;
    /// Whether each transfer of this handle opens a connection of its own, by its options.
    bool is_unshared;

    // MARK: the call, as its owner describes it

    /// The owner's number for the current call of the handle.
    int64_t slot;
    /// The owner's number for the origin of the request.
    uint64_t origin;
    /// Whether the method is HEAD: the response has no payload, regardless of its header.
    bool is_head;
    /// Whether a payload in a content coding is decoded.
    bool decodes_payload;
    /// Whether a listener observes the progress.
    bool wants_progress;
    /// Whether the request may be sent again if a reused connection was closed before an answer (RFC 9110 9.2.2).
    bool may_repeat;
    /// Whether the connection may be shared with other requests, if it speaks HTTP/2.
    bool may_share;
    /// Whether no name may be looked up for the transfer: see `ccurl_lookup_limit`.
    bool may_not_look_up;
    /// The time limit for a connection in milliseconds; 0 for no limit.
    int64_t connect_milliseconds;
    /// The number of untaken bytes of payload at which the transfer pauses; 0 if the payload is not taken in parts.
    size_t window;
    /// The `window` for a response outside of 2xx, whose payload is taken in parts even if that of 2xx is not; or 0.
    size_t error_window;
    /// The most bytes to keep of the payload of a redirect that the owner follows; SIZE_MAX if it follows none.
    size_t redirect_limit;

    /// The lines of all heads and of the trailers, as they arrived; at most `head_limit` bytes.
    ccurl_bytes head;
    size_t head_limit;
    /// The received payload; at most `payload_limit` bytes, unless it is taken in parts.
    ccurl_bytes payload;
    size_t payload_limit;

    /// The payload to send: either `body`, or the bytes of `source`.
    ccurl_bytes body;
    ccurl_source _Nullable source;
    void *_Nullable source_context;
    uint64_t source_offset;
    /// The number of bytes of `source`; -1 if it is not known.
    int64_t source_count;
    /// Whether the source is produced while it is sent, so that its bytes may be pending.
    bool is_produced;

    // MARK: the transfer

    ccurl_response response;
    ccurl_phase phase;
    ccurl_expectation expectation;
    ccurl_stop stop;
    /// The explanation of `stop`, for the reasons that have one.
    const char *_Nullable reason;
    /// Whether a name is being resolved, so that removing the handle could block until that is done (curl 8515).
    bool is_resolving;
    /// Whether reading is paused until `ccurl_transfer_resume`.
    bool is_paused;
    /// Whether sending is paused until the source has bytes again.
    bool is_starved;
    /// Whether nothing more can be received, though the request is not complete.
    bool is_unread;
    /// Whether the connection is shared: HTTP/2 or HTTP/3; false until it is chosen.
    bool is_multiplexed;
    /// Whether the request starts over on a new connection, as libcurl had chosen one that could carry no more.
    bool is_on_new_connection;
    /// Whether options are set for this transfer alone, and have to be reset.
    bool is_verbose;
    bool forbids_reuse;
    /// Whether the server has said that it did not process the last attempt: see `ccurl_note_refusal`.
    bool is_refused;
    /// The number of attempts to send the request: at most `ccurl_most_attempts`.
    int attempts;
    /// The number of the stream of a request that must not be sent twice; 0 if it is not known.
    unsigned int stream;
    /// The number of bytes of heads when sending last waited.
    size_t held_at;
    /// The descriptor of the request's connection, and the generation of its socket; -1 if it is not known.
    int descriptor;
    uint32_t generation;
    /// The time from which on the connection carries no other request, by the owner's clock; 0 for no limit.
    int64_t kept_until;

    /// The times by the owner's clock: when the transfer was added to libcurl, began to connect, had waited for a
    /// connection, or to open one (0 while it waits), and last sent or received a byte.
    int64_t added_at;
    int64_t began_at;
    int64_t waited_until;
    int64_t moved_at;
    int64_t uploaded;
    int64_t downloaded;

    /// The first address that the check refused, if it refused one.
    ccurl_address refused;
    bool has_refused;
    /// Whether the check allowed an address for a new connection.
    bool has_allowed;
    /// The system's error number of the last socket that could not be opened, or 0 if none failed.
    int socket_error;
    char error[256];
};

/// Creates a handle with the callbacks of this library; null if there is no memory.
ccurl_transfer *_Nullable ccurl_transfer_create(ccurl_round *round);
void ccurl_transfer_free(ccurl_transfer *transfer);

/// Prepares the handle for another request: clears the state, and frees buffers larger than `keep` bytes.
void ccurl_transfer_reset(ccurl_transfer *transfer, size_t keep);

/// Whether the head of a response has arrived whose payload is taken in parts.
bool ccurl_is_in_parts(const ccurl_transfer *transfer);

/// Resumes a paused transfer; a result other than 0 means that bytes are lost, and that the transfer can't go on.
int ccurl_transfer_resume(ccurl_transfer *transfer);

/// Resumes the sending of a transfer whose source had no bytes; a result other than 0 means that the transfer is over.
int ccurl_transfer_resume_sending(ccurl_transfer *transfer);

/// Whether a payload that has ended is complete in its content coding.
bool ccurl_payload_is_whole(ccurl_transfer *transfer);

/// Removes the transfer from all reports, as it is about to be removed.
void ccurl_transfer_silence(ccurl_transfer *transfer);

/// Returns a transfer that has a head or a part of its payload to be taken, or has a shared connection now; null if there
/// is none.
ccurl_transfer *_Nullable ccurl_next_ready(ccurl_round *round);

/// Takes a line of a head, or bytes of a payload, for a fuzzer without a connection; false if the transfer ends here.
bool ccurl_take_line(ccurl_transfer *transfer, char *line, size_t count);
bool ccurl_take_bytes(ccurl_transfer *transfer, char *bytes, size_t count);

/// Moves the payload's memory, no larger than necessary, to the caller, who has to call `free`.
char *_Nullable ccurl_take_payload(ccurl_transfer *transfer);

/// Clears the payload and the method of the previous request: the next request is a GET.
///
/// libcurl keeps `CURLOPT_POSTFIELDS` and the sizes when another method is chosen. From 7.81 to 8.5, an upload that is
/// sent a second time is not read again while `CURLOPT_POSTFIELDS` is set, and is sent without its body. Before 8.1,
/// neither POST nor HEAD ends an upload (CVE-2023-28322).
int ccurl_send_nothing(ccurl_transfer *transfer);

/// Copies these bytes to be sent with the head, with their count as Content-Length.
int ccurl_send_bytes(ccurl_transfer *transfer, const void *_Nullable bytes, size_t count);

/// Sends this number of bytes of a source; -1 for all bytes until its end, whose number is not known.
int ccurl_send_source(ccurl_transfer *transfer, ccurl_source source, void *context, int64_t count);

/// Sets the header fields to send, which are not copied; null for none but libcurl's own.
int ccurl_set_fields(ccurl_transfer *transfer, ccurl_list *_Nullable fields);

/// Sets the fixed addresses of hosts as lines of `host:port:address,address`, which are not copied; null for none.
///
/// The lines are read when the transfer begins. The entries remain in the multi handle for further transfers.
int ccurl_set_resolve(ccurl_transfer *transfer, ccurl_list *_Nullable lines);

int ccurl_set_long(ccurl_transfer *transfer, ccurl_long_option option, long value);
int ccurl_set_text(ccurl_transfer *transfer, ccurl_text_option option, const char *_Nullable value);

/// Sets libcurl's limit for the time until there is a connection, counted from now on.
///
/// If a host has several addresses in one family, libcurl leaves an unresponsive one after half of the remaining time
/// (7.81 to 8.23), so libcurl needs a limit. libcurl's limit is an eighth longer than the limit of the owner, who ends
/// the transfer first: at its limit, libcurl before 7.87 waits for a name lookup, and blocks all other transfers (curl
/// 8515). Call this function again after a transfer has waited for a connection, as that time does not count.
void ccurl_transfer_expect_connection(ccurl_transfer *transfer);

/// Notes that a request got no answer in its time limit, so that its connection is silent if it is shared (HTTP/2).
///
/// Nothing happens if the connection has answered another request meanwhile. Call this function before the transfer is
/// removed.
void ccurl_note_overdue(ccurl_transfer *transfer);

/// Whether the owner has to end the transfer, as its silent connection is to be closed.
bool ccurl_is_replaced(ccurl_transfer *transfer);

/// The most name lookups that may go on at a time, for each multi handle.
///
/// The system ends no lookup early: that of a transfer that has ended goes on, with a thread and two descriptors. The
/// limit leaves half of the descriptors that a process may usually have, 1,024, and is far below the threads that a
/// service of systemd may start (`TasksMax`, 4,915).
///
/// libcurl 8.20 and later keeps to the limit, and removes a lookup that has not begun with its transfer. Its default of
/// 20 threads is too low here: each name takes two, so that ten names without an answer delay all others. Earlier
/// versions start a thread for each lookup. Therefore, the owner counts those of ended transfers, and a transfer fails
/// instead of beginning one too many (`may_not_look_up`).
enum { ccurl_lookup_limit = 256 };

/// Marks the outcome as not needed any more, so that nothing waits for what libcurl still does for the transfer.
void ccurl_transfer_abandon(ccurl_transfer *transfer);

/// Returns the list with a copy of one more line; null if there is no memory, and then the list is unchanged.
ccurl_list *_Nullable ccurl_list_append(ccurl_list *_Nullable list, const char *line);
void ccurl_list_free(ccurl_list *_Nullable list);

/// Sends a request a second time, at most once, if its connection was closed before an answer and a repetition is safe.
///
/// A request that was not sent, as its connection could carry no more, starts over in any case. The function returns
/// false if the request is not sent again, and the result is final.
bool ccurl_multi_repeat(ccurl_multi *multi, ccurl_transfer *transfer, int result);

/// Returns EMFILE or ENFILE if this process can open no descriptor now, or else 0.
int ccurl_lack_of_descriptors(void);

/// Returns the system's number for the last error, or 0; the error may be of an earlier transfer of this handle.
long ccurl_system_error(ccurl_transfer *transfer);

/// Returns the status of a proxy's answer to CONNECT, or 0.
long ccurl_proxy_status(ccurl_transfer *transfer);

/// The numbers of sent and received bytes of payload on the wire, and the Content-Length of the response, or -1.
typedef struct {
    int64_t sent;
    int64_t received;
    int64_t announced;
} ccurl_counts;

ccurl_counts ccurl_get_counts(ccurl_transfer *transfer);

/// The durations in microseconds since the transfer began, 0 for an absent phase; and facts about the connection.
typedef struct {
    int64_t name_lookup;
    int64_t connect;
    int64_t secure_connection;
    int64_t first_byte;
    int64_t total;
    /// The number of connections that were opened for the transfer; 0 if it used an existing one.
    long connections;
    /// The number of libcurl for the version of HTTP, such as `ccurl_http_1_1`; 0 if there was no response.
    long http_version;
    long port;
    /// The remote address, valid until the handle is used again; null or empty if there is none.
    const char *_Nullable address;
} ccurl_timings;

ccurl_timings ccurl_get_timings(ccurl_transfer *transfer);

/// Returns 1 if a proxy was used, 0 if none was, -1 if this libcurl does not report that (before 8.7).
long ccurl_used_proxy(ccurl_transfer *transfer);

/// Returns the requested URL, or null; valid until the handle is used again.
const char *_Nullable ccurl_asked_url(ccurl_transfer *transfer);

// MARK: many transfers

/// Creates a handle without transfers, whose sockets `watch` watches; null if there is no memory.
ccurl_multi *_Nullable ccurl_multi_create(int watch, long connections_per_host, long connections_in_all);
int ccurl_multi_free(ccurl_multi *multi);
int ccurl_multi_add(ccurl_multi *multi, ccurl_transfer *transfer);
int ccurl_multi_remove(ccurl_multi *multi, ccurl_transfer *transfer);

/// Returns whether transfers have to end, as their silent connections are to be closed, since the last call.
bool ccurl_multi_take_replaced(ccurl_multi *multi);

/// Runs the work that needs no waiting, for the events of the last wait and for the current time.
///
/// While a connection is being opened, call this function with `all` every 250 ms: libcurl's timer for leaving an
/// unresponsive address may fire just before its limit, and then libcurl does not check again until it gives up (at
/// least in 7.88).
///
/// All transfers are also checked if something has happened to a connection that transfers may share: libcurl does not
/// report a transfer that can continue since another transfer has read its bytes (at least in 7.88), and would wait
/// forever.
int ccurl_multi_perform(ccurl_multi *multi, ccurl_round *round, bool all);

/// Returns the milliseconds until libcurl has something to do, regardless of the sockets; -1 if it has nothing to do.
long ccurl_multi_time_left(ccurl_multi *multi);

/// Sets whether a caller's thread drives the transfers now, while another thread waits.
void ccurl_multi_set_on_caller(ccurl_multi *multi, bool is_on_caller);

/// Takes the events of this thread's last wait, for `ccurl_multi_perform`.
void ccurl_multi_read_events(ccurl_multi *multi);

/// Returns a finished transfer, with its result; null if there is none.
ccurl_transfer *_Nullable ccurl_multi_next_ended(ccurl_multi *multi, int *result);

const char *ccurl_multi_text(int code);

// MARK: the system

/// Returns the nanoseconds of a clock that only goes forward.
int64_t ccurl_now(void);

/// Runs a function on a new detached thread, which takes no signals; returns 0, or the error number.
int ccurl_start_thread(void (*body)(void *), void *context);

/// The signals that a thread accepted before.
typedef struct {
    uint64_t bits[16];
} ccurl_signals;

/// Blocks the signals of this thread, except those of a crash, until `ccurl_release_signals`.
///
/// SIGPIPE, which OpenSSL may raise, then does not end the process, and a handler of the app does not run in the middle
/// of libcurl.
ccurl_signals ccurl_hold_signals(void);
void ccurl_release_signals(ccurl_signals before);

/// Creates a descriptor that becomes readable after `ccurl_wake`; -1 if there is none left. Any thread may wake.
int ccurl_wake_create(void);
void ccurl_wake(int descriptor);

/// Creates a descriptor that reports events of sockets, and wake-ups by `wake_descriptor`; -1 if there is none left.
int ccurl_watch_create(int wake_descriptor);

/// Closes a descriptor of one of these kinds; -1 is none.
void ccurl_close(int descriptor);

/// Waits until something happens to a socket, a thread wakes this one, or the time is over; false if it can't wait.
///
/// Other threads may use the multi handle of the sockets meanwhile. The number of milliseconds is not negative.
bool ccurl_wait(int watch, int wake_descriptor, int milliseconds);

/// Whether the process is exiting, so that libcurl must not be called any more.
bool ccurl_is_exiting(void);

/// Returns the number of forks that led to this process since libcurl was loaded; older handles are unusable.
int32_t ccurl_forks(void);

#pragma clang assume_nonnull end

#endif
