"""The parts of the network of run.sh: one for each first argument.

plain CARD: has a card compute its checksums itself, since no hardware follows.
forget ONE OTHER: passes packets between two cards, until a connection has been silent for the seconds of its port.
serve: a server that answers after a silence.
"""
import array
import fcntl
import select
import socket
import struct
import sys
import threading
import time

# The port of the server: the seconds until the network forgets a connection, and those until the server answers.
PORTS = {8080: (3, 6), 8081: (0.5, 3600)}


def plain(card):
    # ETHTOOL_STXCSUM of linux/ethtool.h, by SIOCETHTOOL.
    value = array.array("B", struct.pack("II", 0x17, 0))
    request = struct.pack("16sP", card.encode(), value.buffer_info()[0])
    fcntl.ioctl(socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0x8946, request)


def connection(frame):
    """Returns the ends of a connection of TCP over IPv4, in one order for both directions, and whether it begins."""
    if frame[12:14] != b"\x08\x00" or frame[23] != 6:
        return None, False
    start = 14 + (frame[14] & 15) * 4
    ports = struct.unpack("!HH", frame[start:start + 4])
    ends = sorted([(frame[26:30], ports[0]), (frame[30:34], ports[1])])
    return tuple(ends), frame[start + 13] & 2 != 0


def forget(*names):
    cards = []
    for name in names:
        card = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        card.bind((name, 0))
        cards.append(card)
    latest = {}
    while True:
        for card in select.select(cards, [], [])[0]:
            frame, sender = card.recvfrom(65536)
            if sender[2] == socket.PACKET_OUTGOING:
                continue
            ends, begins = connection(frame)
            if ends:
                limit = next((PORTS[port][0] for _, port in ends if port in PORTS), 3600)
                now = time.monotonic()
                if not begins and now - latest.get(ends, -3600) > limit:
                    continue
                latest[ends] = now
            cards[1 - cards.index(card)].send(frame)


def serve():
    def answer(client, delay):
        client.recv(65536)
        time.sleep(delay)
        client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")

    def listen(port, delay):
        server = socket.create_server(("192.0.2.2", port))
        while True:
            threading.Thread(target=answer, args=(server.accept()[0], delay), daemon=True).start()

    for port, (_, delay) in PORTS.items():
        threading.Thread(target=listen, args=(port, delay)).start()


globals()[sys.argv[1]](*sys.argv[2:])
