// Checks of a response's head that libcurl does not make: the delimitation of the payload (RFC 9112 6.3), and its
// content coding (RFC 9110 8.4).

#if CURL_ENGINE

#include "coding.h"
#include "library.h"

#include <string.h>
#include <strings.h>

/// A part of a text, without the white space around it.
struct part {
    const char *start;
    size_t count;
};

/// A header field of a head; its value continues on the lines that begin with white space (RFC 9112 5.2).
struct field {
    struct part name, value;
    bool is_folded;
    bool has_space_before_colon;
};

static bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

static bool is_space(char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

static struct part trimmed(const char *start, const char *end) {
    while (start < end && is_space(*start)) start++;
    while (end > start && is_space(end[-1])) end--;
    return (struct part){start, (size_t)(end - start)};
}

static bool is_name(struct part text, const char *name) {
    return text.count == strlen(name) && strncasecmp(text.start, name, text.count) == 0;
}

static const char *end_of_line(const char *line, const char *end) {
    const char *feed = memchr(line, '\n', (size_t)(end - line));
    return feed ? feed + 1 : end;
}

/// Takes the next field from `*place` on; false if there is none.
static bool next_field(const char **place, const char *end, struct field *field) {
    while (*place < end) {
        const char *line = *place;
        const char *next = end_of_line(line, end);
        const char *first_end = next;
        while (next < end && (*next == ' ' || *next == '\t')) next = end_of_line(next, end);
        *place = next;
        const char *colon = memchr(line, ':', (size_t)(first_end - line));
        if (!colon) continue;
        const char *name_end = colon;
        while (name_end > line && is_space(name_end[-1])) name_end--;
        *field = (struct field){
            .name = {line, (size_t)(name_end - line)},
            .value = trimmed(colon + 1, next),
            .is_folded = next != first_end,
            .has_space_before_colon = name_end != colon,
        };
        return true;
    }
    return false;
}

/// Takes the next part of a list from `*place` on, which may be empty; false after the last part.
static bool next_part(const char **place, const char *end, struct part *part) {
    if (!*place) return false;
    const char *comma = memchr(*place, ',', (size_t)(end - *place));
    *part = trimmed(*place, comma ? comma : end);
    *place = comma ? comma + 1 : NULL;
    return true;
}

/// Returns a number that consists of decimal digits only; -1 for any other text, or if 64 bits are not enough.
static int64_t number(struct part text) {
    if (text.count == 0) return -1;
    int64_t value = 0;
    for (size_t index = 0; index < text.count; index++) {
        int digit = text.start[index] - '0';
        if (!is_digit(text.start[index]) || value > (INT64_MAX - digit) / 10) return -1;
        value = value * 10 + digit;
    }
    return value;
}

static const char *read_length(struct part value, struct ccurl_framing *framing) {
    const char *place = value.start;
    struct part part;
    while (next_part(&place, value.start + value.count, &part)) {
        int64_t length = number(part);
        if (length < 0) return "the response has a Content-Length that is not a number (RFC 9112 6.3)";
        if (framing->length >= 0 && framing->length != length)
            return "the response has two different Content-Lengths (RFC 9112 6.3)";
        framing->length = length;
    }
    return NULL;
}

static void read_content_codings(struct part value, struct ccurl_framing *framing) {
    const char *place = value.start;
    struct part part;
    while (next_part(&place, value.start + value.count, &part)) {
        if (part.count == 0 || is_name(part, "identity") || is_name(part, "none")) continue;
        framing->content_codings++;
        framing->coding = ccurl_coding_named(part.start, part.count);
    }
}

/// Reads a head; returns the reason why it can't be trusted, or null.
static const char *read_framing(const char *place, const char *end, struct ccurl_framing *framing) {
    struct field field;
    while (next_field(&place, end, &field)) {
        bool is_length = is_name(field.name, "Content-Length");
        bool is_coding = is_name(field.name, "Transfer-Encoding");
        if ((is_length || is_coding) && (field.is_folded || field.has_space_before_colon))
            return "the response has white space inside of a field that delimits its payload (RFC 9112 5)";
        if (is_length) {
            const char *reason = read_length(field.value, framing);
            if (reason) return reason;
        } else if (is_coding) {
            framing->transfer_codings++;
            framing->is_identity = is_name(field.value, "identity");
            if (framing->transfer_codings > 1 || !(framing->is_identity || is_name(field.value, "chunked")))
                return "the response has a transfer coding that was not requested (RFC 9112 6.1)";
        } else if (is_name(field.name, "Content-Encoding")) {
            read_content_codings(field.value, framing);
        } else if (is_name(field.name, "Location")) {
            framing->has_location = true;
        }
    }
    if (framing->transfer_codings > 0 && !framing->is_identity && framing->length >= 0)
        return "the response has both Content-Length and Transfer-Encoding (RFC 9112 6.3)";
    return NULL;
}

/// Returns the status in a status line; -1 if it has none.
static long status_in(const char *line, size_t count) {
    const char *name = "HTTP/", *end = line + count;
    if (count < strlen(name) || strncasecmp(line, name, strlen(name)) != 0) return -1;
    const char *place = line + strlen(name);
    while (place < end && (is_digit(*place) || *place == '.')) place++;
    if (place == end || *place != ' ') return -1;
    while (place < end && *place == ' ') place++;
    const char *code = place;
    long status = 0;
    for (; place < end && place < code + 4 && is_digit(*place); place++) status = status * 10 + (*place - '0');
    return place == code + 3 ? status : -1;
}

bool ccurl_check_head(ccurl_transfer *transfer, struct ccurl_framing *framing) {
    *framing = (struct ccurl_framing){.length = -1};
    ccurl_response *response = &transfer->response;
    const char *start = transfer->head.start + response->head_start;
    const char *end = transfer->head.start + transfer->head.count, *fields = end_of_line(start, end);
    long status = response->status = status_in(start, (size_t)(fields - start));
    if (status < 200 && (status < 0 || status != ccurl_status(transfer)))
        return ccurl_end_transfer(transfer, ccurl_stop_framing, "the response has no status line (RFC 9112 4)");
    if (status == 101)
        return ccurl_end_transfer(
            transfer, ccurl_stop_framing,
            "the response switches to a protocol that was not requested (RFC 9110 15.2.2)");
    if (transfer->is_head || status < 200 || status == 204 || status == 304) return true;
    const char *reason = read_framing(fields, end, framing);
    if (reason) return ccurl_end_transfer(transfer, ccurl_stop_framing, reason);
    bool is_http1 = end - start > 6 && strncasecmp(start, "HTTP/1", 6) == 0;
    bool is_chunked = framing->transfer_codings > 0 && !framing->is_identity;
    if (is_http1 && framing->length < 0 && !is_chunked) response->end = ccurl_end_by_close;
    if (framing->is_identity && framing->length >= 0) {
        // libcurl reads up to the end of the connection then, whatever the length is.
        response->counted = framing->length;
        ccurl_close_after(transfer);
    }
    if (!transfer->decodes_payload || framing->content_codings == 0 || framing->length == 0) return true;
    if (framing->content_codings == 1) return ccurl_begin_decoding(transfer, framing->coding);
    return ccurl_end_transfer(
        transfer, ccurl_stop_coding,
        "the payload has more than one content coding, which may expand it without bounds");
}

#endif
