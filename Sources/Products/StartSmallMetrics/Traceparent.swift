public import StartSmallCore

extension Wrapper {
    /// Adds `traceparent` and, if present, `tracestate` to each request, as a span of a trace (W3C Trace Context).
    ///
    /// The request is a child of ``TraceContext/current``, or begins a trace if there is none. This wrapper records no
    /// spans; the header fields let servers relate their spans.
    ///
    /// - Parameters:
    ///   - sampled: whether a trace that begins here asks the servers to record it; most servers sample so that they do
    ///     not record unless the caller asks.
    ///   - random: generates uniformly random bits for the IDs.
    /// - Passes through: requests that already have a `traceparent`, and so their own `tracestate`.
    /// - Order: outside of `.retry`, all attempts are one span; inside of it, each attempt is its own span.
    public static func traceparent(
        sampled: Bool = true,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    ) -> Wrapper {
        Wrapper("traceparent") { input, next in
            if input.headers.contains("traceparent") { return await next(input) }
            let context = TraceContext.current?.child(spanID: random()) ?? .beginning(sampled, random)
            return await next(
                input.with {
                    $0.headers.append("traceparent", context.traceparent)
                    // Without the parent that it belongs to, an existing `tracestate` would describe another trace
                    // (3.3).
                    $0.headers["tracestate"] = context.tracestate
                }
            )
        }
    }
}

extension TraceContext {
    /// Returns a span without a parent, of a new trace.
    fileprivate static func beginning(_ isSampled: Bool, _ random: () -> UInt64) -> TraceContext {
        let traceID = UInt128(random()) << 64 | UInt128(random())
        return TraceContext(traceID: traceID, spanID: random(), isSampled: isSampled, isRandom: true)
    }
}
