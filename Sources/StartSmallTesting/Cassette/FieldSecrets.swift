import Foundation
import StartSmall

extension HTTPHeaders.Field {
    /// What is secret in a field that is hidden: all of it, what is behind its scheme (`Bearer t`) and what that stands
    /// for, or the values of its cookies, behind which a server says attributes (RFC 6265 4.1.1).
    var secrets: [String] {
        let (name, value) = (name.lowercased(), Array(value.utf8))
        guard name.utf8.suffix(6).elementsEqual("cookie".utf8) else {
            let words = value.split(whereSeparator: \.isBlank)
            return [self.value] + words.suffix(1).map(Self.text) + Self.basic(words)
        }
        let cookies = value.split(separator: UInt8(ascii: ";")).prefix(name.isSame(as: "set-cookie") ? 1 : .max)
        return cookies.flatMap { cookie in
            let value = HTTP1Lines.trimmed(cookie.drop { $0 != UInt8(ascii: "=") }.dropFirst())
            let isQuoted = value.count > 1 && value.first == .doubleQuote && value.last == .doubleQuote
            // A server may count the quotes to the value or not.
            return [Self.text(value)] + (isQuoted ? [Self.text(value.dropFirst().dropLast())] : [])
        }
    }

    /// The URLs in a field that is not hidden; a text that is none is taken for one.
    var references: [String] {
        let links = HTTPHeaders([self]).links.map(\.reference)
        return links.isEmpty ? [value] : links
    }

    /// What stands in `Basic` credentials, if a field has some.
    private static func basic(_ words: [ArraySlice<UInt8>]) -> [String] {
        guard words.count == 2, words[0].map(\.asciiLowercased) == Array("basic".utf8) else { return [] }
        // Servers don't mind where the signs that fill it up are missing.
        let written = words[1].prefix { $0 != UInt8(ascii: "=") }
        let filling = repeatElement(UInt8(ascii: "="), count: (4 - written.count % 4) % 4)
        return Data(base64Encoded: Data(written) + filling).map { BasicCredentials(Array($0)).secrets } ?? []
    }

    // By bytes: a mark with an accent on it is another `Character`, and the same to a server.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

/// A user and a password, whether a URL or a field tells them (RFC 7617).
struct BasicCredentials {
    /// Both, with a colon between them.
    private let both: [UInt8]

    init(_ both: [UInt8]) { self.both = both }

    /// Those of a URL; nil if it has none.
    init?(of url: URL) {
        guard let user = url.user(percentEncoded: true) else { return nil }
        let password = url.password(percentEncoded: true) ?? ""
        both = RFC3986.decoded(user) + [UInt8(ascii: ":")] + RFC3986.decoded(password)
    }

    /// Each and both, and both as `Basic` writes them, with and without the signs that fill it up.
    ///
    /// The user too: some APIs take a token there, and ignore the password.
    var secrets: [String] {
        let parts = both.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let written = Data(both).base64EncodedString()
        // RFC 7617 2.1 leaves it to the server in which charset they are.
        return ([both[...]] + parts).map(HTTP1Lines.text) + [written, String(written.prefix { $0 != "=" })]
    }
}

extension UInt8 {
    fileprivate static let doubleQuote = UInt8(ascii: "\"")
}
