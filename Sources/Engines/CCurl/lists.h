// Lists of transfers; for the files of this target only.

#ifndef CCURL_LISTS_H
#define CCURL_LISTS_H

#include "CCurl.h"

/// Adds a transfer to the front of a list, unless the transfer is in it.
static inline void enlist(ccurl_transfer *transfer, int kind, ccurl_transfer **first) {
    ccurl_link *link = &transfer->links[kind];
    if (link->place) return;
    *link = (ccurl_link){.next = *first, .place = first};
    if (*first) (*first)->links[kind].place = &link->next;
    *first = transfer;
}

/// Removes a transfer from the list of this kind that it is in, if it is in one.
static inline void delist(ccurl_transfer *transfer, int kind) {
    ccurl_link *link = &transfer->links[kind];
    if (!link->place) return;
    *link->place = link->next;
    if (link->next) link->next->links[kind].place = link->place;
    *link = (ccurl_link){0};
}

/// Makes a starved transfer, or one that holds its sending, check soon whether it can go on.
static inline void release_soon(ccurl_transfer *transfer) { enlist(transfer, ccurl_holding, &transfer->round->holding); }

#endif
