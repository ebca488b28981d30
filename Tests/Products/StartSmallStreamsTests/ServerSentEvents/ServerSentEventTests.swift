import TestSupport
import Testing

import StartSmall
@testable import StartSmallStreams

struct ServerSentEventTests {
    private struct Word: Decodable, Hashable, Sendable {
        let text: String
    }

    @Test("data that is no JSON is a failure that keeps the event")
    func noJSON() {
        let event = ServerSentEvent(data: #"{"text":"#)
        let reason = "the data can't be read: The given data was not valid JSON."
        let failure = EventDecodingError(event: event, debugInfo: reason)
        #expect(event.json(Word.self) == .left(failure))
        #expect("\(failure)" == "\(reason) (message, 8 bytes)")
        let revealing = EventDecodingError(event: event, debugInfo: "no URL: https://h/?token=a")
        #expect("\(revealing)" == "no URL: https://h/?token=<redacted> (message, 8 bytes)")
    }

    @Test("two events are equal if their bytes are, however slowly their accents compare")
    func equality() {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(composed == decomposed)
        #expect(ServerSentEvent(data: composed) != ServerSentEvent(data: decomposed))
        #expect(ServerSentEvent(data: "a") != ServerSentEvent(data: "a", id: "1"))
        #expect(ServerSentEvent(data: "a") != ServerSentEvent(data: "a", retry: .zero))
        Hostile.expectLinear(Hostile.accents) { text in
            let (event, other) = (ServerSentEvent(data: text), ServerSentEvent(data: text + "a"))
            #expect(event != other)
            #expect(Set([event, other]).count == 2)
        }
    }

    @Test("a description has only the size of the data, on one line, without credentials")
    func description() {
        let event = ServerSentEvent(type: "a\nb", data: "secret", id: "https://u:p@h")
        #expect("\(event)".hasPrefix(#"a\nb https://"#))
        #expect("\(event)".hasSuffix("@h, 6 bytes"))
        #expect(!"\(event)".contains("u:p"))
        #expect(String(reflecting: event) == "\(event)")
        var dumped = ""
        dump(event, to: &dumped)
        #expect(!dumped.contains("secret"))
    }
}
