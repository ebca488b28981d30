extension CallMetrics {
    /// Figures as they stood at one moment.
    public struct Snapshot: Hashable, Sendable {
        /// What calls of each name came to.
        public var endpoints: [String: EndpointStatistics]

        /// Creates a snapshot.
        public init(endpoints: [String: EndpointStatistics] = [:]) {
            self.endpoints = endpoints
        }
    }

    /// Figures of the calls of one name.
    public struct EndpointStatistics: Hashable, Sendable {
        /// Calls that run.
        public var inFlight: Int

        /// How long calls took that are over, by what they got.
        public var latencies: [StatusClass: Histogram]

        /// The number of failed calls, by reason.
        ///
        /// A reason is a name of ``ConnectionError``, or `refused`, `malformed`, `invalid`, `cancelled`.
        public var failures: [String: Int]

        /// Creates figures.
        public init(
            inFlight: Int = 0,
            latencies: [StatusClass: Histogram] = [:],
            failures: [String: Int] = [:]
        ) {
            self.inFlight = inFlight
            self.latencies = latencies
            self.failures = failures
        }

        /// Calls that are over.
        public var count: Int {
            latencies.values.reduce(0) { $0 + $1.count }
        }

        /// Calls that failed, for whatever reason.
        public var errors: Int {
            failures.values.reduce(0, +)
        }
    }

    /// What a call got: the first digit of its status, or nothing.
    public enum StatusClass: String, Hashable, Sendable, CaseIterable {
        /// There was no response, nor the head of one.
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

        /// A status that HTTP does not know.
        case other

        /// The class of a status.
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

    /// How many of some durations were how long.
    public struct Histogram: Hashable, Sendable {
        /// The durations up to and including a bound that are longer than the bound before.
        public struct Bucket: Hashable, Sendable {
            /// The longest duration in here.
            public var bound: Duration

            /// How many there are.
            public var count: Int
        }

        /// One for each bound, in rising order.
        public private(set) var buckets: [Bucket]

        /// How many durations there are, those over the last bound included.
        public private(set) var count = 0

        /// All durations together.
        public private(set) var sum = Duration.zero

        /// Creates an empty histogram; the bounds must rise.
        init(bounds: [Duration]) {
            buckets = bounds.map { Bucket(bound: $0, count: 0) }
        }

        /// A duration below zero, of a clock that was set back, counts as zero.
        mutating func add(_ duration: Duration) {
            let duration = max(duration, .zero)
            count += 1
            sum += duration
            if let index = buckets.firstIndex(where: { duration <= $0.bound }) { buckets[index].count += 1 }
        }
    }
}
