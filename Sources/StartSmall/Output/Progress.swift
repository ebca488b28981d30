/// How far a call has come, in bytes of payload.
public struct Progress: Hashable, Sendable {
    /// How much of something has gone by, and how much there is of it.
    public struct Count: Hashable, Sendable {
        /// Bytes so far.
        public var bytes: Int64

        /// Bytes in all, or nil if that is not known.
        public var total: Int64?

        /// Creates a count.
        public init(bytes: Int64 = 0, total: Int64? = nil) {
            self.bytes = bytes
            self.total = total
        }

        /// The part that has gone by, from 0 to 1, or nil if the whole is not known.
        public var fraction: Double? {
            guard let total, total > 0 else { return nil }
            return min(1, Double(bytes) / Double(total))
        }

        /// The same behind so many bytes that had gone by before; what can't be counted is as much as can be.
        func behind(_ before: Int) -> Count {
            let sum = { (count: Int64) in
                let (sum, isTooMuch) = count.addingReportingOverflow(Int64(before))
                return isTooMuch ? Int64.max : sum
            }
            return Count(bytes: sum(bytes), total: total.map(sum))
        }
    }

    /// The request's payload.
    public var sent: Count

    /// The response's payload, as it arrives on the wire or decompressed, whichever the engine can tell.
    ///
    /// The whole is what `Content-Length` says, and when all is over, what came. Of a download that is gone on with
    /// (``Wrapper/resumeDownloads()``), what came before counts, too.
    public var received: Count

    /// Creates a progress.
    public init(sent: Count = Count(), received: Count = Count()) {
        self.sent = sent
        self.received = received
    }
}

extension Progress: CustomStringConvertible {
    /// What was sent and received, on one line.
    public var description: String {
        "sent \(sent), received \(received)"
    }
}

extension Progress.Count: CustomStringConvertible {
    /// Such as `10 of 20 bytes`.
    public var description: String {
        total.map { "\(bytes) of \($0) bytes" } ?? "\(bytes) bytes"
    }
}
