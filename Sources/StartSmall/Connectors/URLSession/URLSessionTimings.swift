import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RequestTimings {
    /// Creates the timings of a task's last request; nil on Linux, where Foundation measures nothing.
    init?(_ metrics: URLSessionTaskMetrics) {
        guard let last = metrics.transactionMetrics.last, let start = last.fetchStartDate else { return nil }
        let time = { (date: Date?) in date.map { Duration.seconds($0.timeIntervalSince(start)) } }
        let port = last.remotePort.map { ":\($0)" } ?? ""
        self.init(
            nameLookup: time(last.domainLookupEndDate),
            connect: time(last.connectEndDate),
            secureConnection: time(last.secureConnectionEndDate),
            firstByte: time(last.responseStartDate),
            total: time(last.responseEndDate) ?? .seconds(metrics.taskInterval.duration),
            reusedConnection: last.isReusedConnection,
            httpVersion: last.networkProtocolName.flatMap { Self.versions[$0] },
            remoteAddress: last.remoteAddress.map { ($0.contains(":") ? "[\($0)]" : $0) + port }
        )
    }

    /// The versions of HTTP by the names of protocols in TLS (RFC 7301, the IANA registry of ALPN protocol IDs).
    private static let versions = ["http/1.0": "1.0", "http/1.1": "1.1", "h2": "2", "h3": "3"]
}
