/// The times of the phases of a request over the network, and the connection that was used.
///
/// Each time is measured from the start of the request, so that it includes the phases before. A time is nil if the
/// phase did not take place, as on a reused connection, or if the engine can't report it.
public struct RequestTimings: Equatable, Sendable {
    /// The time until which the request waited for a connection, or for the permission to open one; nil if the engine
    /// can't report it.
    public var queued: Duration?

    /// The time at which the address of the host name was known.
    public var nameLookup: Duration?

    /// The time at which the connection was established.
    public var connect: Duration?

    /// The time at which the TLS handshake completed.
    public var secureConnection: Duration?

    /// The time at which the first byte of the response arrived.
    public var firstByte: Duration?

    /// The time at which the request ended.
    public var total: Duration

    /// The number of bytes of payload sent.
    public var sentBytes: Int64

    /// The number of bytes of payload received, on the wire.
    public var receivedBytes: Int64

    /// Whether the connection had been used before; nil if the engine can't report it.
    public var reusedConnection: Bool?

    /// The HTTP version, such as `1.1` or `2`; nil if the engine can't report it.
    public var httpVersion: String?

    /// The address and port of the peer; nil if the engine can't report it.
    public var remoteAddress: String?

    /// Creates timings.
    public init(
        nameLookup: Duration? = nil,
        connect: Duration? = nil,
        secureConnection: Duration? = nil,
        firstByte: Duration? = nil,
        total: Duration,
        sentBytes: Int64 = 0,
        receivedBytes: Int64 = 0,
        reusedConnection: Bool? = nil,
        httpVersion: String? = nil,
        remoteAddress: String? = nil,
        queued: Duration? = nil
    ) {
        self.nameLookup = nameLookup
        self.connect = connect
        self.secureConnection = secureConnection
        self.firstByte = firstByte
        self.total = total
        self.sentBytes = sentBytes
        self.receivedBytes = receivedBytes
        self.reusedConnection = reusedConnection
        self.httpVersion = httpVersion
        self.remoteAddress = remoteAddress
        self.queued = queued
    }
}

extension RequestTimings: CustomStringConvertible {
    /// The known values, on one line.
    public var description: String {
        let times = [
            ("queued", queued.flatMap { $0 > .zero ? $0 : nil }), ("name", nameLookup), ("connect", connect),
            ("tls", secureConnection), ("first byte", firstByte),
        ]
        let known = times.compactMap { name, time in time.map { "\(name) \($0)" } }
        let connection = [
            reusedConnection.map { $0 ? "reused" : "new" }, httpVersion.map { "HTTP/\($0)" }, remoteAddress,
        ]
        let counts = "sent \(sentBytes) bytes, received \(receivedBytes) bytes"
        return (known + ["total \(total)", counts] + connection.compactMap { $0 }).joined(separator: ", ")
    }
}
