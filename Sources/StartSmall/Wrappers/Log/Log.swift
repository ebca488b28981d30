public import StartSmallCore
import StartSmallSupport
import Synchronization

extension Wrapper {
    /// Writes one line when a call begins, and another with its outcome and duration when it ends.
    ///
    /// ```
    /// #1 → GET https://api.github.com/zen
    /// #1 ← 200 OK, 19 bytes, 0.012 s
    /// ```
    ///
    /// A higher ``LogVerbosity`` adds further lines. Lines that belong together are passed to `print` as one text, so
    /// that concurrent calls do not mix their lines. `print` is called from any thread. A call with an open
    /// ``Response/body`` ends with the body, and its size is the number of bytes that were read.
    ///
    /// - Parameters:
    ///   - detail: the verbosity of the log.
    ///   - redaction: the rules by which credentials are redacted.
    ///   - clock: the clock that measures durations.
    ///   - print: writes a text, which may have several lines; by default to standard output.
    /// - Passes through: all calls; neither input nor output is changed.
    /// - Order: outermost for a log of calls, innermost for a log of the requests on the wire: each attempt, each
    ///   redirect.
    /// - State: the number of the last call, created once per wrap.
    public static func log(
        _ detail: LogVerbosity = .line,
        redacting redaction: Redaction = .standard,
        clock: some Clock<Duration> = ContinuousClock(),
        print: @escaping @Sendable (String) -> Void = { Swift.print($0) }
    ) -> Wrapper {
        logging(detail, redaction, clock, began: { print("\($0)") }, ended: { print("\($0)") })
    }

    /// Passes the request, the outcome and the duration of each call to `entry` when it ends, from any thread.
    ///
    /// A call with an open ``Response/body`` ends with the body.
    ///
    /// - SeeAlso: ``log(_:redacting:clock:print:)``
    @_disfavoredOverload  // `.log { print($0) }` prints lines: a closure that fits both selects the other overload.
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
        Wrapper("log") { connector in
            if detail == .off { return connector }
            let count = Atomic(0)
            let time = clock.timeSinceNow()
            let wrapper = Wrapper { input, next in
                let detail = input.options[ChosenVerbosity.self] ?? detail
                if next.context.isDryRun || detail == .off { return await next(input) }
                let number = count.wrappingAdd(1, ordering: .relaxed).newValue
                let begun = LogEntry(number, input, detail, redaction)
                began(begun)
                let start = time()
                return await next(input).whenEnded { output in
                    var entry = begun
                    entry.end(with: output, of: input, after: time() - start, detail, redaction)
                    ended(entry)
                }
            }
            return connector.wrapped(by: wrapper)
        }
    }
}
