import Foundation
import Testing

@testable import StartSmall

struct DecodingErrorTextTests {
    private enum Kind: String, Decodable {
        case known
    }

    private struct Thing: Decodable {
        let count: Int
        let kinds: [Kind]?
        let token: Kind?
    }

    private func text(_ json: String) -> String { text(Data(json.utf8)) }

    private func text(_ json: Data) -> String {
        do {
            _ = try JSONDecoder().decode(Thing.self, from: json)
            return "no error"
        } catch {
            return DecodingError.text(of: error, in: json)
        }
    }

    @Test("of JSON in UTF-16, no byte is named from which on it would be none")
    func wide() throws {
        let json = try #require(#"{"count":1.5}"#.data(using: .utf16LittleEndian))
        #expect(text(json).hasPrefix("the payload can't be read: it is JSON, but"), "\(text(json))")
    }

    @Test("what a type of one's own says of the whole is told as it is")
    func ownWords() {
        let context = DecodingError.Context(codingPath: [], debugDescription: "No such thing.")
        let told = DecodingError.text(of: DecodingError.dataCorrupted(context), in: Data("{}".utf8))
        #expect(told == "the payload can't be read: No such thing.")
    }

    @Test(
        "what is wrong, and where",
        arguments: [
            (#"{}"#, #"the payload has no member "count""#),
            (#"{"count":"x"}"#, "count is not a value of type Int: Expected to decode Int but found a string"),
            (#"{"count":null}"#, "count has no value of type Int"),
            (#"{"count":1,"kinds":["known","new"]}"#, "kinds[1] can't be read: Cannot initialize Kind"),
            (#"{"#, "the payload ends after 1 bytes, where JSON goes on"),
            (#"{"count":1,]"#, "the payload is no JSON from byte 11 on"),
            ("<html>", "the payload is no JSON from byte 0 on"),
            (#"{"count":1.5}"#, "the payload can't be read: it is JSON, but"),
            (#"{"count":1e30}"#, "the payload can't be read: it is JSON, but"),
            (#"{"count":1,"kinds":["\ud83d"]}"#, "the payload can't be read: it is JSON, but"),
        ]
    )
    func place(_ json: String, _ expected: String) {
        #expect(text(json).hasPrefix(expected), "\(text(json))")
    }

    @Test("a value whose name is that of a secret is not told")
    func secret() {
        #expect(text(#"{"count":1,"token":"hunter2"}"#) == "token can't be read: <redacted>")
    }

    @Test("another error is told in its own words")
    func other() {
        struct Own: Error {}
        #expect(DecodingError.text(of: Own()) == "Own()")
    }
}
