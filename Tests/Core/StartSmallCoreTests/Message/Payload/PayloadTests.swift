import Foundation
import StartSmall
import StartSmallForms
import TestSupport
import Testing

struct PayloadTests {
    private typealias Made = Either<ConnectionError, Payload>

    @Test("data, text, form and JSON are bytes with their media type")
    func kinds() {
        #expect(Made.data(Data([1])) == .right(Payload(.data(Data([1])), mediaType: .octetStream)))
        #expect(Made.data(Data(), mediaType: nil) == .right(Payload(.data(Data()), mediaType: nil)))
        #expect(Made.text("é") == .right(Payload(.data(Data([0xC3, 0xA9])), mediaType: "text/plain; charset=utf-8")))
        #expect(Made.json(["a": 1]) == .right(Payload(.data(Data(#"{"a":1}"#.utf8)), mediaType: .json)))
        #expect(
            Made.form([URLQueryItem(name: "a b", value: "~")])
                == .right(Payload(.data(Data("a+b=%7E".utf8)), mediaType: "application/x-www-form-urlencoded"))
        )
    }

    @Test(
        "a text in another encoding names its charset",
        arguments: [
            (.isoLatin1, "iso-8859-1", [0xE9]), (.utf8, "utf-8", [0xC3, 0xA9]),
            (.windowsCP1252, "windows-1252", [0xE9]), (.utf16BigEndian, "utf-16be", [0x00, 0xE9]),
        ] as [(String.Encoding, String, [UInt8])]
    )
    func encodedTexts(_ encoding: String.Encoding, _ name: String, _ bytes: [UInt8]) {
        let mediaType = MediaType(rawValue: "text/plain; charset=\(name)")
        #expect(Made.text("é", encoding: encoding) == .right(Payload(.data(Data(bytes)), mediaType: mediaType)))
        #expect(
            Made.text("é", encoding: encoding, mediaType: "text/csv; charset=x; header=absent").right?.mediaType
                == MediaType(rawValue: "text/csv; header=absent; charset=\(name)")
        )
    }

    @Test("a text that an encoding can't represent, or an encoding without a name, is a malformed payload")
    func unencodableTexts() {
        #expect(
            Made.text("日", encoding: .isoLatin1)
                == .left(.malformedPayload(debugInfo: "a character that iso-8859-1 can't represent"))
        )
        #expect(Made.text("a", encoding: .nextstep).left?.name == "malformedPayload")
    }

    @Test("a form is encoded from any value, with a space as +, and an error names the path", .parity("A13"))
    func forms() {
        struct Login: Encodable {
            var name = "a b&c=d"
            var roles = ["x~"]
        }
        let payload = Payload(.data(Data("name=a+b%26c%3Dd&roles%5B%5D=x%7E".utf8)), mediaType: .form)
        #expect(Made.form(Login()) == .right(payload))
        #expect(
            Made.form(Login(), encoder: QueryEncoder(arrays: .repeated)).right?.content
                == .data(Data("name=a+b%26c%3Dd&roles=x%7E".utf8))
        )
        #expect(Made.form(["a": ["b": Double.nan]]).left?.debugInfo == "A number that is not finite. Path: a.b")
        #expect(Made.form("hunter2").left?.debugInfo == "A query needs names; the top-level value has none. Path: /")
    }

    @Test("JSON is written by a custom encoder, and one that sorts keys always writes the same bytes")
    func encoders() {
        let names = (0..<50).map { "k\($0)" }
        let value = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
        let expected = "{" + names.sorted().map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        #expect(Made.json(value, encoder: .sortingKeys).right?.content == .data(Data(expected.utf8)))
        let seconds = JSONEncoder()
        seconds.dateEncodingStrategy = .secondsSince1970
        let date = Date(timeIntervalSince1970: 1)
        #expect(Made.json([date], encoder: seconds).right?.content == .data(Data("[1]".utf8)))
    }

    @Test("a value that can't be JSON is a malformed payload with its path, and without its content")
    func unencodable() {
        struct Login: Encodable {
            var password = "hunter2"
            var age = Double.nan
        }
        struct Silent: Encodable {
            var password = "hunter2"
            func encode(to encoder: any Encoder) {}
        }
        for (made, place) in [(Made.json(["users": [Login()]]), "Path: users[0].age"), (Made.json(Silent()), "Silent")]
        {
            #expect(made.left?.name == "malformedPayload")
            #expect(made.left?.debugInfo.contains("hunter2") == false)
            #expect(made.left?.debugInfo.contains(place) == true, "\(made)")
        }
    }

    @Test("a file's bytes are read on demand, through links too")
    func files() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a b.png")
            let link = folder.appending(path: "link")
            let payload = try #require(Made.file(file).right)
            #expect(payload == Payload(.file(file), mediaType: "image/png"))
            #expect(Made.file(file, mediaType: .text).right?.mediaType == .text)
            try Data([1, 2]).write(to: file)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            #expect(try payload.content.bytes() == Data([1, 2]))
            #expect(try Payload.Content.file(link).bytes() == Data([1, 2]))
        }
    }

    @Test(
        "a file that can't be read is a malformed payload that names the reason",
        arguments: [
            ("file:///no/such/file", "does not exist"), ("file:///tmp", "a folder"), ("file:///tmp/", "a folder"),
            ("file:///dev/zero", "not a regular file"), ("https://user:hunter2@h/a", "not a file URL"),
        ]
    )
    func noFiles(_ url: String, _ reason: String) {
        do throws(ConnectionError) {
            _ = try Payload.Content.file(URL(string: url)!).bytes()
            Issue.record("read")
        } catch {
            #expect(error.name == "malformedPayload")
            #expect(error.debugInfo.contains(reason))
            #expect(!error.debugInfo.contains("hunter2"))
        }
    }
}
