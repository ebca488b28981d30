import Foundation
import TestSupport
import Testing

import StartSmall
@testable import StartSmallStreams

struct EventStreamParserTests {
    private struct Case: Sendable {
        let text: String
        let events: [ServerSentEvent]

        init(_ text: String, _ events: [ServerSentEvent]) {
            self.text = text
            self.events = events
        }
    }

    private static func event(_ data: String, id: String? = nil, retry: Duration? = nil) -> ServerSentEvent {
        ServerSentEvent(data: data, id: id, retry: retry)
    }

    /// The examples of the standard (WHATWG HTML 9.2.1 and 9.2.6).
    private static let examples = [
        Case(
            """
            data: This is the first message.

            data: This is the second message, it
            data: has two lines.

            data: This is the third message.


            """,
            [
                event("This is the first message."), event("This is the second message, it\nhas two lines."),
                event("This is the third message."),
            ]
        ),
        Case(
            """
            event: add
            data: 73857293

            event: remove
            data: 2153

            event: add
            data: 113411


            """,
            [
                ServerSentEvent(type: "add", data: "73857293"), ServerSentEvent(type: "remove", data: "2153"),
                ServerSentEvent(type: "add", data: "113411"),
            ]
        ),
        Case("data: YHOO\ndata: +2\ndata: 10\n\n", [event("YHOO\n+2\n10")]),
        Case(
            """
            : test stream

            data: first event
            id: 1

            data:second event
            id

            data:  third event


            """,
            [event("first event", id: "1"), event("second event"), event(" third event")]
        ),
        Case("data\n\ndata\ndata\n\ndata:", [event(""), event("\n")]),
        Case("data:test\n\ndata: test\n\n", [event("test"), event("test")]),
    ]

    private static let others = [
        Case("", []),
        Case("\n\n\n", []),
        // An unfinished event is no event.
        Case("data: a", []),
        Case("data: a\n", []),
        Case("data: a\r\n", []),
        // The ends of lines.
        Case("data: a\r\rdata: b\r\n\r\ndata: c\n\n", [event("a"), event("b"), event("c")]),
        Case("data: a\r\ndata: b\rdata: c\ndata: d\n\r", [event("a\nb\nc\nd")]),
        Case("data: a\n\r\n", [event("a")]),
        Case("data: a\u{2028}b\u{85}\n\n", [event("a\u{2028}b\u{85}")]),
        // A byte order mark at the start, and nowhere else.
        Case("\u{FEFF}data: a\n\n", [event("a")]),
        Case("\u{FEFF}\u{FEFF}data: a\n\n", []),
        Case("data: a\n\n\u{FEFF}data: b\n\n", [event("a")]),
        Case("\u{FEFF}: comment\n\u{FEFF}data: a\n\n", []),
        Case("\u{FEFF}\ndata: a\n\n", [event("a")]),
        Case("\ndata: a\n\n", [event("a")]),
        // Fields.
        Case("data:a:b\n\n", [event("a:b")]),
        Case("data:\ta \n\n", [event("\ta ")]),
        Case(" data: a\ndata : b\nDATA: c\ndatas: d\ndat: e\n\n", []),
        Case(":data: a\n::\n:\n\n", []),
        Case("unknown\nunknown: b\ndata: a\n\n", [event("a")]),
        // Types: the last one counts, an empty one is none, and each is only for its own event.
        Case("event: a\nevent: b\ndata: 1\n\ndata: 2\n\n", [ServerSentEvent(type: "b", data: "1"), event("2")]),
        Case("event: a\nevent\ndata: 1\n\n", [event("1")]),
        Case("event: a\n\ndata: 1\n\n", [event("1")]),
        // IDs persist, with and without data, and are ignored with NUL.
        Case("id: 1\ndata: a\n\ndata: b\n\n", [event("a", id: "1"), event("b", id: "1")]),
        Case("id: 1\n\ndata: a\n\n", [event("a", id: "1")]),
        Case("data: a\nid: 1\nid: 2\n\n", [event("a", id: "2")]),
        Case("id: 1\nid: 2\u{0}\ndata: a\n\n", [event("a", id: "1")]),
        // Retry times persist, too.
        Case("retry: 10\ndata: a\n\ndata: b\n\n", ["a", "b"].map { event($0, retry: .milliseconds(10)) }),
        Case(
            "data: a\nretry:007\nretry\nretry: \nretry: -1\nretry: 1.5\nretry: 1 \nretry: ١\n\n",
            [event("a", retry: .milliseconds(7))]
        ),
        Case("retry: 99999999999999999999999\ndata: a\n\n", [event("a", retry: .seconds(100 * 365 * 86_400))]),
    ]

    private static let cases = examples + others

    private func events(_ pieces: [Data], limit: Int = DefaultLimits.eventBytes) -> [EventStreamParser.Parsed] {
        var parser = EventStreamParser(limit: limit)
        return pieces.flatMap { parser.events(in: $0) }
    }

