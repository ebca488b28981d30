import Foundation

/// What must not be shown: which headers, query items and names in JSON hold credentials, and what stands in their place.
///
/// All descriptions in StartSmall use ``standard`` unless they are asked for another, so that credentials reach
/// neither a log nor a failed test's output by accident.
public struct Redaction: Hashable, Sendable {
    /// Names that hide a value when they are its whole name, or one of the names in it (`user[pwd]`).
    public let names: Set<String>

    /// Words that hide a value when they occur anywhere in its name.
    public let words: Set<String>

    /// Whether the user information of a URL (`https://user:password@host`) is hidden.
    public let hidesUserInfo: Bool

    /// Creates a redaction from its names and words, which are compared without case, `-` and `_`.
    public init(names: Set<String>, words: Set<String>, hidesUserInfo: Bool = true) {
        self.names = Set(names.map { Self.parts(of: $0).joined() })
        self.words = Set(words.map { Self.parts(of: $0).joined() })
        self.hidesUserInfo = hidesUserInfo
    }

    /// What hides credentials in descriptions unless another redaction is asked for.
    public static let standard = Redaction(names: standardNames, words: standardWords)

    /// Hides nothing: for a developer's eyes only.
    public static let none = Redaction(names: [], words: [], hidesUserInfo: false)

    /// Whole names that are secrets in the APIs we know, too short to be looked for inside other names.
    public static let standardNames: Set<String> = [
        "appid", "auth", "code", "key", "otp", "pass", "passwd", "pin", "pwd", "sid", "sig", "sign",
    ]

    /// Names that say nothing as a part of others, as in `status_code` and `Idempotency-Key`.
    private static let ordinaryNames: Set<String> = ["code", "key", "sign"]

    /// Words that make any name a secret: RFC 9110 11.6 and 11.7, RFC 6265 4, RFC 6749 2.3.1 and 4, RFC 7636 4, AWS
    /// Signature 4, and the key headers of Azure, Cloudflare, Datadog, Parse and S3.
    public static let standardWords: Set<String> = [
        "accesskey", "apikey", "appkey", "applicationkey", "assertion", "authcode", "authkey", "authorization",
        "bearer", "cookie", "credential", "csrf", "customerkey", "devicecode", "functionskey", "hmac", "jwt",
        "masterkey", "passcode",
        "passphrase", "password", "privatekey", "secret", "sessid", "session", "signature", "subscriptionkey", "token",
        "usercode", "userkey", "verifier", "xsrf",
    ]

    /// What stands in place of a hidden value.
    public static let placeholder = "<redacted>"

    /// Whether the value of a header or query item of this name is hidden.
    public func hides(_ name: String) -> Bool {
        if names.isEmpty && words.isEmpty { return false }
        let parts = Self.parts(of: name)
        let whole = Array(parts.joined().utf8)
        let segments = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return parts.contains(where: names.contains) || names.contains(parts.joined())
            || segments.contains { names.contains($0) && !Self.ordinaryNames.contains($0) }
            || words.contains { word in whole.indices.contains { whole[$0...].starts(with: word.utf8) } }
    }

    /// The value to show for a header or query item of this name, on one line.
    public func shown(_ value: String, of name: String) -> String {
        hides(name) ? Self.placeholder : shown(text: value)
    }

    /// A URL's text with its hidden parts replaced, on one line; works on any text, whether it is a legal URL or not.
    public func shown(url text: String) -> String {
        let scalars = text.unicodeScalars
        let front = scalars[..<(scalars.firstRange(of: "//".unicodeScalars)?.lowerBound ?? scalars.endIndex)]
        guard hidesUserInfo, front.first != "/", let at = front.lastIndex(of: "@"), front[..<at].contains(":") else {
            return shown(text: text)
        }
        return Self.placeholder + shown(text: String(text[at...]))
    }

    /// A text with the hidden parts of all URLs and parameters in it replaced, on one line.
    public func shown(text: String) -> String {
        hiding(text: text).onOneLine
    }

