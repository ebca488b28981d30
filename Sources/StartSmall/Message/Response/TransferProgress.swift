/// The progress of one attempt of a call, in bytes of payload.
public struct TransferProgress: Hashable, Sendable {
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

    /// The number of the request within its call, from 1: each redirect and each retry is another one.
    ///
    /// What is received begins anew with each, unless a download is gone on with.
    public var attempt: Int

    /// The status of the response; nil as long as its head has not come, or where the engine can't tell.
    public var status: HTTPStatus?

    /// The request's payload.
    public var sent: Count

    /// The response's payload, as it arrives on the wire or decompressed, whichever the engine can tell.
    ///
    /// The whole is what `Content-Length` says, and when all is over, what came. Of a download that is gone on with
    /// (``Wrapper/resumeDownloads()``), what came before counts, too. The whole is known of a success (2xx) alone: the
    /// payload of a redirect or a refusal is not the one that was asked for, and no fraction of it.
    public var received: Count

    /// Creates a progress.
    ///
    /// - Parameters:
    ///   - attempt: the number of the request within its call, which the call sets.
    ///   - status: the status of the response.
    ///   - sent: the request's payload.
    ///   - received: the response's payload.
    public init(attempt: Int = 1, status: HTTPStatus? = nil, sent: Count = Count(), received: Count = Count()) {
        self.attempt = attempt
        self.status = status
        self.sent = sent
        self.received = received
    }
}

extension TransferProgress: CustomStringConvertible {
    /// The bytes sent and received, on one line, with the number of a further attempt, and a status that is no success.
    public var description: String {
        let number = attempt > 1 ? "attempt \(attempt): " : ""
        let refusal = status.flatMap { $0.isSuccess ? nil : " of \($0)" } ?? ""
        return "\(number)sent \(sent), received \(received)\(refusal)"
    }

    /// The same as one of an attempt; only of a success is the whole known.
    func ofAttempt(_ number: Int) -> TransferProgress {
        var progress = self
        progress.attempt = number
        if status?.isSuccess == false { progress.received.total = nil }
        return progress
    }
}

extension TransferProgress.Count: CustomStringConvertible {
    /// Such as `10 of 20 bytes`.
    public var description: String {
        total.map { "\(bytes) of \($0) bytes" } ?? "\(bytes) bytes"
    }
}
