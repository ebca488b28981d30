import StartSmallCore
import StartSmallSupport
import Foundation

/// The secrets of a recording, which are hidden wherever they occur.
struct KnownSecrets {
    private var secrets: Set<[UInt8]> = []

    /// The written forms of the secrets by their first byte, the longest first.
    private var forms: [UInt8: [[UInt8]]] = [:]

    /// The written forms that are too long to be compared at each byte of a text.
    private var longForms: [LongForm] = []

    /// The longest form in bytes that is compared at each byte of a text: longer ones are rare, and an index costs time.
    private static let longestCompared = 64

    /// Adds secrets, except for those that occur by chance or in a placeholder; returns whether one is new.
    mutating func add(_ found: Set<[UInt8]>) -> Bool {
        var isNew = false
        for secret in found {
            let secret = Array(secret.drop(while: Self.isSpace).reversed().drop(while: Self.isSpace).reversed())
            let placeholder = CassetteRedaction.placeholder
            guard secret.count >= CassetteRedaction.shortestSecret, !Data(secret).contains(placeholder),
                !Data(placeholder.utf8).contains(secret), secrets.insert(secret).inserted
            else { continue }
            isNew = true
            for form in Self.forms(of: secret) {
                guard let first = form.first else { continue }
                if form.count > Self.longestCompared {
                    longForms.append(LongForm(form))
                    continue
                }
                forms[first, default: []].append(form)
                forms[first]?.sort { $0.count > $1.count }
            }
        }
        return isNew
    }

    /// Returns the places of the secrets in a text.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - isCut: whether the text may end within a secret.
    func places(in bytes: [UInt8], isCut: Bool) -> HiddenPlaces {
        var found = HiddenPlaces()
        for form in longForms {
            let (ends, cut) = form.occurrences(in: bytes)
            for end in ends { Self.hide((end - form.bytes.count)..<end, in: bytes, &found) }
            if isCut, cut >= Self.shortestCut { found.hide((bytes.count - cut)..<bytes.count) }
        }
        if forms.isEmpty { return found }
        // Secrets may overlap, so that each byte may begin one.
        for (index, byte) in bytes.enumerated() {
            guard let form = forms[byte]?.first(where: { bytes[index...].starts(with: $0) }) else { continue }
            Self.hide(index..<(index + form.count), in: bytes, &found)
        }
        if isCut { hideCut(in: bytes, &found) }
        return found
    }

    private static func hide(_ range: Range<Int>, in bytes: [UInt8], _ found: inout HiddenPlaces) {
        found.hide(range, as: isNumber(range, in: bytes) ? "0" : CassetteRedaction.placeholder)
    }

    /// Hides the beginning of a secret at the end of a text.
    private func hideCut(in bytes: [UInt8], _ found: inout HiddenPlaces) {
        let longest = forms.values.flatMap { $0 }.map(\.count).max() ?? 0
        for start in max(0, bytes.count - longest + 1)..<max(0, bytes.count - Self.shortestCut + 1) {
            let rest = bytes[start...]
            guard forms[bytes[start]]?.contains(where: { $0.starts(with: rest) }) == true else { continue }
            return found.hide(start..<bytes.count)
        }
    }

    /// The number of bytes from which on the beginning of a secret is hidden at the end of a text.
    ///
    /// Fewer bytes occur by chance, and are less than a half of the shortest secret.
    private static let shortestCut = 4

