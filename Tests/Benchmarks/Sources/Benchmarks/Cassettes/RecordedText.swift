import Foundation
import StartSmall

/// A payload to be recorded, of about one megabyte or the requested size.
struct RecordedText: Sendable {
    let name: String
    let data: Data
    let mediaType: MediaType?

    private init(_ name: String, _ data: Data, _ mediaType: MediaType?) {
        (self.name, self.data, self.mediaType) = (name, data, mediaType)
    }

    /// The recorded payloads: with secrets and without, and binary ones.
    static let all = [
        json, jsonOfSecrets, jsonOfEscapes, form, formOfSecrets, text, textOfSecrets, oneLine, urls,
        RecordedText("binary", random(count: megabyte), "application/octet-stream"),
        RecordedText("binary without a type", random(count: megabyte), nil),
        RecordedText("zeros", Data(count: megabyte), "application/octet-stream"),
    ]

    static let megabyte = 1_000_000

    private static let json = json(count: megabyte)

    /// JSON without secrets, of `count` bytes or a few more.
    static func json(count: Int) -> RecordedText {
        let items = repeated(to: count, separator: ",") { number in
            #"{"id":\#(number),"login":"user\#(number)","name":"Some Body","ok":true,"n":null,"tags":["a","b"],"#
                + #""url":"https://api.example.com/users/\#(number)"}"#
        }
        return RecordedText("JSON", Data("[\(items)]".utf8), .json)
    }

    /// Binary data without a media type.
    static func binary(count: Int) -> RecordedText { RecordedText("binary", random(count: count), nil) }

    private static let jsonOfSecrets: RecordedText = {
        let items = repeated(separator: ",") { number in
            let secret = "secret-token-\(number % secrets)-abcdef"
            let url = "https://api.example.com/users?access_token=\(secret)"
            return #"{"id":\#(number),"login":"user\#(number)","token":"\#(secret)","url":"\#(url)"}"#
        }
        return RecordedText("JSON, a secret in each object", Data("[\(items)]".utf8), .json)
    }()

    private static let jsonOfEscapes: RecordedText = {
        let items = repeated(separator: ",") { #"{"a":"line\n\"quoted\" \u00e4 \/path\/\#($0)"}"# }
        return RecordedText("JSON, full of escapes", Data("[\(items)]".utf8), .json)
    }()

    private static let form = RecordedText(
        "form",
        Data(repeated(separator: "&") { "name\($0)=value+of%20\($0)&other=thing" }.utf8),
        .form
    )

    private static let formOfSecrets = RecordedText(
        "form, each second value a secret",
        Data(repeated(separator: "&") { "name\($0)=value+of%20\($0)&password=pw-secret-\($0 % secrets)" }.utf8),
        .form
    )

    private static let words = "the quick brown fox jumps over the lazy dog and other animals are there too"

    private static let text = RecordedText("text", Data(repeated { "\(words) \($0)\n" }.utf8), .text)

    private static let textOfSecrets: RecordedText = {
        let lines = repeated { number in
            "\(words) \(number)\n" + (number % 100 == 0 ? "token=secret-token-\(number % secrets)-abcdef\n" : "")
        }
        return RecordedText("text, a secret in each 100th line", Data(lines.utf8), .text)
    }()

    private static let oneLine = RecordedText("text on one line", Data(repeated { _ in "abcdefgh " }.utf8), .text)

    private static let urls = RecordedText(
        "text of URLs",
        Data(repeated { "https://h/p%20q?x=%2Fa%2Fb&n=\($0)\n" }.utf8),
        .text
    )

    /// The number of secrets: each occurs many times.
    private static let secrets = 50

    private static func repeated(
        to count: Int = megabyte,
        separator: String = "",
        _ piece: (Int) -> String
    ) -> String {
        var (text, number) = ("", 0)
        while text.utf8.count < count {
            if number > 0 { text += separator }
            text += piece(number)
            number += 1
        }
        return text
    }

    /// Pseudorandom bytes, equal each time (Knuth, *The Art of Computer Programming* 3.3.4, MMIX).
    private static func random(count: Int) -> Data {
        var state: UInt64 = 1
        let bytes = (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        return Data(bytes)
    }
}
