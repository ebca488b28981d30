import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import TestSupport
import Testing

/// Events whose types select the Swift types of their data.
struct EventTypesTests {
    private struct Delta: Decodable, Hashable, Sendable { let text: String }
    private struct Begun: Decodable, Hashable, Sendable { let id: Int }
    private struct Unexpected: Error {}

    private enum AnswerEvent: Hashable, Sendable {
        case begun(Begun)
        case text(Delta)
        case done
        case other(ServerSentEvent)
    }

    private static let types = EventTypes(otherwise: AnswerEvent.other)
        .decoding("begun", as: AnswerEvent.begun)
        .decoding("message", as: AnswerEvent.text)
        .decoding("\u{E9}", as: AnswerEvent.text)
        .mapping("done") { _ in .done }

    private static let answer = Endpoint.events(.get("https://api.example.com/chat")).typed(by: types)

    @Test(
        "the type of an event selects its value, and an event of another type is kept",
        arguments: [
            (.init(type: "begun", data: #"{"id":1}"#), .begun(Begun(id: 1))),
            (.init(data: #"{"text":"a"}"#), .text(Delta(text: "a"))),
            (.init(type: "done", data: "not JSON"), .done),
            (.init(type: "new", data: #"{"id":1}"#, id: "7"), .other(.init(type: "new", data: #"{"id":1}"#, id: "7"))),
            (.init(type: "Begun", data: "{}"), .other(.init(type: "Begun", data: "{}"))),
            (.init(type: "", data: "{}"), .other(.init(type: "", data: "{}"))),
            // Types are compared byte by byte: the decomposed letter is another type.
            (.init(type: "\u{E9}", data: #"{"text":"a"}"#), .text(Delta(text: "a"))),
            (.init(type: "e\u{301}", data: "{}"), .other(.init(type: "e\u{301}", data: "{}"))),
        ] as [(ServerSentEvent, AnswerEvent)]
    )
    private func values(_ event: ServerSentEvent, _ expected: AnswerEvent) {
        #expect(Self.types.value(of: event) == .right(expected))
    }

    private static let bad = "event: begun\nid: 7\ndata: {\"id\":\"x\"}\n\n"
    private static let good = "data: {\"text\":\"a\"}\n\n"

    @Test("an event that can't be read is one failed element with its type, its ID and the reason, and others follow")
    func unreadable() async {
        let elements = await all(Self.answer.stream(via: .stub(parts: [Self.good + Self.bad, Self.good])))
        #expect(elements.map(\.right) == [.text(Delta(text: "a")), nil, .text(Delta(text: "a"))])
        guard case .left(.right(.malformedData(let head, let reason)))? = elements.dropFirst().first else {
            Issue.record("\(elements)")
            return
        }
        #expect(head.statusCode == .ok)
        #expect(reason.contains("id") && reason.contains("(begun 7, 10 bytes)"), "\(reason)")
    }

    @Test("thrown as a value, such an event ends the stream")
    func thrown() async throws {
        var iterator = Self.answer.values(via: .stub(parts: [Self.good + Self.bad + Self.good])).makeAsyncIterator()
        #expect(try await iterator.next() == .text(Delta(text: "a")))
        await #expect(throws: CallError<TransformError<Never>>.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("an event that is a problem ends the stream before its type is looked at")
    func problem() async {
        let chat = Endpoint.events(.get("https://api.example.com/chat"), problem: [String: String].self)
            .failing { $0.type == "error" ? try $0.json().get() : nil }
            .typed(by: Self.types)
        let parts = [Self.good, "event: error\ndata: {\"reason\":\"busy\"}\n\n", Self.good]
        let elements = await all(chat.stream(via: .stub(parts: parts)))
        #expect(elements.count == 2)
        #expect(elements.last?.failure?.problem == ["reason": "busy"])
    }

    @Test("what a function throws is the reason, and the event is in the error")
    func throwing() {
        let strict = EventTypes<Int> { _ in throw Unexpected() }.mapping("a") { _ in throw Unexpected() }
        for type in ["a", "b"] {
            let event = ServerSentEvent(type: type, data: "", id: "7")
            let error = strict.value(of: event).left
            #expect(error?.event == event)
            #expect(error.map { "\($0)" } == "Unexpected() (\(type) 7, 0 bytes)")
        }
    }

    @Test("the last entry for a type counts, and a table that it is added to is unchanged")
    func twice() {
        let first = EventTypes { _ in 0 }.mapping("a") { _ in 1 }
        let second = first.mapping("a") { _ in 2 }
        let event = ServerSentEvent(type: "a", data: "")
        #expect(first.value(of: event) == .right(1) && second.value(of: event) == .right(2))
    }

    @Test("a hostile type is found in linear time")
    func hostile() {
        Hostile.expectLinear(Hostile.accents) { text in
            #expect(Self.types.value(of: .init(type: text, data: "")).right != nil)
        }
    }
}