    /// Returns whether digits are a number of JSON, and not a part of a text.
    private static func isNumber(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        guard bytes[range].allSatisfy(\.isASCIIDigit) else { return false }
        let before = bytes[..<range.lowerBound].last { !isSpace($0) }
        let after = bytes[range.upperBound...].first { !isSpace($0) }
        return before.map(":,[".utf8.contains) == true && after.map(",]}".utf8.contains) == true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { HTTPToken.isBlank(byte) || byte == 0x0A || byte == 0x0D }

    /// Returns the forms of a secret: as it is, in URLs and forms, in JSON, and in Base64.
    private static func forms(of secret: [UInt8]) -> Set<[UInt8]> {
        let text = String(decoding: secret, as: UTF8.self)
        let encoded = URIEncoding.encoded(text)
        let inQuery = text.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? encoded
        let escaped = [[], JSONEncoder.OutputFormatting.withoutEscapingSlashes].map { formatting in
            let encoder = JSONEncoder()
            encoder.outputFormatting = formatting
            return String(decoding: (try? encoder.encode(text)) ?? Data(), as: UTF8.self).dropFirst().dropLast()
        }
        let base64 = Data(secret).base64EncodedString().prefix { $0 != "=" }
        let inURL = base64.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        let texts =
            [encoded, lowercased(encoded), inQuery, lowercased(inQuery)]
            + [encoded, inQuery].map { $0.replacingOccurrences(of: "%20", with: "+") }
            + escaped.map(String.init) + [String(base64), String(inURL)]
        return Set(texts.map { Array($0.utf8) } + [secret]).filter { $0.count >= CassetteRedaction.shortestSecret }
    }

    /// Returns a text with the digits of its escapes in lower case.
    private static func lowercased(_ encoded: String) -> String {
        var left = 0
        let bytes = encoded.utf8.map { byte in
            left = byte == UInt8(ascii: "%") ? 2 : left - 1
            return left == 0 || left == 1 ? byte.asciiLowercased : byte
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Data {
    fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
    fileprivate func contains(_ bytes: [UInt8]) -> Bool { range(of: Data(bytes)) != nil }
}

extension HTTPHeaders.Field {
    /// The secrets in the value of a hidden field.
    ///
    /// The secrets are the whole value, the part behind its scheme (RFC 9110 11.4) with the user and password of
    /// `Basic` (RFC 7617), the values of cookies, and those of parameters, such as the `response` of Digest (RFC 7616
    /// 3.4) and the `Signature` of AWS, except for public ones.
    var secrets: Set<[UInt8]> {
        var value = Array(value.utf8)[...]
        var found: Set = [Array(value)]
        // The attributes of a cookie are no secrets (RFC 6265 4.1.1).
        if name.isSame(withoutCase: "Set-Cookie") { value = value.prefix { $0 != UInt8(ascii: ";") } }
        let scheme = value.prefix { !HTTPToken.isBlank($0) }
        if scheme.endIndex < value.endIndex, HTTPToken.isToken(scheme) {
            value = value[scheme.endIndex...].drop(while: HTTPToken.isBlank)
            found.insert(Array(value))
            if String(decoding: scheme, as: UTF8.self).isSame(withoutCase: "Basic") {
                found.formUnion(Self.secrets(ofBase64: value))
            }
        }
        let isSeparator = { (byte: UInt8) in
            HTTPToken.isBlank(byte) || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
        }
        for word in value.split(whereSeparator: isSeparator) {
            let name = word.prefix { $0 != UInt8(ascii: "=") }
            let rest = word[name.endIndex...].dropFirst()
            // Base64 ends with `=`, which follows no name in that case.
            guard rest.contains(where: { $0 != UInt8(ascii: "=") }) else {
                found.insert(Array(word))
                continue
            }
            let shown = String(decoding: name, as: UTF8.self).lowercased()
            if Self.publicParameters.contains(shown) { continue }
            let isQuoted = rest.count > 1 && rest.first == UInt8(ascii: "\"") && rest.last == UInt8(ascii: "\"")
            let inner = isQuoted ? rest.dropFirst().dropLast() : rest
            found.formUnion([Array(inner), Array(URIEncoding.decoded(inner))])
        }
        return found
    }

    private static func secrets(ofBase64 word: ArraySlice<UInt8>) -> Set<[UInt8]> {
        // Servers accept credentials without padding.
        let written = word.prefix { $0 != UInt8(ascii: "=") }
        let padding = repeatElement(UInt8(ascii: "="), count: (4 - written.count % 4) % 4)
        return Data(base64Encoded: Data(written) + padding).map { secrets(ofBasic: Array($0)) } ?? []
    }

    /// Returns the secrets in a user and a password with a colon between them.
    ///
    /// The user is a secret, too: some APIs accept a token as the user, and ignore the password.
    static func secrets(ofBasic both: [UInt8]) -> Set<[UInt8]> {
        let parts = both.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        return Set(parts.map(Array.init) + [both])
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
}

/// A form of a secret that is found in time that is linear in the length of a text (Knuth, Morris and Pratt, 1977).
private struct LongForm {
    let bytes: [UInt8]

    /// For each number of matching bytes from 1 on, the largest smaller number of bytes that match at the same place.
    private var shorter: [Int] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var count = 0
        for (index, byte) in bytes.enumerated() {
            if index > 0 { count = matching(after: count, byte) }
            shorter.append(count)
        }
    }

    /// Returns the ends of all occurrences in a text, and the length of the form's beginning at the end of the text.
    func occurrences(in text: [UInt8]) -> (ends: [Int], cut: Int) {
        var (ends, count): ([Int], Int) = ([], 0)
        for (index, byte) in text.enumerated() {
            count = matching(after: count, byte)
            guard count == bytes.count else { continue }
            ends.append(index + 1)
            count = shorter[count - 1]
        }
        return (ends, count)
    }

    /// Returns the number of matching bytes after one more byte.
    private func matching(after count: Int, _ byte: UInt8) -> Int {
        var count = count
        while count > 0, bytes[count] != byte { count = shorter[count - 1] }
        return bytes[count] == byte ? count + 1 : 0
    }
}
