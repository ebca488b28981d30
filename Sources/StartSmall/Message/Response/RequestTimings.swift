/// Where the time of a request over the network went, and what carried it.
///
/// Each time is counted from the start of the request, so that each includes those before it; nil where a phase did not
/// take place, as on a connection used again, or where the engine can't tell.
public struct RequestTimings: Hashable, Sendable {
    /// The host's name had an address.
    public var nameLookup: Duration?

    /// The connection stood.
    public var connect: Duration?

    /// TLS stood.
    public var secureConnection: Duration?

    /// The first byte of the response came.
    public var firstByte: Duration?

    /// All was over.
    public var total: Duration

    /// Bytes of payload sent.
    public var sentBytes: Int64

    /// Bytes of payload received, on the wire.
    public var receivedBytes: Int64

    /// Whether the connection had been used before; nil where the engine can't tell.
    public var reusedConnection: Bool?

    /// Such as `1.1` or `2`; nil where the engine can't tell.
    public var httpVersion: String?

    /// The address and port of the other side; nil where the engine can't tell.
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
        remoteAddress: String? = nil
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
    }
}

extension RequestTimings: CustomStringConvertible {
    /// What is known, on one line.
    public var description: String {
        let times = [("name", nameLookup), ("connect", connect), ("tls", secureConnection), ("first byte", firstByte)]
        let known = times.compactMap { name, time in time.map { "\(name) \($0)" } }
        let connection = [
            reusedConnection.map { $0 ? "reused" : "new" }, httpVersion.map { "HTTP/\($0)" }, remoteAddress,
        ]
        let counts = "sent \(sentBytes) bytes, received \(receivedBytes) bytes"
        return (known + ["total \(total)", counts] + connection.compactMap { $0 }).joined(separator: ", ")
    }
}
