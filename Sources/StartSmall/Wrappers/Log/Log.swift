import Synchronization

extension Wrapper {
    /// Wrapper that writes a line when a call begins, and another with what came of it and how long it took.
    ///
    /// ```
    /// #1 → GET https://api.github.com/zen
    /// #1 ← 200 OK, 19 bytes, 0.012 s
    /// ```
    ///
    /// With more ``LogVerbosity`` further lines follow. Whatever belongs together is given to `print` as one text, so that calls
    /// at the same time do not get between each other's lines; `print` is called from any thread.
    ///
    /// - Unchanged when: always; neither input nor output is touched.
    /// - Order: outermost for a log of calls, innermost for a log of what goes over the wire: each try, each redirect.
    /// - State: the number of the last call, made once per wrap.
    public static func log(
        _ detail: LogVerbosity = .line,
        redacting redaction: Redaction = .standard,
        clock: some Clock<Duration> = ContinuousClock(),
        print: @escaping @Sendable (String) -> Void = { Swift.print($0) }
    ) -> Wrapper {
        logging(detail, redaction, clock, began: { print("\($0)") }, ended: { print("\($0)") })
    }

    /// Wrapper that gives one value for each call when it is over: what was sent, what came of it, and how long it took.
    ///
    /// - Unchanged when: always; neither input nor output is touched.
    /// - Order: outermost for a log of calls, innermost for a log of what goes over the wire: each try, each redirect.
    /// - State: the number of the last call, made once per wrap.
    @_disfavoredOverload  // `.log { print($0) }` prints lines: what fits both forms is the other one.
    public static func log(
        _ detail: LogVerbosity = .line,
        redacting redaction: Redaction = .standard,
        clock: some Clock<Duration> = ContinuousClock(),
        entry: @escaping @Sendable (LogEntry) -> Void
    ) -> Wrapper {
        logging(detail, redaction, clock, began: { _ in }, ended: entry)
    }

    private static func logging(
        _ detail: LogVerbosity,
        _ redaction: Redaction,
        _ clock: some Clock<Duration>,
        began: @escaping @Sendable (LogEntry) -> Void,
        ended: @escaping @Sendable (LogEntry) -> Void
    ) -> Wrapper {
        Wrapper(wrapping: { connector in
            if detail == .off { return connector }
            let count = Atomic(0)
            let time = clock.timeSinceNow()
            let wrapper = Wrapper { input, next in
                let number = count.wrappingAdd(1, ordering: .relaxed).newValue
                var entry = LogEntry(number, input, detail, redaction)
                began(entry)
                let start = time()
                let output = await next(input)
                entry.end(with: output, after: time() - start, detail, redaction)
                ended(entry)
                return output
            }
            return connector.wrapped(by: wrapper)
        })
    }
}
