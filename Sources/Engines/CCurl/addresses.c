// The check of the addresses that libcurl connects to.
//
// libcurl asks for a socket for each address, after the host name is resolved and before it connects, over TCP as well
// as over UDP (HTTP/3): an address that the check refuses gets no socket. The address is the one that libcurl connects
// to, so that a name that resolves to another address the next time makes no difference.
//
// A request on a used connection opens no socket: the address of the peer is checked again before each request is sent.

#if CURL_ENGINE

#define _GNU_SOURCE
#include "library.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

static bool check(ccurl_transfer *transfer, const ccurl_address *address) {
    if (transfer->round->allows(transfer->round->allows_context, address)) return true;
    if (!transfer->has_refused) transfer->refused = *address;
    transfer->has_refused = true;
    return false;
}

bool ccurl_may_connect(ccurl_transfer *transfer, const struct ccurl_socket_address *address) {
    if (!transfer->round->allows) return true;
    // The address is longer than its declaration.
    const char *start = (const char *)address + offsetof(struct ccurl_socket_address, address);
    ccurl_address plain = {0};
    if (address->family == AF_INET && address->size >= sizeof(struct sockaddr_in)) {
        struct sockaddr_in v4;
        memcpy(&v4, start, sizeof v4);
        plain.count = 4;
        memcpy(plain.bytes, &v4.sin_addr, 4);
    } else if (address->family == AF_INET6 && address->size >= sizeof(struct sockaddr_in6)) {
        struct sockaddr_in6 v6;
        memcpy(&v6, start, sizeof v6);
        plain.count = 16;
        memcpy(plain.bytes, &v6.sin6_addr, 16);
        // libcurl adds the zone of an address in a URL only after this check; the system uses it only if the address is
        // link-local.
        plain.zone = v6.sin6_scope_id;
    }
    bool is_allowed = check(transfer, &plain);
    if (is_allowed) transfer->has_allowed = true;
    return is_allowed;
}

bool ccurl_may_use(ccurl_transfer *transfer, const char *text) {
    // The text has no zone: a zone only ever leads to a refusal, which has been made when the connection was opened.
    if (!transfer->round->allows || !text) return true;
    ccurl_address plain = {0};
    if (inet_pton(AF_INET, text, plain.bytes) == 1) plain.count = 4;
    else if (inet_pton(AF_INET6, text, plain.bytes) == 1) plain.count = 16;
    // A version of libcurl that does not report the address has asked for a socket with it nevertheless.
    return plain.count == 0 || check(transfer, &plain);
}

void ccurl_forget_addresses(ccurl_transfer *transfer) {
    transfer->has_refused = false;
    transfer->has_allowed = false;
}

#endif
