/// The progress of one attempt of a call, in bytes of payload.
public struct TransferProgress: Equatable, Sendable {
    /// The number of bytes transferred so far, and the total.
    public struct Count: Equatable, Sendable {
        /// The number of bytes so far.
        public var bytes: Int64

        /// The total number of bytes; nil if it is unknown.
        public var total: Int64?

        /// Creates a count.
        public init(bytes: Int64 = 0, total: Int64? = nil) {
            self.bytes = bytes
            self.total = total
        }

        /// The fraction that is transferred, from 0 to 1; nil if the total is unknown.
        public var fraction: Double? {
            guard let total, total > 0 else { return nil }
            return min(1, Double(bytes) / Double(total))
        }

        /// Returns the count with earlier bytes added; a sum that overflows becomes the largest number.
        package func behind(_ before: Int) -> Count {
            let sum = { (count: Int64) in
                let (sum, isTooMuch) = count.addingReportingOverflow(Int64(before))
                return isTooMuch ? Int64.max : sum
            }
            return Count(bytes: sum(bytes), total: total.map(sum))
        }
    }

    /// The number of the request within its call, from 1; each redirect and each retry is another request.
    ///
    /// The count of ``received`` starts anew with each request, unless a download is resumed.
    public var attempt: Int

    /// The status of the response; nil until the head arrives, or if the engine can't report it.
    public var status: HTTPStatus?

    /// The progress of the request's payload.
    public var sent: Count

    /// The progress of the response's payload, on the wire or decompressed, whichever the engine can report.
    ///
    /// The total is the value of `Content-Length`, and at the end, the number of bytes that arrived. For a download
    /// that is resumed (``Wrapper/resumeDownloads(_:clock:random:now:)``), the bytes that arrived before count, too.
    /// The total is known only for a success (2xx): the payload of a redirect or a refusal is not the requested one,
    /// and not a fraction of it.
    public var received: Count

    /// Creates a progress.
    public init(attempt: Int = 1, status: HTTPStatus? = nil, sent: Count = Count(), received: Count = Count()) {
        self.attempt = attempt
        self.status = status
        self.sent = sent
        self.received = received
    }
}

extension TransferProgress: CustomStringConvertible {
    /// The bytes sent and received, on one line, with the number of a later attempt and a status that is not a success.
    public var description: String {
        let number = attempt > 1 ? "attempt \(attempt): " : ""
        let refusal = status.flatMap { $0.isSuccess ? nil : " of \($0)" } ?? ""
        return "\(number)sent \(sent), received \(received)\(refusal)"
    }

    /// Returns the progress as that of an attempt; the total is known only for a success.
    func ofAttempt(_ number: Int) -> TransferProgress {
        var progress = self
        progress.attempt = number
        if status?.isSuccess == false { progress.received.total = nil }
        return progress
    }
}

extension TransferProgress.Count: CustomStringConvertible {
    /// The bytes and the total, such as `10 of 20 bytes`.
    public var description: String {
        total.map { "\(bytes) of \($0) bytes" } ?? "\(bytes) bytes"
    }
}
