public import StartSmallCore

extension CallMetrics {
    /// The metrics at one moment.
    public struct Snapshot: Hashable, Sendable {
        /// The statistics of the calls, by name.
        public internal(set) var endpoints: [String: EndpointStatistics] = [:]
    }

    /// The statistics of the calls of one name.
    public struct EndpointStatistics: Hashable, Sendable {
        /// The number of running calls.
        public internal(set) var inFlight = 0

        /// The durations of ended calls, by status class.
        public internal(set) var latencies: [StatusClass: Histogram] = [:]

        /// The number of failed calls, by reason: a name of `ConnectionError`, or `rejected`, `malformed`, `invalid`,
        /// `cancelled`.
        public internal(set) var failures: [String: Int] = [:]

        /// The number of ended calls.
        public var count: Int {
            latencies.values.reduce(0) { $0 + $1.count }
        }

        /// The number of failed calls, for any reason.
        public var errors: Int {
            failures.values.reduce(0, +)
        }
    }

    /// The class of a call's status: the first digit, or none.
    public enum StatusClass: String, Hashable, Sendable, CaseIterable {
        /// No response, and no response head, was received.
        case none

        /// 1xx.
        case informational = "1xx"

        /// 2xx.
        case success = "2xx"

        /// 3xx.
        case redirection = "3xx"

        /// 4xx.
        case clientError = "4xx"

        /// 5xx.
        case serverError = "5xx"

        /// A status outside of the classes of HTTP.
        case other

        /// Creates the class of a status.
        public init(_ status: HTTPStatus) {
            self =
                switch status {
                case _ where status.isInformational: .informational
                case _ where status.isSuccess: .success
                case _ where status.isRedirection: .redirection
                case _ where status.isClientError: .clientError
                case _ where status.isServerError: .serverError
                default: .other
                }
        }
    }

    /// A histogram of durations.
    public struct Histogram: Hashable, Sendable {
        /// The number of durations up to and including a bound, and longer than the bound before.
        public struct Bucket: Hashable, Sendable {
            /// The longest duration of this bucket.
            public var bound: Duration

            /// The number of durations in this bucket.
            public var count: Int
        }

        /// One bucket for each bound, in ascending order.
        public private(set) var buckets: [Bucket]

        /// The number of durations, including those over the last bound.
        public private(set) var count = 0

        /// The sum of all durations.
        public private(set) var sum = Duration.zero

        /// Creates an empty histogram; the bounds must ascend.
        init(bounds: [Duration]) {
            buckets = bounds.map { Bucket(bound: $0, count: 0) }
        }

        /// Adds a duration; one below zero, from a clock that was set back, counts as zero.
        mutating func add(_ duration: Duration) {
            let duration = max(duration, .zero)
            count += 1
            sum += duration
            if let index = buckets.firstIndex(where: { duration <= $0.bound }) { buckets[index].count += 1 }
        }
    }
}