    /// The same, on as many lines as there are.
    func hiding(text: String) -> String {
        hidingItems(of: hidingUserInfo(of: text), unfolding: true)
    }

    /// The name of a header on one line, unless a credential is glued to it (`Authorization: Basic …` as a name).
    func shown(name: String) -> String {
        RFC9110.isToken(name) ? name : shown(name, of: name)
    }

    /// A name's letters and digits in lower case, apart where anything but `-` and `_` is between.
    private static func parts(of name: String) -> [String] {
        name.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" }
            .split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }.map(String.init)
    }

    // What follows looks at scalars: as a `Character`, a mark with an accent on it would not be that mark.

    /// `https://user:password@host/path` without its user information, wherever it stands in a text.
    private func hidingUserInfo(of text: String) -> String {
        var rest = text.unicodeScalars[...]
        guard hidesUserInfo, let lastAt = rest.lastIndex(of: "@") else { return text }
        let lastColon = rest[..<lastAt].lastIndex(of: ":") ?? text.startIndex
        var shown = ""
        while rest.startIndex < lastAt, let slashes = rest.firstRange(of: "//".unicodeScalars) {
            shown += String(rest[..<slashes.upperBound])
            rest = rest[slashes.upperBound...]
            let fallback = rest.startIndex <= lastColon ? lastAt : nil
            guard let at = Self.endOfUserInfo(rest, unlessWhole: fallback) else { continue }
            shown += Self.placeholder
            rest = rest[at...]
        }
        return shown + String(rest)
    }

    /// Where the `@` is after the user information with which a text begins.
    ///
    /// An authority that is none, as in `user:pa/ss@host`, was cut short by a `/`, `?` or `#` that belongs to a
    /// password; then everything up to the last `@` may be part of it.
    private static func endOfUserInfo(
        _ text: Substring.UnicodeScalarView,
        unlessWhole lastAt: String.Index?
    ) -> String.Index? {
        let authority = text.prefix { !"/?#\"<> ".unicodeScalars.contains($0) }
        if let at = authority.lastIndex(of: "@") { return at }
        let afterHost = authority.first == "[" ? authority.drop { $0 != "]" } : authority
        let digits = afterHost.drop { $0 != ":" }.dropFirst()
        let isWhole = !authority.isEmpty && digits.allSatisfy { ("0"..."9").contains($0) }
        return isWhole ? nil : lastAt
    }

    /// `?a=1&token=2`, a fragment or parameters of that form, with the secret values replaced.
    ///
    /// - Parameter unfolding: whether to look into encoded values too, as into `?next=https%3A%2F%2Fhost%2F%3Ftoken%3D2`.
    private func hidingItems(of text: String, unfolding: Bool) -> String {
        let scalars = text.unicodeScalars
        let marks = scalars.indices.filter { "?#&;".unicodeScalars.contains(scalars[$0]) }
        let items = zip(marks, marks.dropFirst() + [scalars.endIndex]).map { scalars[$0..<$1] }
        return String(scalars[..<(marks.first ?? scalars.endIndex)])
            + items.map { hidingValue(of: $0, unfolding: unfolding) }.joined()
    }

    /// `&name=value`, its value replaced if it is secret.
    private func hidingValue(of item: Substring.UnicodeScalarView, unfolding: Bool) -> String {
        guard let equals = item.firstIndex(of: "=") else { return String(item) }
        func decoded(_ part: Substring.UnicodeScalarView) -> String {
            String(decoding: RFC3986.decoded(String(part)), as: UTF8.self)
        }
        let value = decoded(item[item.index(after: equals)...])
        let holdsSecret = unfolding && hidingItems(of: hidingUserInfo(of: value), unfolding: false) != value
        guard holdsSecret || hides(decoded(item[..<equals])) else { return String(item) }
        return String(item[...equals]) + Self.placeholder
    }
}
