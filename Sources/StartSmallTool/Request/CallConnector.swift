import Foundation
import StartSmall
import StartSmallCaching
import StartSmallCookies

/// The connector of a call, with wrappers for its options.
enum CallConnector {
    /// Creates a connector like `.standard`, which follows redirects only on request, as curl and HTTPie do.
    ///
    /// The time limit includes all retries. With retries, an interrupted download to a file continues.
    ///
    /// - Parameters:
    ///   - engine: the connector that sends requests.
    ///   - call: the call with its options.
    ///   - console: the console for the output of `-v` and `--trace`.
    ///   - clock: the clock of the time limit and of retries.
    ///   - jar: the cookies of the call; nil for none.
    static func connector(
        over engine: Connector,
        for call: Call,
        _ console: Console,
        clock: any Clock<Duration>,
        jar: CookieJar?
    ) -> Connector {
        var wrappers: [Wrapper] = []
        let redaction = call.redaction
        if call.tracing { wrappers.append(.listen(to: Trace.listener(console, clock: clock, redaction: redaction))) }
        if console.isTerminal(.error), !call.isVerbose { wrappers.append(.listen(to: notices(console, redaction))) }
        if let timeout = call.timeout { wrappers.append(.timeout(timeout, clock: clock)) }
        if call.retries > 0 {
            wrappers.append(.resumeDownloads(.exponential(attempts: call.retries + 1), clock: clock))
            let condition = RetryCondition.standard.or(.throttled)
            wrappers.append(.retry(.exponential(attempts: call.retries + 1, condition: condition), clock: clock))
        }
        if call.followsRedirects { wrappers.append(.redirect()) }
        wrappers.append(.limitPayload())
        // Inside of redirects, so that each hop has its cookies and its stored response; the cache inside of the
        // cookies, by which it tells identities apart.
        if let jar { wrappers.append(.cookies(in: jar)) }
        if let path = call.cache { wrappers.append(.cache(in: .directory(URL(fileURLWithPath: path)))) }
        if call.isVerbose { wrappers.append(ResponseHead(call: call, console: console).tracing()) }
        return engine.wrapped(by: wrappers)
    }

    /// Shows redirects and retries, so that a user knows what the call waits for.
    private static func notices(_ console: Console, _ redaction: Redaction) -> Listener {
        Listener { (event: Event) in
            switch event {
            case .redirecting(let redirection): console.error(redirection.description(redacting: redaction), .faint)
            case .retrying(let retrying): console.error("retry: \(Trace.text(of: retrying, redaction))", .faint)
            case .custom("resuming", let detail): console.error("resuming \(redaction.shown(text: detail))", .faint)
            default: break
            }
        }
    }
}
