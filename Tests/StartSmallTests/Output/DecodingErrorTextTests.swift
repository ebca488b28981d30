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

    private func text(_ json: String) -> String {
        do {
            _ = try JSONDecoder().decode(Thing.self, from: Data(json.utf8))
            return "no error"
        } catch {
            return DecodingError.text(of: error)
        }
    }

    @Test(
        "what is wrong, and where",
        arguments: [
            (#"{}"#, #"no member "count" at /"#),
            (#"{"count":"x"}"#, "not a value of type Int at count"),
            (#"{"count":null}"#, "no value of type Int at count"),
            (#"{"count":1,"kinds":["known","new"]}"#, "corrupted data at kinds[1]: Cannot initialize Kind"),
            (#"{"#, "corrupted data at /"),
        ]
    )
    func place(_ json: String, _ expected: String) {
        #expect(text(json).hasPrefix(expected), "\(text(json))")
    }

    @Test("a value whose name is that of a secret is not told")
    func secret() {
        #expect(text(#"{"count":1,"token":"hunter2"}"#) == "corrupted data at token: <redacted>")
    }

    @Test("another error is told in its own words")
    func other() {
        struct Own: Error {}
        #expect(DecodingError.text(of: Own()) == "Own()")
    }
}
