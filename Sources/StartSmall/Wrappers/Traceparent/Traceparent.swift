extension Wrapper {
    /// Wrapper that makes each request a span of a trace (W3C Trace Context): `traceparent`, and `tracestate` if there is one.
    ///
    /// The request is a child of ``TraceContext/current``, or begins a trace where there is none. Nothing is recorded here:
    /// the servers are told what belongs together.
    ///
    /// - Unchanged when: the request has a `traceparent`; then it has its own `tracestate` too.
    /// - Order: outside of what tries again, all attempts are one span; inside of it, each is one of its own.
    /// - Parameters:
    ///   - sampled: whether a trace that begins here asks the servers to record it; by the sampling that most have, they
    ///     don't if the caller does not ask.
    ///   - random: what ids are made of.
    public static func traceparent(
        sampled: Bool = true,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) -> Wrapper {
        Wrapper { input, next in
            if input.headers.contains("traceparent") { return await next(input) }
            let context = TraceContext.current?.child(spanID: random()) ?? .beginning(sampled, random)
            return await next(
                input.with {
                    $0.headers.append("traceparent", context.traceparent)
                    // Without the parent that it came with, it would speak of another trace (3.3).
                    $0.headers["tracestate"] = context.tracestate
                }
            )
        }
    }
}

extension TraceContext {
    /// A span without a parent, of a trace that nobody else has.
    fileprivate static func beginning(_ isSampled: Bool, _ random: () -> UInt64) -> TraceContext {
        let traceID = UInt128(random()) << 64 | UInt128(random())
        return TraceContext(traceID: traceID, spanID: random(), isSampled: isSampled, isRandom: true)
    }
}
