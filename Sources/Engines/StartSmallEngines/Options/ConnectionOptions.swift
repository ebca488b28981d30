public import StartSmallFoundation

/// The options of an engine: time limits, connections, addresses, proxy, certificates and versions, on every platform.
///
/// ```swift
/// let options = ConnectionOptions(connectTimeout: .seconds(5), publicKeyPins: pins)
/// let app = Connector.standard(over: .engine(options: options))
/// ```
///
/// ``Connector/engine(options:)``, ``Connector/curl(options:)`` and ``Connector/urlSession(configuration:options:)``
/// take the same value. If an engine can't honour an option whose loss
/// would be a security hole, or if the value of an option is invalid, each call ends with
/// ``ConnectionError/engineUnavailable(debugInfo:)``, which names the option. Any other option that an engine can't
/// honour has no effect in that engine. The guide of engines has the table.
///
/// A connector only connects: further features of a `URLSession` are off unless an option enables them.
public struct ConnectionOptions: Equatable, Sendable {
    /// The time limit for a connection, TLS included; nil for no limit.
    ///
    /// If a host has several addresses in one family, an unresponsive address is left after half of this time. The time
    /// that a call waits while all connections to a host are in use does not count: the limits of the calls before it
    /// and ``Wrapper/timeout(_:clock:)`` are for that. This option has no effect over `URLSession`, which does not
    /// report when it is connected: ``idleTimeout`` counts from the start of the call there.
    public var connectTimeout: Duration?

    /// The time limit between two bytes, in either direction; nil for no limit.
    ///
    /// A call that reaches the limit ends with ``ConnectionError/timedOut(_:)``. Any fraction of a second is kept. By
    /// default (``IdleTimeout/automatic``), the limit is never shorter than the time that ``Wrapper/timeout(_:clock:)``
    /// or ``Wrapper/deadline(_:clock:)`` leave to the call. ``Wrapper/timeout(untilHead:clock:)`` replaces this limit
    /// until the head of a response.
    public var idleTimeout: IdleTimeout

    /// The largest number of connections to one host, at least 1; further calls wait for a connection.
    public var maxConnectionsPerHost: Int

    /// The largest number of connections to all hosts, at least 1; further calls wait for a connection.
    public var maxConnections: Int

    /// The time for which an unused connection is kept, at least.
    ///
    /// Over libcurl, an older connection is closed when the next call begins, or when no call runs.
    public var idleConnectionAge: Duration

    /// The time after its start for which a connection is used for further calls; nil for no limit.
    public var connectionLifetime: Duration?

    /// The probes of TCP that keep a silent connection open; nil for none.
    ///
    /// They have no effect over HTTP/3, a Unix domain socket, and `URLSession`, which has no such option.
    public var tcpKeepAlive: TCPKeepAlive?

    /// The version of HTTP.
    public var httpVersion: HTTPVersion

    /// The proxy.
    public var proxy: Proxy

    /// A file of certificates in PEM to trust instead of the system's, also for an https proxy; nil for the system's.
    ///
    /// Without this file, libcurl trusts the file that it was built for. If that file is missing, libcurl trusts the
    /// first well-known system file that exists, such as `/etc/ssl/certs/ca-certificates.crt`.
    public var caFile: URL?

    /// The client certificate for mutual TLS; nil for none.
    public var clientCertificate: ClientCertificate?

    /// Hashes of public keys, such as `sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE=`.
    ///
    /// Unless the array is empty, a server must have one of these keys, and must still be trusted.
    ///
    /// Each hash is the SHA-256 of the certificate's SubjectPublicKeyInfo (RFC 7469 2.4) in Base64. With several
    /// hashes, a key can be replaced (RFC 7469 2.5).
    public var publicKeyPins: [String]

    /// The oldest version of TLS that is accepted.
    public var minimumTLS: TLSVersion

    /// The decompression of payloads; `URLSession` always decompresses.
    public var decompression: Decompression

    /// The network interface to connect from, as its name, address or host name; nil for the system's choice.
    public var interface: String?

    /// The file of a Unix domain socket to connect to, regardless of the host of the URL; nil for none.
    public var unixSocket: URL?

    /// The addresses that may be connected to.
    ///
    /// A policy other than ``AddressPolicy/any`` needs an engine that can enforce it. `URLSession` can't, nor can any
    /// engine with a proxy, which looks up host names itself, or with a Unix domain socket: there, each call ends with
    /// ``ConnectionError/engineUnavailable(debugInfo:)``.
    public var addressPolicy: AddressPolicy

    /// Fixed addresses of host names, which are used instead of those that the system would find.
    ///
    /// A key is a host name in ASCII, such as `api.example.com`, and is for every port. The addresses are those of IPv4
    /// or IPv6, such as `192.0.2.1`. TLS and the `Host` field still use the name, and ``addressPolicy`` also applies to
    /// these addresses. As with the policy, each call over `URLSession`, a proxy or a Unix domain socket ends with
    /// ``ConnectionError/engineUnavailable(debugInfo:)`` unless the dictionary is empty.
    public var resolve: [String: [String]]

    /// Whether a `URLSession` follows redirects by itself.
    ///
    /// On Linux, the session then takes credentials along to other hosts, and loses the payload at 307 and 308.
    /// ``Wrapper/redirect(_:)`` follows redirects in the same way over all engines.
    public var followsRedirects: Bool

    /// Whether a `URLSession` keeps cookies in its configuration's storage, and sends them.
    public var keepsCookies: Bool

    /// Whether a `URLSession` uses its configuration's cache; no effect on Linux.
    public var usesCache: Bool

    /// The time without a byte after which a shared connection that owes an answer gets no other request over libcurl.
    package var silence = defaultSilence

    /// Creates options with the default of each omitted parameter.
    public init(
        connectTimeout: Duration? = defaultConnectTimeout,
        idleTimeout: IdleTimeout = .automatic,
        maxConnectionsPerHost: Int = defaultMaxConnectionsPerHost,
        maxConnections: Int = defaultMaxConnections,
        idleConnectionAge: Duration = defaultIdleConnectionAge,
        connectionLifetime: Duration? = defaultConnectionLifetime,
        tcpKeepAlive: TCPKeepAlive? = TCPKeepAlive(),
        httpVersion: HTTPVersion = .automatic,
        proxy: Proxy = .system,
        caFile: URL? = nil,
        clientCertificate: ClientCertificate? = nil,
        publicKeyPins: [String] = [],
        minimumTLS: TLSVersion = .tls1_2,
        decompression: Decompression = .automatic,
        interface: String? = nil,
        unixSocket: URL? = nil,
        addressPolicy: AddressPolicy = .any,
        resolve: [String: [String]] = [:],
        followsRedirects: Bool = false,
        keepsCookies: Bool = false,
        usesCache: Bool = false
    ) {
        self.connectTimeout = connectTimeout
        self.idleTimeout = idleTimeout
        self.maxConnectionsPerHost = maxConnectionsPerHost
        self.maxConnections = maxConnections
        self.idleConnectionAge = idleConnectionAge
        self.connectionLifetime = connectionLifetime
        self.tcpKeepAlive = tcpKeepAlive
        self.httpVersion = httpVersion
        self.proxy = proxy
        self.caFile = caFile
        self.clientCertificate = clientCertificate
        self.publicKeyPins = publicKeyPins
        self.minimumTLS = minimumTLS
        self.decompression = decompression
        self.interface = interface
        self.unixSocket = unixSocket
        self.addressPolicy = addressPolicy
        self.resolve = resolve
        self.followsRedirects = followsRedirects
        self.keepsCookies = keepsCookies
        self.usesCache = usesCache
    }
}
