import Foundation
import Testing

import StartSmall

struct DecodingErrorTextTests {
    private enum Kind: String, Decodable {
        case known
    }

    private struct Thing: Decodable {
        let count: Int
        let kinds: [Kind]?
        let token: Kind?
        let key: Kind?
    }

    private func text(_ json: String) -> String { text(Data(json.utf8)) }

    private func text(_ json: Data) -> String {
        do {
            _ = try JSONDecoder().value(Thing.self, from: json)
            return "no error"
        } catch {
            return DecodingError.text(of: error, in: json)
        }
    }

    @Test("for JSON in UTF-16, a number that does not fit is named")
    func wide() throws {
        let json = try #require(#"{"count":1.5}"#.data(using: .utf16LittleEndian))
        #expect(text(json) == "count is not a value of type Int: The number 1.5 does not fit.")
        #expect(text(json.dropLast(4)).hasPrefix(Self.notJSON))
    }

    private static let notJSON = "the payload can't be read: The given data was not valid JSON."

    @Test("the message of a custom type about the whole payload is kept unchanged")
    func ownWords() {
        let context = DecodingError.Context(codingPath: [], debugDescription: "No such thing.")
        let message = DecodingError.text(of: DecodingError.dataCorrupted(context), in: Data("{}".utf8))
        #expect(message == "the payload can't be read: No such thing.")
    }

    @Test(
        "a message names the error and its place",
        arguments: [
            (#"{}"#, #"the payload has no member "count""#),
            (#"{"count":"x"}"#, "count is not a value of type Int: Expected to decode Int but found a string"),
            (#"{"count":null}"#, "count has no value of type Int"),
            (#"{"count":1,"kinds":["known","new"]}"#, "kinds[1] can't be read: Cannot initialize Kind"),
            (#"{"#, notJSON), (#"{"count":1,]"#, notJSON), ("<html>", notJSON), ("", notJSON),
            (#"{"count":1,"token":1.5}"#, "token is not a value of type String: <redacted>"),
            (#"{"count":1,"token":"hunter2"}"#, "token can't be read: <redacted>"),
            (#"{"count":1,"key":"hunter2"}"#, "key can't be read: <redacted>"),
            (#"{"count":1,"kinds":["\ud83d"]}"#, notJSON),
        ]
    )
    func place(_ json: String, _ expected: String) {
        #expect(text(json).hasPrefix(expected), "\(text(json))")
    }

    @Test("any other error has its own description")
    func other() {
        struct Own: Error {}
        #expect(DecodingError.text(of: Own()) == "Own()")
    }
}