    @Test("texts are parsed as in the standard, wherever the bytes are cut", arguments: cases.indices)
    func cut(_ index: Int) {
        let bytes = Data(Self.cases[index].text.utf8)
        let expected = Self.cases[index].events.map(EventStreamParser.Parsed.right)
        for place in 0...bytes.count {
            #expect(events([bytes.prefix(place), bytes.dropFirst(place)]) == expected, "cut at \(place)")
        }
        #expect(events(bytes.map { Data([$0]) }) == expected)
    }

    @Test("the examples have the same events with any line end", arguments: examples.indices, ["\r\n", "\r"])
    func ends(_ index: Int, _ end: String) {
        let text = Self.examples[index].text.replacingOccurrences(of: "\n", with: end)
        #expect(events([Data(text.utf8)]) == Self.examples[index].events.map(Either.right))
    }

    @Test("an event is returned as soon as its blank line is, whatever follows", arguments: ["\n\n", "\r\r", "\r\n\r"])
    func atOnce(_ end: String) {
        var parser = EventStreamParser()
        #expect(parser.events(in: Data("data: a\(end)".utf8)) == [.right(ServerSentEvent(data: "a"))])
    }

    @Test("bytes that are not UTF-8 are replaced, as in a browser")
    func replaced() {
        var bytes = Data("data: a".utf8)
        bytes.append(contentsOf: [0xFF, 0xE2, 0x82])
        bytes.append(contentsOf: "b\ndata: ".utf8)
        bytes.append(contentsOf: [0xC3])
        bytes.append(contentsOf: "\n\n".utf8)
        #expect(events([bytes]) == [.right(ServerSentEvent(data: "a\u{FFFD}\u{FFFD}b\n\u{FFFD}"))])
    }

    @Test("ID and retry time are those of the last valid line, and persist in the next stream")
    func standing() {
        var parser = EventStreamParser()
        _ = parser.events(in: Data("id: 1\nretry: 5\n\nid: 2\nretry: 6\ndata: a".utf8))
        #expect(parser.lastEventID == "1")
        #expect(parser.retry == .milliseconds(6))
        var next = parser.resumed
        #expect(
            next.events(in: Data("\ndata: b\n\n".utf8))
                == [.right(ServerSentEvent(data: "b", id: "1", retry: .milliseconds(6)))]
        )
    }

    // The limit.

    @Test("an event over the limit is one failure, and the next event is parsed, wherever the bytes are cut")
    func limit() {
        let bytes = Data(": a long comment\ndata:abc\r\nid: 2\n\nid:1\r\ndata:abcd\nid:3\n\ndata:ab\nx\n\n".utf8)
        let expected: [EventStreamParser.Parsed] = [
            .left("an event is longer than 12 bytes"), .left("an event is longer than 12 bytes"),
            .right(ServerSentEvent(data: "ab")),
        ]
        for place in 0...bytes.count {
            #expect(events([bytes.prefix(place), bytes.dropFirst(place)], limit: 12) == expected, "cut at \(place)")
        }
        #expect(events([bytes], limit: 13).map(\.right?.data) == ["abc", nil, "ab"])
        #expect(events([bytes], limit: 17).map(\.right?.data) == ["abc", "abcd", "ab"])
    }

    @Test("the largest limit is no limit, and a limit of 0 or less allows no bytes of an event")
    func extremes() {
        let bytes = Data("data:abc\n\n\n".utf8)
        #expect(events([bytes], limit: .max) == [.right(ServerSentEvent(data: "abc"))])
        #expect(events([bytes], limit: 0).map(\.right) == [nil])
        #expect(events([bytes], limit: .min).map(\.right) == [nil])
    }

    @Test("an endless event takes no more memory than the limit, and a comment takes none")
    func endless() {
        var parser = EventStreamParser(limit: 10)
        #expect((0..<1000).flatMap { _ in parser.events(in: Data("data\n".utf8)) }.count == 1)
        #expect((0..<1000).flatMap { _ in parser.events(in: Data(repeating: 97, count: 100)) }.isEmpty)
        var commented = EventStreamParser(limit: 10)
        #expect((0..<1000).flatMap { _ in commented.events(in: Data(repeating: 58, count: 100)) }.isEmpty)
        #expect(commented.events(in: Data("\ndata\n\n".utf8)) == [.right(ServerSentEvent(data: ""))])
    }

    @Test(
        "parsing takes linear time",
        arguments: ["data\n", "data:", ":", "\r", "\n", "id\n", "event:a\n", "retry:1\n", "1", "\0", Hostile.accents]
    )
    func linear(_ pattern: String) {
        for start in ["", "data:", "id:", "retry:", "event:"] {
            Hostile.expectLinear(pattern) { text in _ = events([Data("\(start)\(text)\n\n".utf8)]) }
        }
    }

    @Test("parsing single bytes takes linear time", arguments: ["data\n", "1", "\n"])
    func linearInPieces(_ pattern: String) {
        Hostile.expectLinear(pattern) { text in _ = events(text.utf8.map { Data([$0]) }) }
    }
}
