public import Foundation

/// The options of an engine: time limits, connections, proxy, certificates and versions, on every platform.
///
/// ```swift
/// let app = Connector.standard(options: ConnectionOptions(connectTimeout: .seconds(5), publicKeyPins: pins))
/// ```
///
/// ``Connector/standard(options:redirecting:limitingPayload:)``, ``Connector/curl(options:)`` and
/// ``Connector/urlSession(configuration:options:)`` take the same value. Where an engine can't honour an option whose
/// loss would be a security hole, each call ends with ``ConnectionError/engineUnavailable(debugInfo:)``, which names
/// the option; the same goes for a value that is no valid one. Any other option that an engine can't honour has no
/// effect there. The guide of engines has the table.
///
/// A connector only connects: what a `URLSession` does beyond that is off unless an option asks for it.
public struct ConnectionOptions: Hashable, Sendable {
    /// The time limit for a connection, TLS included; nil for no limit.
    ///
    /// Of several addresses of a host in one family, a silent one is left when half of this is over. Waiting in line
    /// while all connections to a host are in use does not count: that is for the limits of the calls before it, and
    /// for ``Wrapper/timeout(_:clock:)``. It has no effect over `URLSession`, which does not tell when it is connected:
    /// ``idleTimeout`` counts from the start of the call there.
    public var connectTimeout: Duration?

    /// The time limit between two bytes, in either direction, after which a call ends with
    /// ``ConnectionError/timedOut(_:)``; nil for no limit.
    ///
    /// Any fraction of a second is kept. ``Wrapper/timeout(untilHead:clock:)`` replaces it until the head of a
    /// response.
    public var idleTimeout: Duration?

    /// The largest number of connections to one host, at least 1; calls beyond wait in line.
    public var maxConnectionsPerHost: Int

    /// The largest number of connections to all hosts, at least 1; calls beyond wait in line.
    public var maxConnections: Int

    /// The time for which an unused connection is kept.
    public var idleConnectionAge: Duration

    /// The time after its start for which a connection is used for further calls; nil for no limit.
    public var connectionLifetime: Duration?

    /// The version of HTTP.
    public var httpVersion: HTTPVersion

    /// The proxy.
    public var proxy: Proxy

    /// A file of certificates in PEM to trust instead of the system's, also for an https proxy; nil for the system's.
    ///
    /// Without it, libcurl trusts the file that it was built for; where that is missing, the first of the well-known
    /// files of systems that is there, such as `/etc/ssl/certs/ca-certificates.crt`.
    public var caFile: URL?

    /// The client certificate for mutual TLS; nil for none.
    public var clientCertificate: ClientCertificate?

    /// Hashes of public keys, such as `sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE=`; unless it is empty, a
    /// server must have one of these keys, and must still be trusted.
    ///
    /// Each is the SHA-256 of the certificate's SubjectPublicKeyInfo (RFC 7469 2.4) in Base64. Several, so that a key
    /// can be replaced (RFC 7469 2.5).
    public var publicKeyPins: [String]

    /// The oldest version of TLS that is accepted.
    public var minimumTLS: TLSVersion

    /// Whether payloads are decompressed; `URLSession` always does so.
    public var decompression: Decompression

    /// The network interface, its address or a host name of it to connect from; nil for the system's choice.
    public var interface: String?

    /// The file of a Unix domain socket to connect to, whatever host the URL names; nil for none.
    public var unixSocket: URL?

    /// Whether a `URLSession` follows redirects on its own; ``Wrapper/redirect(_:)`` does so in one way over all
    /// engines.
    ///
    /// On Linux the session then takes credentials along to other hosts, and loses the payload at 307 and 308.
    public var followsRedirects: Bool

    /// Whether a `URLSession` keeps cookies in its configuration's storage, and sends them.
    public var keepsCookies: Bool

    /// Whether a `URLSession` uses its configuration's cache; it has no effect on Linux.
    public var usesCache: Bool

    /// The folder to which a `URLSession` has a payload with a file in it copied; the copy is removed after the call.
    ///
    /// It has no effect on Linux, where the payload is read while it is sent.
    public var uploadFolder: URL

    /// Creates options with the defaults that are named here.
    public init(
        connectTimeout: Duration? = defaultConnectTimeout,
        idleTimeout: Duration? = defaultIdleTimeout,
        maxConnectionsPerHost: Int = defaultMaxConnectionsPerHost,
        maxConnections: Int = defaultMaxConnections,
        idleConnectionAge: Duration = defaultIdleConnectionAge,
        connectionLifetime: Duration? = defaultConnectionLifetime,
        httpVersion: HTTPVersion = .automatic,
        proxy: Proxy = .system,
        caFile: URL? = nil,
        clientCertificate: ClientCertificate? = nil,
        publicKeyPins: [String] = [],
        minimumTLS: TLSVersion = .tls1_2,
        decompression: Decompression = .automatic,
        interface: String? = nil,
        unixSocket: URL? = nil,
        followsRedirects: Bool = false,
        keepsCookies: Bool = false,
        usesCache: Bool = false,
        uploadFolder: URL = defaultUploadFolder
    ) {
        self.connectTimeout = connectTimeout
        self.idleTimeout = idleTimeout
        self.maxConnectionsPerHost = maxConnectionsPerHost
        self.maxConnections = maxConnections
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
        self.followsRedirects = followsRedirects
        self.keepsCookies = keepsCookies
        self.usesCache = usesCache
        self.uploadFolder = uploadFolder
    }
}
