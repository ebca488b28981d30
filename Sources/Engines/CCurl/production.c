// Requests whose payload is produced while it is sent.
//
// While the source of such a request has no bytes, its sending is paused: the transfer is starved. libcurl does not end
// a transfer whose sending is paused (7.81 to 8.23), even if the response is complete, or the server has closed the
// connection. Therefore, the sending is resumed for a moment when something is received, or when libcurl stops reading;
// if no more can be received, the transfer ends then, though the request is not complete. Its connection is closed.

#if CURL_ENGINE

#include "library.h"

#include <stdio.h>

/// Whether the connection of a transfer has ended, or is not known.
static bool is_ended(ccurl_transfer *transfer) {
    return transfer->descriptor < 0 || ccurl_has_answer(transfer);
}

/// Whether the final response is complete, as far as its head and the end of its connection show.
static bool is_response_whole(ccurl_transfer *transfer) {
    if (!transfer->has_checked_head) return false;
    long status = transfer->status;
    if (transfer->is_head || status == 204 || status == 304) return true;
    if (transfer->ends_by_close) return transfer->is_unread;
    // libcurl reads no more from an open connection: it has read the last chunk.
    if (transfer->is_unread && !is_ended(transfer)) return true;
    int64_t length = ccurl_content_length(transfer);
    return length >= 0 && ccurl_get_counts(transfer).received >= length;
}

bool ccurl_stop_if_answered(ccurl_transfer *transfer) {
    // A transfer whose reading is paused has bytes in libcurl that it has not delivered, though they count as received.
    if (!transfer->is_produced || transfer->is_paused) return false;
    // Now, as the connection will be closed.
    transfer->has_whole_response = is_response_whole(transfer);
    if (!transfer->has_whole_response && !transfer->is_unread) return false;
    transfer->stop = ccurl_stop_unread;
    return true;
}

void ccurl_note_unread(ccurl_transfer *transfer) {
    if (!transfer || !transfer->is_produced || !transfer->is_starved || transfer->is_paused) return;
    transfer->is_unread = true;
    ccurl_release_soon(transfer);
}

bool ccurl_is_reading(ccurl_transfer *transfer) {
    struct ccurl_socket *socket = ccurl_socket_of(transfer);
    if (!socket || socket->is_multiplexed) return true;
    return ccurl_wants(transfer->multi->sockets, transfer->descriptor, ccurl_can_read);
}

int ccurl_end_unread(ccurl_transfer *transfer, int result) {
    const int receiving = 56, partial = 18;
    if (result == ccurl_ok && transfer->counted > transfer->arrived) return partial;
    if (transfer->stop != ccurl_stop_unread || transfer->is_abandoned) return result;
    if (transfer->has_whole_response) {
        transfer->stop = ccurl_stop_none;
        return ccurl_ok;
    }
    if (transfer->head.count > 0) return result;
    // As libcurl reports the end of a connection before a response, so that the request may be sent again.
    transfer->stop = ccurl_stop_none;
    snprintf(transfer->error, sizeof transfer->error, "the server closed the connection before it responded");
    return receiving;
}

int ccurl_transfer_resume_sending(ccurl_transfer *transfer) {
    const int nothing = 0, receiving = 1;
    transfer->is_starved = false;
    transfer->moved_at = transfer->round->now;
    if (transfer->may_share) transfer->multi->must_check_shared = true;
    ccurl_enter();
    int result = ccurl_lib.easy_pause(transfer->easy, transfer->is_paused ? receiving : nothing);
    ccurl_leave();
    return result;
}

#endif
