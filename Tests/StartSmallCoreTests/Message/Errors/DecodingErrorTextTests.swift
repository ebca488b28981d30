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

    @Test("for JSON in UTF-16, no byte offset of invalid JSON is named, but the place of a number that does not fit")
    func wide() throws {
        let json = try #require(#"{"count":1.5}"#.data(using: .utf16LittleEndian))
        #expect(text(json) == "count is not a value of type Int: The number 1.5 does not fit.", "\(text(json))")
        #expect(text(json.dropLast(4)) == "the payload can't be read: The given data was not valid JSON.")
    }

    private struct Numbers: Decodable {
        let inner: [UInt]?
        let small: [String: Int8]?
        let real: Double?
        let last: Int?
        var either: Either?

        struct Either: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if (try? container.decode(String.self)) == nil { _ = try container.decode(Int.self) }
            }
        }
    }

    private func text(ofNumbers json: String) -> String {
        do {
            _ = try JSONDecoder().value(Numbers.self, from: Data(json.utf8))
            return "no error"
        } catch {
            return DecodingError.text(of: error, in: Data(json.utf8))
        }
    }

    @Test(
        "a number that its type can't hold has its place, whatever other numbers there are",
        arguments: [
            (#"{"inner":[1,-5]}"#, "inner[1] is not a value of type UInt: The number -5 does not fit."),
            (#"{"inner":[300,22,1e3,-12,-13,77],"last":12}"#, "inner[3] is not a value of type UInt: The number -12"),
            (#"{"last":99999999999999999999,"inner":[12,13]}"#, "last is not a value of type Int: The number 9999"),
            (#"{"small":{"a":12,"b":300},"inner":[300]}"#, "small.b is not a value of type Int8: The number 300"),
            (#"{"real":1e999,"last":12}"#, "real is not a value of type Double: The number 1e999 does not fit."),
            (#"{"last":1.5}"#, "last is not a value of type Int: The number 1.5 does not fit."),
            (#"{"either":1.5}"#, "the payload can't be read: it is JSON, but with a number that does not fit"),
            (#"{"either":12,"last":-12}"#, "no error"),
        ]
    )
    func unfit(_ json: String, _ expected: String) {
        #expect(text(ofNumbers: json).hasPrefix(expected), "\(text(ofNumbers: json))")
    }

    @Test("a number that does not fit is found among thousands, wherever it is", arguments: [0, 1, 1_234, 3_999])
    func unfitAmongMany(_ place: Int) {
        let numbers = (0..<4_000).map { $0 == place ? "-12" : "\($0)" }.joined(separator: ",")
        #expect(text(ofNumbers: "{\"inner\":[\(numbers)]}").hasPrefix("inner[\(place)] is not a value of type UInt"))
    }

    @Test("bytes that are not UTF-8 have their place, and an incomplete character at the end is the end")
    func notUTF8() {
        let start = Array(#"{"count":1,"key":"é"#.utf8)
        #expect(text(Data(start + [0xE9, 0x22, 0x7D])) == "the payload is not UTF-8 at byte 20")
        #expect(text(Data(start + [0xC0, 0x80])) == "the payload is not UTF-8 at byte 20")
        #expect(text(Data(start + [0xFF])) == "the payload is not UTF-8 at byte 20")
        #expect(text(Data([0x5B, 0x7D, 0xFF])) == "the payload is invalid JSON at byte 1")
        for cut in 1..<3 {
            let data = Data(start + Array("€".utf8).prefix(cut))
            #expect(text(data) == "the payload is incomplete JSON: it ends after \(data.count) bytes")
        }
        #expect(text(Data("x".utf8 + start)[1...].dropLast(1)).hasSuffix("it ends after 19 bytes"))
    }

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
            (#"{"#, "the payload is incomplete JSON: it ends after 1 bytes"),
            (#"{"count":1,]"#, "the payload is invalid JSON at byte 11"),
            ("<html>", "the payload is invalid JSON at byte 0"),
            (#"{"count":1.5}"#, "count is not a value of type Int: The number 1.5 does not fit."),
            (#"{"count":1e30}"#, "count is not a value of type Int: The number 1e30 does not fit."),
            (#"{"count":1,"token":1.5}"#, "token is not a value of type String: <redacted>"),
            (#"{"count":1,"token":"hunter2"}"#, "token can't be read: <redacted>"),
            (#"{"count":1,"key":"hunter2"}"#, "key can't be read: <redacted>"),
            (#"{"count":1,"kinds":["\ud83d"]}"#, "the payload is invalid JSON at byte 20"),
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
