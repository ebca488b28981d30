import Foundation
import StartSmall
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallDiagnostics

@Suite(.timeLimit(.minutes(1))) struct TimelineTests {
    private struct Looking: ReportedEvent, CustomStringConvertible {
        var name: String { "looking" }
        var description = "here"
    }

    private static let input = get("https://api.example.com/a?page=1")

    private static func get(_ url: String) -> Input { Input(url: URL(string: url) ?? Fixture.url) }

    private static let looking = Event.reported(Looking())

    /// Returns the timeline of a call that begins at 1,000 ms, with each event at its time in milliseconds.
    private func timeline(of events: (Int, Event)..., end: Int, input: Input? = Self.input) throws -> Timeline {
        var open = OpenTimeline(input, at: .seconds(1), .standard)
        for (time, event) in events { #expect(open.add(event, at: .milliseconds(1_000 + time)) == nil) }
        let timeline = open.add(.ended, at: .milliseconds(1_000 + end))
        return try #require(timeline)
    }

    /// Returns the parts as texts: the label, and each phase with its start and end in milliseconds.
    private func parts(of timeline: Timeline) -> [String] {
        let time = { (time: Duration) in "\(Int((time - timeline.start) / .milliseconds(1)))" }
        return timeline.parts.map { part in
            let spans = part.spans.map { " \($0.phase.rawValue) \(time($0.start))–\(time($0.end))" }
            return part.label + ":" + spans.joined(separator: ",")
        }
    }

    @Test("a request has its phases, one after the other, up to the time of its event")
    func phases() throws {
        let timings = RequestTimings(
            nameLookup: .milliseconds(20),
            connect: .milliseconds(30),
            secureConnection: .milliseconds(50),
            firstByte: .milliseconds(80),
            total: .milliseconds(90),
            reusedConnection: false,
            httpVersion: "2",
            queued: .milliseconds(10)
        )
        let timeline = try timeline(of: (100, .timings(timings)), (101, .received(Fixture.ok)), end: 102)
        #expect(
            parts(of: timeline) == [
                """
                request 1, HTTP/2, new: queued 10–20, name lookup 20–30, connect 30–40, TLS 40–60, first byte 60–90, \
                payload 90–100
                """
            ]
        )
        #expect(timeline.title == "GET https://api.example.com/a?page=1")
        #expect(timeline.outcome == "200 OK")
        #expect((timeline.start, timeline.end) == (.seconds(1), .milliseconds(1_102)))
    }

    @Test("phases that are missing, too early or too late leave no gap and never go back")
    func oddPhases() throws {
        let early = RequestTimings(
            nameLookup: .milliseconds(30),
            connect: .milliseconds(10),
            firstByte: .milliseconds(500),
            total: .milliseconds(50)
        )
        let unanswered = RequestTimings(connect: .milliseconds(10), total: .milliseconds(40))
        let long = RequestTimings(firstByte: .milliseconds(10), total: .seconds(60))
        let timeline = try timeline(
            of: (50, .timings(early)),
            (100, .timings(unanswered)),
            (120, .timings(long)),
            (130, .timings(RequestTimings(total: .zero))),
            end: 130
        )
        #expect(
            parts(of: timeline) == [
                "request 1: name lookup 0–30, first byte 30–50", "request 3: first byte 0–10, payload 10–120",
                "request 2: connect 60–70, first byte 70–100", "request 4: first byte 130–130",
            ]
        )
    }

    @Test("a wait ends at the next event, or at the start of the next request, and not at one that began before")
    func waits() throws {
        let request = Event.timings(RequestTimings(firstByte: .milliseconds(20), total: .milliseconds(20)))
        let progress = Event.progress(TransferProgress())
        let retried = try timeline(of: (30, Self.looking), (80, progress), (90, request), end: 90)
        #expect(parts(of: retried) == ["looking: here: wait 30–70", "request 1: first byte 70–90"])
        let hedged = try timeline(of: (30, Self.looking), (40, request), end: 50)
        #expect(parts(of: hedged) == ["request 1: first byte 20–40", "looking: here: wait 30–50"])
        let late = try timeline(of: (30, Self.looking), (35, request), (90, request), end: 90)
        #expect(
            parts(of: late) == [
                "request 1: first byte 15–35", "looking: here: wait 30–70", "request 2: first byte 70–90",
            ]
        )
        let twice = try timeline(of: (10, Self.looking), (30, Self.looking), end: 50)
        #expect(parts(of: twice) == ["looking: here: wait 10–30", "looking: here: wait 30–50"])
    }

    @Test(
        "the outcome is the status or the error, on one line",
        arguments: [
            (.received(Fixture.ok), "200 OK"), (.rejected(Response(statusCode: 404)), "404 Not Found"),
            (.malformed(Fixture.ok, debugInfo: "secret"), "200 OK, malformed"),
            (.invalid(Fixture.ok, reason: "no\nname"), #"200 OK, invalid: no\nname"#), (.cancelled, "cancelled"),
            (
                .noResponse(.timedOut(ConnectionError.Cause(domain: "clock", code: 1, text: "a\nb"))),
                #"timedOut: a\nb (clock 1)"#
            ),
        ] as [(Event, String)]
    )
    func outcomes(event: Event, outcome: String) throws {
        let timeline = try timeline(of: (1, event), end: 2)
        #expect(timeline.outcome == outcome)
        #expect(try self.timeline(of: (1, event), end: 2, input: nil).title == "no request")
    }

    @Test("a call has as many parts as a picture shows, and the number of the others")
    func manyParts() throws {
        var open = OpenTimeline(Self.input, at: .zero, .standard)
        for time in 0..<1_000 { _ = open.add(Self.looking, at: .milliseconds(time)) }
        let ended = open.add(.ended, at: .seconds(1))
        let timeline = try #require(ended)
        #expect(timeline.parts.count == Timeline.maximumParts)
        #expect(timeline.omittedParts == 1_000 - Timeline.maximumParts)
        #expect("\(timeline)".hasSuffix("\n  and 800 more parts"))
        #expect(timeline.svg.contains(">and 800 more parts</text>"))
    }

    @Test("texts of a server are cut, and escaped in a picture")
    func longTexts() throws {
        let hostile = "<script>alert(1)</script>&amp;]]>\u{FFFE}\u{1}" + String(repeating: "e\u{301}", count: 100_000)
        let reported = Event.reported(Looking(description: hostile))
        let timeline = try timeline(of: (1, reported), (2, .invalid(Fixture.ok, reason: hostile)), end: 3)
        #expect((timeline.parts.map(\.label) + [timeline.outcome, timeline.title]).allSatisfy { $0.utf8.count < 410 })
        let texts = timeline.svg.replacing(/<\/?(svg|rect|text)( [A-Za-z0-9-]+="[^"<]*")* ?\/?>/, with: "")
        #expect(texts.contains("&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;]]&gt;"))
        #expect(!texts.contains { "<>".contains($0) })
        #expect(!texts.unicodeScalars.contains { $0 != "\n" && $0 < " " || $0 == "\u{FFFE}" })
    }

    @Test("the text of a call has a line of 80 columns for each part")
    func text() throws {
        let first = RequestTimings(
            nameLookup: .milliseconds(20),
            connect: .milliseconds(40),
            secureConnection: .milliseconds(60),
            firstByte: .milliseconds(200),
            total: .milliseconds(200),
            reusedConnection: false,
            httpVersion: "2"
        )
        let second = RequestTimings(
            firstByte: .milliseconds(100),
            total: .milliseconds(200),
            reusedConnection: true,
            httpVersion: "2"
        )
        let retrying = Retrying(attempt: 2, delay: .milliseconds(300), after: .hasResponse(Response(statusCode: 503)))
        let timeline = try timeline(
            of: (200, .timings(first)),
            (200, .reported(retrying)),
            (700, .timings(second)),
            (700, Self.looking),
            (700, .received(Fixture.ok)),
            end: 700
        )
        #expect(
            "\(timeline)" == """
                GET https://api.example.com/a?page=1: 200 OK, 700 ms
                  request 1, HTTP/2, new         -+=▒▒▒▒▒▒▒▒                              200 ms
                  retrying: attempt 2 in 0.3 se…           ................               300 ms
                  request 2, HTTP/2, reused                                ▒▒▒▒▒▒█████    200 ms
                  looking: here                                                      |      0 ms
                """
        )
    }

    /// Returns a timeline of events at random times.
    private func random(_ seed: UInt64) throws -> Timeline {
        var random = SplitMix64(seed: seed)
        let time = { (limit: Int64) in Duration.microseconds(Int64.random(in: 0...limit, using: &random)) }
        var now = time(1_000_000)
        var open = OpenTimeline(Self.input, at: now, .standard)
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            now += time(100_000)
            let timings = RequestTimings(
                nameLookup: Bool.random(using: &random) ? time(50_000) : nil,
                connect: Bool.random(using: &random) ? time(50_000) : nil,
                firstByte: Bool.random(using: &random) ? time(100_000) : nil,
                total: time(200_000),
                queued: Bool.random(using: &random) ? time(1_000) : nil
            )
            _ = open.add(Bool.random(using: &random) ? Self.looking : .timings(timings), at: now)
        }
        let timeline = open.add(.ended, at: now + time(1_000))
        return try #require(timeline)
    }

    @Test(
        "a duration has at most nine characters, up to the longest wait of the kit",
        arguments: [
            (.zero, "0 ms"), (.microseconds(49), "0 ms"), (.microseconds(50), "0.1 ms"), (.milliseconds(-3), "-3.0 ms"),
            (.microseconds(99_949), "99.9 ms"), (.microseconds(99_950), "100 ms"), (.milliseconds(9_999), "9999 ms"),
            (.milliseconds(10_000), "10.0 s"), (.seconds(9_999), "9999.0 s"), (.seconds(10_000), "3 h"),
            (.maximumWait, "876000 h"),
        ] as [(Duration, String)]
    )
    func durations(duration: Duration, text: String) {
        #expect(duration.inShort == text)
        #expect(text.count <= 9)
    }

    @Test("parts of any events are inside of their call, and their pictures inside of the columns")
    func laws() throws {
        var all: [Timeline] = []
        for seed in 0..<200 as Range<UInt64> {
            let timeline = try random(seed)
            all.append(timeline)
            #expect(timeline.parts.map(\.start) == timeline.parts.map(\.start).sorted())
            for part in timeline.parts {
                #expect(part.start >= timeline.start && part.end <= timeline.end, "\(seed)")
                #expect(zip(part.spans, part.spans.dropFirst()).allSatisfy { $0.end == $1.start }, "\(seed)")
            }
            let lines = "\(timeline)".split(separator: "\n")
            #expect(lines.count == 1 + max(1, timeline.parts.count), "\(seed)")
            #expect(lines.dropFirst().allSatisfy { $0.count == 80 }, "\(seed)\n\(timeline)")
        }
        let lines = Timeline.text(of: all).split(separator: "\n")
        #expect(lines.count == all.map { 2 + $0.parts.count }.reduce(0, +))
        #expect(lines.allSatisfy { $0.count <= 80 })
        let picture = Timeline.svg(of: all)
        for match in picture.matches(of: /<rect x="([0-9.]+)" y="[0-9]+" width="([0-9.]+)"/) {
            let (x, width) = (try #require(Double(match.1)), try #require(Double(match.2)))
            #expect(x >= 24 && x + width <= 960)
        }
    }

    @Test("a listener has the timeline of each of two calls that overlap, by its clock")
    func overlappingCalls() async throws {
        let clock = ManualClock()
        let timelines = Recorder<Timeline>()
        let latch = Latch()
        let engine = Connector { input, context in
            if input.url.path == "/slow" {
                await latch.wait()
            } else {
                clock.advance(by: .milliseconds(10))
            }
            context.report(.timings(RequestTimings(firstByte: .milliseconds(5), total: .milliseconds(5))))
            return .text("ok")
        }
        let app = engine.wrapped(by: .listen(to: .timeline(clock: clock, show: timelines.append)))
        clock.advance(by: .seconds(1))
        let slow = Task { await WebAPI.call(with: Self.get("https://a/slow"), via: app) }
        for _ in 0..<3 { _ = await WebAPI.call(with: Self.get("https://a/fast"), via: app) }
        latch.open()
        _ = await slow.value
        #expect(
            timelines.elements.map(\.title) == Array(repeating: "GET https://a/fast", count: 3) + ["GET https://a/slow"]
        )
        #expect(timelines.elements.map(\.parts.count) == [1, 1, 1, 1])
        #expect(timelines.elements.prefix(3).map(\.duration) == Array(repeating: .milliseconds(10), count: 3))
    }

    @Test("a retry in virtual time waits as long as its policy says")
    func retry() async throws {
        let clock = ManualClock()
        let timelines = Recorder<Timeline>()
        let server = Connector.stub(sequence: [.status(.serviceUnavailable), .status(.ok)])
        let app = server.wrapped(
            by: .listen(to: .timeline(clock: clock, show: timelines.append)),
            .retry(RetryPolicy(backoff: Backoff { _ in .seconds(2) }), clock: clock)
        )
        async let output = WebAPI.call(with: Self.input, via: app)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(2))
        _ = await output
        let timeline = try #require(timelines.elements.first)
        #expect(timeline.parts.map { $0.end - $0.start } == [.seconds(2)])
        #expect(timeline.parts.first?.label.hasPrefix("retrying: attempt 2 in 2.0 seconds, after 503") == true)
    }
}
