import Foundation
import StartSmall

extension HTTPHeaders.Field {
    /// The secrets in the value of a hidden field.
    ///
    /// The secrets are the whole value, and the part after its scheme (`Bearer t`) with its decoded content, or the
    /// values of its cookies, without a server's attributes (RFC 6265 4.1.1).
    var secrets: [String] {
        let (name, value) = (name.lowercased(), Array(value.utf8))
        guard name.utf8.suffix(6).elementsEqual("cookie".utf8) else {
            let words = value.split(whereSeparator: \.isBlank)
            return [self.value] + words.suffix(1).map(Self.text) + Self.basic(words) + Self.parameters(of: words)
        }
        let cookies = value.split(separator: UInt8(ascii: ";")).prefix(name.isSame(as: "set-cookie") ? 1 : .max)
        return cookies.flatMap { cookie in
            let value = HTTP1Lines.trimmed(cookie.drop { $0 != UInt8(ascii: "=") }.dropFirst())
            // A server may treat the quotes as part of the value or not.
            return Self.readings(of: value)
        }
    }

    /// The texts that identify the secret of a field.
    ///
    /// The texts are credentials without their scheme, or cookies without a server's attributes.
    var credentials: [String] {
        let (name, value) = (name.lowercased(), Array(value.utf8))
        if name.utf8.suffix(6).elementsEqual("cookie".utf8) {
            let cookies = name.isSame(as: "set-cookie") ? value.prefix { $0 != UInt8(ascii: ";") } : value[...]
            return [Self.text(HTTP1Lines.trimmed(cookies))]
        }
        guard name.utf8.suffix(Self.authorization.count).elementsEqual(Self.authorization) else { return [self.value] }
        let words = value.split(whereSeparator: \.isBlank)
        guard words.count > 1 else { return [self.value] }
        return Self.basicCredentials(words)?.wholes ?? [words.dropFirst().map(Self.text).joined(separator: " ")]
    }

    private static let authorization = Array("authorization".utf8)

    /// Returns the values in credentials (RFC 9110 11.4).
    ///
    /// The values are those of parameters, such as the `response` of Digest (RFC 7616 3.4), the `Signature` of AWS and
    /// the `oauth_token` of OAuth 1 (RFC 5849 3.5.1), and values without a name.
    private static func parameters(of words: [ArraySlice<UInt8>]) -> [String] {
        // The first word is a scheme if others follow.
        words.dropFirst(words.count > 1 ? 1 : 0).flatMap { word in
            word.split { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }.flatMap { parameter -> [String] in
                let name = parameter.prefix { $0 != UInt8(ascii: "=") }
                let value = parameter[name.endIndex...].dropFirst()
                // Base64 ends with `=`, which follows no name in that case.
                guard !name.isEmpty, value.contains(where: { $0 != UInt8(ascii: "=") }) else {
                    return readings(of: parameter)
                }
                let isPublic = publicParameters.contains(HTTP1Lines.text(name).lowercased())
                return isPublic ? [] : readings(of: value)
            }
        }
    }

    /// Returns a value as it is, without quotes, and percent-decoded.
    private static func readings(of value: ArraySlice<UInt8>) -> [String] {
        let isQuoted = value.count > 1 && value.first == .doubleQuote && value.last == .doubleQuote
        let inner = isQuoted ? value.dropFirst().dropLast() : value
        return (isQuoted ? [value, inner] : [inner]).map(text) + [text(URIEncoding.decoded(text(inner))[...])]
    }

    /// The names of parameters that are no secrets, and whose values occur elsewhere.
    ///
    /// The parameters are those of Digest (RFC 7616 3.4), of OAuth 1 (RFC 5849 3.1), of AWS Signature 4, and of
    /// signatures (RFC 9421 2.3).
    private static let publicParameters: Set<String> = [
        "algorithm", "alg", "charset", "created", "domain", "error", "error_description", "expires", "headers", "keyid",
        "nc", "oauth_callback", "oauth_signature_method", "oauth_timestamp", "oauth_version", "opaque", "path", "qop",
        "realm", "scope", "signedheaders", "stale", "timestamp", "uri", "userhash", "ver", "version",
    ]

    /// Returns the secrets in `Basic` credentials, if a field contains some.
    private static func basic(_ words: [ArraySlice<UInt8>]) -> [String] {
        basicCredentials(words)?.secrets ?? []
    }

    private static func basicCredentials(_ words: [ArraySlice<UInt8>]) -> BasicCredentials? {
        guard words.count == 2, words[0].map(\.asciiLowercased) == Array("basic".utf8) else { return nil }
        // Servers accept credentials without padding.
        let written = words[1].prefix { $0 != UInt8(ascii: "=") }
        let filling = repeatElement(UInt8(ascii: "="), count: (4 - written.count % 4) % 4)
        return Data(base64Encoded: Data(written) + filling).map { BasicCredentials(Array($0)) }
    }

    // The text is decoded from bytes: an accent after a quotation mark makes another `Character`, but not for a server.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}

/// A user and a password, from a URL or a field (RFC 7617).
struct BasicCredentials {
    /// The user and the password, with a colon between them.
    private let both: [UInt8]

    init(_ both: [UInt8]) { self.both = both }

    /// The user, the password, and both together, plain and as in `Basic`, with and without padding.
    ///
    /// The user is a secret too: some APIs accept a token as the user, and ignore the password.
    var secrets: [String] {
        let parts = both.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        return wholes + parts.map(HTTP1Lines.text)
    }

    /// The user and the password together, plain and as in `Basic`.
    var wholes: [String] {
        let written = Data(both).base64EncodedString()
        // RFC 7617 2.1 leaves the charset to the server.
        return [HTTP1Lines.text(both[...]), written, String(written.prefix { $0 != "=" })]
    }
}

extension UInt8 {
    fileprivate static let doubleQuote = UInt8(ascii: "\"")
}
