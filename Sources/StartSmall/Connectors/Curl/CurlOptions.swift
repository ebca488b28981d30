#if os(Linux)
    public import Foundation

    /// How ``Connector/curl(options:)`` connects: how long it waits, what it keeps, and whom it trusts.
    ///
    /// The engine works from libcurl 7.81 on, and is tested over 7.88.1 and 8.23.0. What differs: ``HTTPVersion/http2``
    /// opens a connection for each call on 7.88, and offers HTTP/1.1 over TLS before 8.10. The guide of engines has the
    /// whole list.
    public struct CurlOptions: Hashable, Sendable {
        /// How long it may take to get a connection, TLS included; nil for no limit.
        ///
        /// Of several addresses of a host in one family, a silent one is left when half of this is over.
        ///
        /// Waiting in line while all connections to a host are in use does not count: how long that may take is for the
        /// limits of the calls before it, and for ``Wrapper/timeout(_:clock:)``.
        public var connectTimeout: Duration?

        /// How long nothing may come or go on a connection before the call ends with ``ConnectionError/timedOut(_:)``;
        /// nil for no limit.
        public var idleTimeout: Duration?

        /// The most connections to one host, and below 1 the same as 1; calls beyond wait in line.
        public var connectionsPerHost: Int {
            didSet { connectionsPerHost = max(1, connectionsPerHost) }
        }

        /// The most connections to all hosts, and below 1 the same as 1; calls beyond wait in line.
        public var connectionsInAll: Int {
            didSet { connectionsInAll = max(1, connectionsInAll) }
        }

        /// How long a connection that nobody uses is kept.
        public var idleConnectionAge: Duration

        /// How long after its start a connection is used for another call; nil for no limit.
        public var connectionLifetime: Duration?

        /// Which HTTP to speak.
        public var httpVersion: HTTPVersion

        /// Which proxy to ask.
        public var proxy: Proxy

        /// A file of certificates in PEM to trust instead of the system's file and directories, also for an https proxy.
        ///
        /// Without it, libcurl trusts the file that it was built for; where that is missing, the first of the well-known
        /// files of systems that is there, such as `/etc/ssl/certs/ca-certificates.crt`.
        public var caFile: URL?

        /// Who we are, for servers that demand to know.
        public var clientCertificate: ClientCertificate?

        /// Hashes of public keys, such as `sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE=`; unless it is empty, a
        /// server must have one of these keys, and must still be trusted.
        ///
        /// Several, so that a key can be replaced (RFC 7469 2.5).
        public var publicKeyPins: [String]

        /// The oldest TLS to speak.
        public var minimumTLS: TLSVersion

        /// Whether payloads are decompressed.
        public var decompression: Decompression

        /// The network interface, its address or a host name of it to connect from; nil for the system's choice.
        public var interface: String?

        /// The file of a Unix domain socket to connect to, whatever host the URL names; nil for none.
        public var unixSocket: URL?

        /// Creates options with the defaults that are named here.
        public init(
            connectTimeout: Duration? = standardConnectTimeout,
            idleTimeout: Duration? = standardIdleTimeout,
            connectionsPerHost: Int = standardConnectionsPerHost,
            connectionsInAll: Int = standardConnectionsInAll,
            idleConnectionAge: Duration = standardIdleConnectionAge,
            connectionLifetime: Duration? = standardConnectionLifetime,
            httpVersion: HTTPVersion = .automatic,
            proxy: Proxy = .environment,
            caFile: URL? = nil,
            clientCertificate: ClientCertificate? = nil,
            publicKeyPins: [String] = [],
            minimumTLS: TLSVersion = .tls1_2,
            decompression: Decompression = .automatic,
            interface: String? = nil,
            unixSocket: URL? = nil
        ) {
            self.connectTimeout = connectTimeout
            self.idleTimeout = idleTimeout
            self.connectionsPerHost = max(1, connectionsPerHost)
            self.connectionsInAll = max(1, connectionsInAll)
            self.idleConnectionAge = idleConnectionAge
            self.connectionLifetime = connectionLifetime
            self.httpVersion = httpVersion
            self.proxy = proxy
            self.caFile = caFile
            self.clientCertificate = clientCertificate
            self.publicKeyPins = publicKeyPins
            self.minimumTLS = minimumTLS
            self.decompression = decompression
            self.interface = interface
            self.unixSocket = unixSocket
        }
    }

    /// The defaults, each with its reason.
    extension CurlOptions {
        /// How long it may take to get a connection unless told otherwise: 15 seconds.
        ///
        /// Long enough for three lost SYN (sent anew after 1, 3 and 7 seconds, RFC 6298 2.1 and 5.5), and no longer than
        /// ``standardIdleTimeout``; libcurl's own 300 outlast every user.
        public static let standardConnectTimeout = Duration.seconds(15)

        /// How long nothing may come or go unless told otherwise: 15 seconds, what AbstractHTTP gives a call.
        ///
        /// Enough for a slow answer, short enough that someone still waits.
        public static let standardIdleTimeout = Duration.seconds(15)

        /// The most connections to one host unless told otherwise: 64.
        ///
        /// RFC 9112 9.4 asks for a limit and names none. 64 is where this engine is at its fastest on two cores, and far
        /// below what servers give one client (nginx: 512 connections a worker in all).
        public static let standardConnectionsPerHost = 64

        /// The most connections to all hosts unless told otherwise: 256, a quarter of the 1,024 descriptors that Linux
        /// gives a process by default.
        public static let standardConnectionsInAll = 256

        /// How long a connection that nobody uses is kept unless told otherwise: 60 seconds.
        ///
        /// The idle timeout of AWS load balancers, below that of nginx (75): a connection that the server has closed
        /// meanwhile costs a request its time, or its life.
        public static let standardIdleConnectionAge = Duration.seconds(60)

        /// How long a connection is used unless told otherwise: 10 minutes, so that a host that has moved is found by its
        /// new address, and a certificate that was revoked is looked at again.
        public static let standardConnectionLifetime = Duration.seconds(600)
    }

    extension CurlOptions {
        /// A version of HTTP.
        public enum HTTPVersion: Hashable, Sendable {
            /// HTTP/2 over TLS where the server has it, or else HTTP/1.1.
            case automatic

            /// HTTP/1.1 only.
            case http1_1

            /// HTTP/2 from the first byte on without TLS (RFC 9113 3.3); over TLS, what the server chooses.
            ///
            /// From libcurl 8.10 on nothing else is offered over TLS, so that it is HTTP/2 only. An older one offers HTTP/1.1
            /// too (ALPN, RFC 7301), and is content with that.
            case http2
        }

        /// A version of TLS.
        public enum TLSVersion: Hashable, Sendable {
            /// TLS 1.2; everything older is deprecated (RFC 8996).
            case tls1_2

            /// TLS 1.3 (RFC 8446).
            case tls1_3
        }

        /// Whether payloads are decompressed.
        public enum Decompression: Hashable, Sendable {
            /// Gzip, deflate and br are asked for, as far as zlib and libbrotlidec can be loaded, and decompressed; so is
            /// zstd (libzstd) where the request's own `Accept-Encoding` asks for it.
            ///
            /// A request whose own `Accept-Encoding` names only codings that are not known here gets its payload as it
            /// comes. A payload that comes in such a coding unasked, in more than one coding, or incomplete is
            /// ``ConnectionError/unreadablePayload(_:)``. A request with `Range` asks for no coding.
            case automatic

            /// Nothing is asked for, and payloads are given as they come.
            case none
        }

        /// Which proxy to ask.
        public enum Proxy: Hashable, Sendable {
            /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say.
            case environment

            /// None, whatever the environment says.
            case none

            /// This one, such as `http://proxy.example.com:3128`; user and password may be in it.
            case url(String)
        }

        /// Who we are, for servers that demand to know.
        public struct ClientCertificate: Hashable, Sendable {
            /// A file in PEM with the certificate, and those between it and the root.
            public var certificateFile: URL

            /// A file in PEM with the private key.
            public var keyFile: URL

            /// What opens the key's file, or nil; it is never shown.
            public var keyPassword: String?

            /// Creates an identity of two files.
            public init(certificateFile: URL, keyFile: URL, keyPassword: String? = nil) {
                self.certificateFile = certificateFile
                self.keyFile = keyFile
                self.keyPassword = keyPassword
            }
        }
    }

    extension CurlOptions.ClientCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The files, without the password.
        public var description: String {
            "certificate \(certificateFile.path), key \(keyFile.path)\(keyPassword.map { _ in " with a password" } ?? "")"
        }

        /// The same as ``description``.
        public var debugDescription: String { description }

        /// What `dump` and failed tests show: the files, without the password.
        public var customMirror: Mirror {
            Mirror(self, children: ["certificateFile": certificateFile.path, "keyFile": keyFile.path])
        }
    }

    extension CurlOptions.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        /// The proxy, without user and password.
        public var description: String {
            switch self {
            case .environment: "environment"
            case .none: "none"
            case .url(let text): Redaction.standard.shown(url: text.contains("//") ? text : "//" + text)
            }
        }

        /// The same as ``description``.
        public var debugDescription: String { description }

        /// What `dump` and failed tests show: the proxy, without user and password.
        public var customMirror: Mirror { Mirror(self, children: ["": description]) }
    }
#endif
