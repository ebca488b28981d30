import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// The secrets of a recording, which are hidden wherever they occur.
///
/// A search takes time that is linear in the text, whatever the number of secrets is.
package struct KnownSecrets: Sendable {
    /// The text in place of each secret.
    private let placeholder: String

    package init(placeholder: String = CassetteRedaction.placeholder) { self.placeholder = placeholder }

    private var secrets: Set<[UInt8]> = []

    /// The number of secrets.
    package var count: Int { secrets.count }

    /// The written forms of the secrets that were added as new ones.
    package private(set) var newForms: [[UInt8]] = []

    /// The hashes of the written forms.
    private var forms: Set<UInt64> = []

    /// The lengths of the forms by the hashes of their beginnings, which are as long as a power of two can be.
    private var lengths: [UInt64: [Int]] = [:]

    /// The sums of these powers by the first four bytes of the forms.
    private var powers: [UInt32: Int] = [:]

    /// The hashes of all beginnings of the forms, and the length of the longest form.
    private var (beginnings, longest): (Set<UInt64>, Int) = ([], 0)

    /// Adds secrets, except for those that occur by chance or in a placeholder; returns the new ones.
    package mutating func add(_ found: Set<[UInt8]>) -> KnownSecrets? {
        var new = KnownSecrets()
        for secret in found {
            let secret = Array(secret.drop(while: Self.isSpace).reversed().drop(while: Self.isSpace).reversed())
            let (placeholder, text) = (CassetteRedaction.placeholder, String(decoding: secret, as: UTF8.self))
            guard secret.count >= CassetteRedaction.shortestSecret, !secret[...].holds(placeholder),
                !Array(placeholder.utf8)[...].holds(text), secrets.insert(secret).inserted
            else { continue }
            for form in Self.forms(of: secret) {
                add(form)
                new.add(form)
                new.newForms.append(form)
            }
        }
        return new.forms.isEmpty ? nil : new
    }

    private mutating func add(_ form: [UInt8]) {
        let (parts, key) = (PartHashes(form), form.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        let power = Self.power(upTo: form.count)
        powers[key, default: 0] |= power
        forms.insert(parts[form.indices])
        let known = lengths[parts[0..<power]] ?? []
        if known.count <= Self.mostLengths, !known.contains(form.count) {
            lengths[parts[0..<power]] = known + [form.count]
        }
        for end in Self.shortestCut..<min(form.count, Self.longestCut + 1) { beginnings.insert(parts[0..<end]) }
        longest = max(longest, form.count)
    }

    /// Returns the places of the secrets in a text.
    package func places(in bytes: [UInt8], isCut: Bool) -> HiddenPlaces {
        if forms.isEmpty { return HiddenPlaces() }
        var found = search(bytes, isCut: isCut)
        if let (decoded, indices) = Self.decodedForm(bytes) {
            found.add(search(decoded, isCut: isCut)) { indices[$0] }
        }
        return found
    }

    /// Returns a text with its percent-encoded bytes decoded, of which a URL may have any, and a space for each `+`.
    ///
    /// - Returns: the text, and the index of each of its bytes and of its end; nil for a text without such bytes.
    static func decodedForm(_ bytes: [UInt8]) -> (bytes: [UInt8], indices: [Int])? {
        guard bytes.contains(URIEncoding.percent) else { return nil }
        var (decoded, indices, index) = ([UInt8](), [Int](), 0)
        while index < bytes.count {
            let isEscape = bytes[index] == URIEncoding.percent
            // A cut text may end within an escape, which is a part of the secret before it.
            if isEscape, index + 2 >= bytes.count { break }
            let escaped = isEscape ? URIEncoding.triplet(after: bytes[(index + 1)...]) : nil
            let byte = escaped ?? bytes[index]
            decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            indices.append(index)
            index += escaped == nil ? 1 : 3
        }
        return (decoded, indices + [bytes.count])
    }

    private func search(_ bytes: [UInt8], isCut: Bool) -> HiddenPlaces {
        var found = HiddenPlaces()
        lazy var parts = PartHashes(bytes)
        // Secrets may overlap, so that each byte may begin one.
        for (start, key) in Windows<UInt32>(bytes[...]) {
            guard let powers = powers[key] else { continue }
            if let length = length(at: start, in: parts, powers) {
                let range = start..<(start + length)
                found.hide(range, as: Self.isNumber(range, in: bytes) ? "0" : placeholder)
            } else if isCut, start + longest > bytes.count,
                beginnings.contains(parts[start..<min(bytes.count, start + Self.longestCut)])
            {
                // The longest beginning of a secret has those of others in it.
                found.hide(start..<bytes.count)
                break
            }
        }
        return found
    }

    /// Returns the length of the longest secret that begins at an index.
    private func length(at start: Int, in parts: PartHashes, _ powers: Int) -> Int? {
        var powers = powers
        while powers > 0 {
            let power = Self.power(upTo: powers)
            powers -= power
            guard start + power <= parts.count, let lengths = lengths[parts[start..<(start + power)]] else { continue }
            // All of them are shorter than the next power.
            if lengths.count > Self.mostLengths { return min(2 * power, parts.count - start) }
            let known = lengths.filter { length in
                start + length <= parts.count && forms.contains(parts[start..<(start + length)])
            }
            if let length = known.max() { return length }
        }
        return nil
    }

    private static func power(upTo number: Int) -> Int { 1 << (Int.bitWidth - 1 - number.leadingZeroBitCount) }

    /// The maximum number of lengths of secrets with the same beginning, half of each secret or more.
    ///
    /// Tokens differ before their half. If a server sends more secrets that do not, what may be one of them is hidden.
    private static let mostLengths = 16

    /// The number of bytes from which on the beginning of a secret is hidden at the end of a text.
    ///
    /// Fewer bytes occur by chance, and are less than a half of the shortest secret.
    private static let shortestCut = 4

    /// The maximum number of bytes of a beginning that are compared: two keys of 256 bytes differ before that.
    ///
    /// The beginnings of one form take 4 KiB at most.
    private static let longestCut = 256

    /// Returns whether digits are a number of JSON, and not a part of a text.
    private static func isNumber(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        let before = bytes[..<range.lowerBound].last { !isSpace($0) }
        let after = bytes[range.upperBound...].first { !isSpace($0) }
        // The digits last: each place in a run of digits may begin a secret.
        return before.map(":,[".utf8.contains) == true && after.map(",]}".utf8.contains) == true
            && bytes[range].allSatisfy(\.isASCIIDigit)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { HTTPToken.isBlank(byte) || byte == 0x0A || byte == 0x0D }

    /// Returns the forms of a secret: as it is, in URLs and forms, in JSON, in Base64, and in a decoded form.
    private static func forms(of secret: [UInt8]) -> Set<[UInt8]> {
        let text = String(decoding: secret, as: UTF8.self)
        let encoded = URIEncoding.encoded(text)
        let inQuery = URIEncoding.encoded(text) { URIEncoding.isUnreserved($0) || URIEncoding.queryMarks.contains($0) }
        var quoted: [UInt8] = []
        JSONString.write(secret[...], to: &quoted)
        let escaped = String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
        let base64 = Data(secret).base64EncodedString().prefix { $0 != "=" }
        let inURL = base64.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        var texts = [encoded, lowercased(encoded), inQuery, lowercased(inQuery)]
        texts += [encoded, inQuery].map { $0.replacing("%20", by: "+") }
        texts += [escaped, escaped.replacing("/", by: #"\/"#), String(base64), String(inURL)]
        texts.append(text.replacing("+", by: " "))
        return Set(texts.map { Array($0.utf8) } + [secret]).filter { $0.count >= CassetteRedaction.shortestSecret }
    }

    /// Returns a text with the digits of its escapes in lower case.
    private static func lowercased(_ encoded: String) -> String {
        encoded.split(separator: "%", omittingEmptySubsequences: false).enumerated()
            .map { $0 == 0 ? String($1) : $1.prefix(2).lowercased() + $1.dropFirst(2) }.joined(separator: "%")
    }
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

/// The hashes of all parts of a text, each in a time that hardly depends on its length (Karp and Rabin, 1987).
///
/// Equal parts have equal hashes, so that each secret is found. Other parts hardly do, since the base is random; if
/// somebody makes such a text, more of it is hidden.
private struct PartHashes {
    private static let base = UInt64.random(in: 1 << 32...UInt64.max) | 1

    /// The hashes of the beginnings of the text.
    private var hashes: [UInt64] = [0]

    /// The number of bytes of the text.
    var count: Int { hashes.count - 1 }

    init(_ text: [UInt8]) {
        hashes.reserveCapacity(text.count + 1)
        // Each byte counts, so that no zeros at the beginning are ignored.
        for (index, byte) in text.enumerated() { hashes.append(hashes[index] &* Self.base &+ UInt64(byte) &+ 1) }
    }

    subscript(part: Range<Int>) -> UInt64 {
        // The power is computed by squares, since a table of powers is as large as the hashes are.
        var (power, square, rest) = (UInt64(1), Self.base, part.count)
        while rest > 0 {
            if rest & 1 == 1 { power &*= square }
            square &*= square
            rest >>= 1
        }
        return hashes[part.upperBound] &- hashes[part.lowerBound] &* power
    }
}
