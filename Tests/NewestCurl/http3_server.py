"""A server of HTTP/3 (aioquic) and one of HTTP/1.1 over TLS, both on 127.0.0.1, for tests of the engine over libcurl.

Usage: http3_server.py DIRECTORY

Writes a certificate to DIRECTORY/ca.pem, and then the ports of both servers to DIRECTORY/ports. Ends with its input.
"""

import asyncio
import datetime
import http.server
import ipaddress
import pathlib
import ssl
import sys
import threading

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3_ALPN, ErrorCode, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ProtocolNegotiated
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def create_certificate(directory):
    """Writes a certificate for 127.0.0.1 that signs itself, and its key; returns their paths."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "StartSmall")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    certificate_file, key_file = directory / "ca.pem", directory / "key.pem"
    certificate_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return certificate_file, key_file


class Server(QuicConnectionProtocol):
    """One connection; its paths are named after what they do."""

    connections = 0
    resets = 0
    ends = 0
    waiting = []

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.http = None
        self.requests = {}
        Server.connections += 1

    def quic_event_received(self, event):
        if isinstance(event, ProtocolNegotiated):
            self.http = H3Connection(self._quic)
        if self.http is None:
            return
        for received in self.http.handle_event(event):
            if isinstance(received, HeadersReceived):
                self.requests[received.stream_id] = (dict(received.headers), b"")
            elif isinstance(received, DataReceived):
                headers, payload = self.requests[received.stream_id]
                self.requests[received.stream_id] = (headers, payload + received.data)
            else:
                continue
            if received.stream_ended:
                self.answer(received.stream_id, *self.requests.pop(received.stream_id))

    def answer(self, stream, headers, payload):
        path = headers[b":path"].decode()
        if path == "/silent":
            return
        if headers[b":method"] == b"HEAD":
            self.send_head(stream, 200, end_stream=True)
            return self.transmit()
        if path == "/reset":
            Server.resets += 1
            self._quic.reset_stream(stream, ErrorCode.H3_INTERNAL_ERROR)
        elif path == "/close":
            self._quic.close(error_code=ErrorCode.H3_NO_ERROR)
        elif path == "/cut":
            self.send_head(stream, 200)
            self.http.send_data(stream, b"half", end_stream=False)
            self.transmit()
            self._quic.reset_stream(stream, ErrorCode.H3_INTERNAL_ERROR)
        elif path == "/trailers":
            self.send_head(stream, 200)
            self.http.send_data(stream, b"payload", end_stream=False)
            self.http.send_headers(stream, [(b"x-checksum", b"1")], end_stream=True)
        elif path == "/connections":
            self.respond(stream, str(Server.connections).encode())
        elif path == "/resets":
            self.respond(stream, str(Server.resets).encode())
        elif path.startswith("/ended/"):
            # The answer follows when this many connections have been closed after `/last`.
            count = int(path.removeprefix("/ended/"))
            Server.waiting.append((self, stream, count))
            self.respond_to_ended(stream, count)
        elif path.startswith("/bytes/"):
            self.respond(stream, b"x" * int(path.removeprefix("/bytes/")))
        else:
            self.respond(stream, headers[b":method"] + b" " + path.encode() + b" " + payload)
            if path == "/last":
                # Later, since a client discards what it has not read when the connection is closed (RFC 9000 10.2).
                self._loop.call_later(0.05, self.end)
        self.transmit()

    def end(self):
        self._quic.close()
        self.transmit()
        Server.ends += 1
        for connection, stream, count in Server.waiting:
            connection.respond_to_ended(stream, count)

    def respond_to_ended(self, stream, count):
        if Server.ends == count:
            self.respond(stream, b"")
            self.transmit()

    def send_head(self, stream, status, end_stream=False):
        self.http.send_headers(stream, [(b":status", str(status).encode()), (b"x-server", b"aioquic")], end_stream)

    def respond(self, stream, payload):
        self.send_head(stream, 200)
        self.http.send_data(stream, payload, end_stream=True)


class OverTCP(http.server.BaseHTTPRequestHandler):
    """The server of HTTP/1.1 over TLS, at whose port there is no HTTP/3."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "3")
        self.end_headers()
        self.wfile.write(b"tcp")

    def log_message(self, *_):
        pass


async def main(directory):
    certificate, key = create_certificate(directory)
    configuration = QuicConfiguration(is_client=False, alpn_protocols=H3_ALPN)
    configuration.load_cert_chain(certificate, key)
    quic = await serve("127.0.0.1", 0, configuration=configuration, create_protocol=Server)
    quic_port = quic._transport.get_extra_info("sockname")[1]

    tcp = http.server.ThreadingHTTPServer(("127.0.0.1", 0), OverTCP)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    tcp.socket = context.wrap_socket(tcp.socket, server_side=True)
    threading.Thread(target=tcp.serve_forever, daemon=True).start()

    unfinished = directory / "ports.part"
    unfinished.write_text(f"{quic_port} {tcp.server_address[1]}")
    unfinished.rename(directory / "ports")
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main(pathlib.Path(sys.argv[1])))
