import StartSmallCore
import StartSmallSupport
import Foundation

/// The secrets of a recording, which are hidden wherever they occur.
///
/// A search takes time that is linear in the text, whatever the number of secrets is.
struct KnownSecrets {
    private var secrets: Set<[UInt8]> = []

    /// The written forms of the secrets, by their first four bytes.
    private var forms: [UInt32: Forms] = [:]

    private struct Forms {
        var all: [[UInt8]] = []

        /// The hashes of the forms by their lengths, the longest first.
        var hashes: [(length: Int, hashes: Set<UInt64>)] = []

        mutating func add(_ form: [UInt8]) {
            all.append(form)
            let hash = PartHashes(form)[form.indices]
            if let index = hashes.firstIndex(where: { $0.length == form.count }) {
                hashes[index].hashes.insert(hash)
            } else {
                hashes.append((form.count, [hash]))
                hashes.sort { $0.length > $1.length }
            }
        }
    }

    /// All written forms.
    var allForms: [[UInt8]] { forms.values.flatMap(\.all) }

    /// Adds secrets, except for those that occur by chance or in a placeholder; returns the new ones.
    mutating func add(_ found: Set<[UInt8]>) -> KnownSecrets? {
        var new = KnownSecrets()
        for secret in found {
            let secret = Array(secret.drop(while: Self.isSpace).reversed().drop(while: Self.isSpace).reversed())
            let placeholder = CassetteRedaction.placeholder
            guard secret.count >= CassetteRedaction.shortestSecret, !Data(secret).contains(placeholder),
                !Data(placeholder.utf8).contains(secret), secrets.insert(secret).inserted
            else { continue }
            for form in Self.forms(of: secret) {
                guard let key = Windows<UInt32>(form[...]).first(where: { _ in true })?.window else { continue }
                forms[key, default: Forms()].add(form)
                new.forms[key, default: Forms()].add(form)
            }
        }
        return new.forms.isEmpty ? nil : new
    }

    /// Returns the places of the secrets in a text.
    func places(in bytes: [UInt8], isCut: Bool) -> HiddenPlaces {
        var found = HiddenPlaces()
        if forms.isEmpty { return found }
        lazy var parts = PartHashes(bytes)
        var beginnings: Set<UInt32> = []
        // Secrets may overlap, so that each byte may begin one.
        for (start, key) in Windows<UInt32>(bytes[...]) {
            guard let forms = forms[key] else { continue }
            if isCut { beginnings.insert(key) }
            for (length, hashes) in forms.hashes where start + length <= bytes.count {
                guard hashes.contains(parts[start..<(start + length)]) else { continue }
                Self.hide(start..<(start + length), in: bytes, &found)
                break
            }
        }
        // The longest beginning of a secret at the end of the text has those of others in it.
        let cut = beginnings.compactMap { forms[$0]?.all.map { Self.overlap(of: $0, with: bytes) }.max() }.max() ?? 0
        if cut >= Self.shortestCut { found.hide((bytes.count - cut)..<bytes.count) }
        return found
    }

    private static func hide(_ range: Range<Int>, in bytes: [UInt8], _ found: inout HiddenPlaces) {
        found.hide(range, as: isNumber(range, in: bytes) ? "0" : CassetteRedaction.placeholder)
    }

    /// Returns the length of the longest beginning of a secret with which a text ends (Knuth, Morris and Pratt, 1977).
    private static func overlap(of secret: [UInt8], with text: [UInt8]) -> Int {
        /// For each number of matching bytes from 1 on, the largest smaller number that matches at the same place.
        var shorter: [Int] = []
        let matching = { (count: Int, byte: UInt8) in
            var count = count
            while count > 0, secret[count] != byte { count = shorter[count - 1] }
            return secret[count] == byte ? count + 1 : 0
        }
        for (index, byte) in secret.enumerated() { shorter.append(index == 0 ? 0 : matching(shorter[index - 1], byte)) }
        return text.suffix(secret.count - 1).reduce(0) { matching($0, $1) }
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

/// The hashes of all parts of a text, each in constant time (Karp and Rabin, 1987).
///
/// Two parts with one hash are taken for equal: with a prime of 61 bits and a random base, nobody can cause that.
private struct PartHashes {
    private static let prime: UInt64 = 1 << 61 - 1
    private static let base = UInt64.random(in: 1 << 32..<prime)

    /// The hashes of the beginnings of the text, and the powers of the base.
    private var (hashes, powers): ([UInt64], [UInt64]) = ([0], [1])

    init(_ text: [UInt8]) {
        for byte in text {
            hashes.append((Self.product(hashes[hashes.count - 1], Self.base) + UInt64(byte)) % Self.prime)
            powers.append(Self.product(powers[powers.count - 1], Self.base))
        }
    }

    subscript(part: Range<Int>) -> UInt64 {
        let before = Self.product(hashes[part.lowerBound], powers[part.count])
        return (hashes[part.upperBound] + Self.prime - before) % Self.prime
    }

    private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return prime.dividingFullWidth(product).remainder
    }
}
