// Requests whose payload is produced while it is sent.
//
// While the source of such a request has no bytes, its sending is paused: the transfer is starved. libcurl does not end
// a transfer whose sending is paused (7.81 to 8.23), even if the response is complete, or the server has closed the
// connection. Therefore, the sending is resumed for a moment when something is received, or when libcurl stops reading;
// if no more can be received, the transfer ends then, though the request is not complete. Its connection is closed.

#if CURL_ENGINE

#include "library.h"
#include "lists.h"

/// Whether the connection of a transfer has ended, or is not known.
static bool is_ended(ccurl_transfer *transfer) {
    return transfer->descriptor < 0 || ccurl_has_answer(transfer);
}

/// Whether the final response is complete, as far as its head and the end of its connection show.
static bool is_response_whole(ccurl_transfer *transfer) {
    if (!transfer->response.has_checked_head) return false;
    long status = transfer->response.status;
    if (transfer->is_head || status == 204 || status == 304) return true;
    if (transfer->response.end != ccurl_end_framed) return transfer->is_unread;
    // libcurl reads no more from an open connection: it has read the last chunk.
    if (transfer->is_unread && !is_ended(transfer)) return true;
    int64_t length = ccurl_content_length(transfer);
    return length >= 0 && ccurl_get_counts(transfer).received >= length;
}

bool ccurl_stop_if_answered(ccurl_transfer *transfer) {
    // A transfer whose reading is paused has bytes in libcurl that it has not delivered, though they count as received.
    if (!transfer->is_produced || transfer->is_paused) return false;
    // Now, as the connection will be closed.
    bool is_whole = is_response_whole(transfer);
    if (!is_whole && !transfer->is_unread) return false;
    transfer->stop = is_whole ? ccurl_stop_whole : ccurl_stop_unread;
    return true;
}

void ccurl_note_unread(ccurl_transfer *transfer) {
    if (!transfer || !transfer->is_produced || !transfer->is_starved || transfer->is_paused) return;
    transfer->is_unread = true;
    release_soon(transfer);
}

bool ccurl_is_reading(ccurl_transfer *transfer) {
    struct ccurl_socket *socket = ccurl_socket_of(transfer);
    if (!socket || socket->is_multiplexed) return true;
    return ccurl_wants(&transfer->multi->sockets, transfer->descriptor, ccurl_can_read);
}

/// Resumes the sending of a transfer, and its receiving unless that is paused.
static int go_on(ccurl_transfer *transfer) {
    const int nothing = 0, receiving = 1;
    transfer->is_starved = false;
    if (transfer->may_share) transfer->multi->must_check_shared = true;
    return ccurl_lib.easy_pause(transfer->easy, transfer->is_paused ? receiving : nothing);
}

void ccurl_release_holding(ccurl_round *round, bool only_starved) {
    // Only the transfers of the current list: a transfer may hold its sending again at once.
    ccurl_transfer *rest = round->holding;
    if (rest) rest->links[ccurl_holding].place = &rest;
    round->holding = NULL;
    while (rest) {
        ccurl_transfer *transfer = rest;
        delist(transfer, ccurl_holding);
        if (only_starved && !transfer->is_starved) {
            release_soon(transfer);
            continue;
        }
        if (transfer->is_starved && !transfer->is_paused && !ccurl_is_reading(transfer)) transfer->is_unread = true;
        go_on(transfer);
    }
}

int ccurl_transfer_resume_sending(ccurl_transfer *transfer) {
    transfer->moved_at = transfer->round->now;
    ccurl_enter();
    int result = go_on(transfer);
    ccurl_leave();
    return result;
}

int ccurl_transfer_resume(ccurl_transfer *transfer) {
    // The state is changed first, as libcurl passes the kept bytes at once, and there may be too many again.
    transfer->is_paused = false;
    return ccurl_transfer_resume_sending(transfer);
}

#endif
