extension ConnectionOptions {
    /// The probes of TCP by which a connection without traffic stays open, and one whose other end is gone ends.
    ///
    /// NAT gateways and load balancers forget a connection without traffic after 350 seconds (AWS) or less, and drop
    /// its next packets without a word: a call whose answer takes minutes would wait for one that can't arrive. A probe
    /// is traffic to them (RFC 9293 3.8.4).
    ///
    /// Proxies that end connections of HTTP themselves often wait for 60 to 100 seconds for the next byte of a response.
    /// Probes don't reach them, and are no byte: only the server can keep such a connection, with bytes of its own.
    /// ``ConnectionOptions/idleTimeout`` does not count probes either.
    public struct TCPKeepAlive: Equatable, Sendable {
        /// The time without traffic after which the first probe is sent; whole seconds, at least 1.
        public var idle: Duration

        /// The time between a probe without an answer and the next one; whole seconds, at least 1.
        ///
        /// After nine of them, by default of Linux, the connection is lost: 195 seconds after its last packet.
        public var interval: Duration

        /// The default time before the first probe: 60 seconds.
        ///
        /// A quarter of the 240 seconds of Azure's load balancers, and less of the 350 seconds of AWS. The default of
        /// Linux, two hours, is longer than either allows.
        @usableFromInline static let defaultIdle = Duration.seconds(60)

        /// The default time between two probes: 15 seconds, a quarter of the time before the first one.
        @usableFromInline static let defaultInterval = Duration.seconds(15)

        /// Creates the option with the default of each omitted parameter.
        public init(idle: Duration = defaultIdle, interval: Duration = defaultInterval) {
            (self.idle, self.interval) = (idle, interval)
        }
    }
}

extension ConnectionOptions {
    /// The options for calls whose answer takes minutes, such as those of language models that do not stream.
    ///
    /// A connection must be there within 5 seconds, and a call may be silent for 10 minutes, the limit of the SDKs of
    /// OpenAI and Anthropic. Add a ``Wrapper/timeout(_:clock:)`` where a person waits. A `URLSession` has one limit for
    /// both, so that a host that can't be reached fails after 10 minutes, or the limit of the call.
    public static let longRunning = ConnectionOptions(connectTimeout: .seconds(5), idleTimeout: .seconds(600))
}
