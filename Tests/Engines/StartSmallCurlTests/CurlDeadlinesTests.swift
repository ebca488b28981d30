#if os(Linux)
    import Testing

    import StartSmall
    @testable import StartSmallCurl

    @Suite("the time limits of the engine for Linux") struct CurlDeadlinesTests {
        typealias Wait = CurlDeadlines.Wait
        private static let second: Int64 = 1_000_000_000

        /// What a call waits for, the idle timeout, and the seconds from 7 on after which the call is overdue.
        private static let limits: [(Wait, ConnectionOptions.IdleTimeout, Int64, String)] = [
            (.connection(since: 7, isBlocked: false), nil, 5, "connectTimeout"),
            (.connection(since: 5, isBlocked: false), nil, 5, "connectTimeout"),
            (.connecting(since: 7), nil, 5, "connectTimeout"),
            (.bytes(since: 7, remainingTime: nil), .seconds(2), 2, "idleTimeout"),
            (.bytes(since: 7, remainingTime: .seconds(60)), .seconds(2), 2, "idleTimeout"),
            (.bytes(since: 7, remainingTime: nil), .automatic, 15, "idleTimeout"),
            (.bytes(since: 7, remainingTime: .seconds(5)), .automatic, 15, "idleTimeout"),
            (.bytes(since: 7, remainingTime: .seconds(60)), .automatic, 61, "idleTimeout"),
        ]

        @Test("a call is overdue at its limit, and not before, when the next check is scheduled", arguments: limits)
        func overdue(_ limit: (wait: Wait, idle: ConnectionOptions.IdleTimeout, seconds: Int64, option: String)) {
            let end = 7 + limit.seconds * Self.second
            for now in [7, end - 1, end, end + 1] {
                var deadlines = CurlDeadlines(ConnectionOptions(connectTimeout: .seconds(5), idleTimeout: limit.idle))
                deadlines.lastEnd = 7
                let overdue = deadlines.overdue(limit.wait, at: now)
                #expect(overdue?.option == (now < end ? nil : limit.option))
                #expect(overdue == nil || overdue?.limit == limit.seconds * Self.second)
                #expect(deadlines.call == (now < end ? end : .max))
            }
        }

        @Test("a call that others block, or that has another limit or none, is never overdue")
        func neverOverdue() {
            for (wait, seconds) in [(.connection(since: 7, isBlocked: true), 5), (.limitedHead, 2)] as [(Wait, Int64)] {
                var limited = CurlDeadlines(ConnectionOptions(connectTimeout: .seconds(5), idleTimeout: .seconds(2)))
                let overdue = limited.overdue(wait, at: 100 * Self.second)
                #expect(overdue == nil && limited.call == (100 + seconds) * Self.second)
            }
            var unlimited = CurlDeadlines(ConnectionOptions(connectTimeout: nil, idleTimeout: nil))
            unlimited.callBegins(at: 7)
            let overdue = Self.limits.compactMap { unlimited.overdue($0.0, at: .max / 2) }
            #expect(overdue.isEmpty && unlimited.call == .max)
        }

        @Test("the payload of a redirect is given up at its time, though another limit is checked before")
        func redirect() {
            var deadlines = CurlDeadlines(ConnectionOptions())
            deadlines.schedule(8)
            let (early, due) = (deadlines.givesUpRedirect(since: 7, at: 8), deadlines.call)
            deadlines.beginCheck()
            let (later, end) = (deadlines.givesUpRedirect(since: 7, at: 9), deadlines.call)
            let isOver = deadlines.givesUpRedirect(since: 7, at: end)
            #expect(!early && due == 8 && !later && end == 100_000_007 && isOver)
        }

        @Test(
            "the thread sleeps until the earliest of the times that apply",
            arguments: [
                (CurlDeadlines.Activity(), .max), (CurlDeadlines.Activity(hasProgress: true), 50_000_007),
                (CurlDeadlines.Activity(isConnecting: true), 250_000_007),
                (CurlDeadlines.Activity(isIdle: true), 60 * second + 3),
                (CurlDeadlines.Activity(isIdle: true, libraryTimeLeft: 2), 2_000_007),
                (CurlDeadlines.Activity(hasProgress: true, isConnecting: true, isIdle: true), 50_000_007),
            ] as [(CurlDeadlines.Activity, Int64)]
        )
        func next(activity: CurlDeadlines.Activity, due: Int64) {
            var deadlines = CurlDeadlines(ConnectionOptions(idleConnectionAge: .seconds(60)))
            deadlines.idleSince = 3
            let reports = [7, 8].map { deadlines.reportsProgress(at: $0) }
            let checks = [(false, 7), (true, 8)].map { deadlines.checksConnecting($0, at: $1) }
            let next = deadlines.next(activity, at: 7)
            let laterChecks = [250_000_007, 250_000_008].map { deadlines.checksConnecting(true, at: $0) }
            #expect(reports == [true, false] && checks + laterChecks == [false, false, true, false] && next == due)
        }
    }
#endif
