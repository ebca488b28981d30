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

    /// How many bytes the shortest name or word has: what has fewer need not be looked at.
    private let shortest: Int

    /// How many bytes a name may have that is one of ``names``: hashing a longer one could take long; see `ByteEqualString`.
    private let longest: Int

    private let secretWords: SecretWords

    /// Names and words alike: in nearly all names, none of them stands anywhere.
    private let suspects: SecretWords

    /// See ``sparing`` and ``keepingKinds``.
    var isSparing = false
    var keepsKinds = false

    /// Creates a redaction from its names and words, which are compared without case, `-` and `_`.
    public init(names: Set<String>, words: Set<String>, hidesUserInfo: Bool = true) {
        self.names = Set(names.map { SecretName($0).whole })
        self.words = Set(words.map { SecretName($0).whole })
        self.hidesUserInfo = hidesUserInfo
        secretWords = SecretWords(self.words)
        suspects = SecretWords(self.names.union(self.words))
        shortest = self.names.union(self.words).map(\.utf8.count).min() ?? .max
        // Written in another normal form, a text has three times as many bytes at most, and that in both ways.
        longest = (self.names.map(\.utf8.count).max() ?? 0) * 9
    }

    /// What hides credentials in descriptions unless another redaction is asked for.
    public static let standard = Redaction(names: defaultNames, words: defaultWords)

    /// Hides nothing: for a developer's eyes only.
    public static let none = Redaction(names: [], words: [], hidesUserInfo: false)

    /// Whole names that are secrets in the APIs we know, too short to be looked for inside other names.
    public static let defaultNames: Set<String> = [
        "access", "appid", "auth", "authentication", "code", "cvv", "dpop", "dsn", "key", "mnemonic", "otp", "pass",
        "passwd", "pin", "pwd", "refresh", "sid", "sig", "sign", "totp",
    ]

    /// Words that make any name a secret: RFC 9110 11.6 and 11.7, RFC 6265 4, RFC 6749 2.3.1 and 4, RFC 7636 4, AWS
    /// Signature 4, and the key headers of Azure, Cloudflare, Datadog, Fastly, Parse and S3.
    public static let defaultWords: Set<String> = [
        "accesskey", "accountkey", "apikey", "appkey", "applicationkey", "assertion", "authcode", "authkey",
        "authorization",
        "bearer", "connectionstring", "cookie", "credential", "csrf", "customerkey", "devicecode", "fastlykey",
        "functionskey", "hmac", "jwt", "licensekey", "masterkey", "mfacode", "passcode", "passphrase", "password",
        "privatekey", "recoverycode", "samlresponse", "secret", "servicekey", "sessid", "session", "signature",
        "smscode", "subscriptionkey", "token", "usercode", "userkey", "verificationcode", "verifier", "xsrf",
    ]

    /// What stands in place of a hidden value.
    public static let placeholder = "<redacted>"

    /// Whether the value of a header or query item of this name is hidden.
    public func hides(_ name: String) -> Bool {
        hides(Array(name.utf8)[...])
    }

    /// The same for a name in UTF-8.
    func hides(_ name: ArraySlice<UInt8>) -> Bool {
        if isHarmless(name) { return false }
        if let letters = SecretName.letters(of: name), secretWords.stand(in: letters) { return true }
        let name = SecretName(name)
        return isOneOfNames(name.whole) || name.parts.contains(where: isOneOfNames) || isUnmistakable(name)
    }

    /// Whether it is soon seen that a name hides nothing, as it is of nearly all.
    func isHarmless(_ name: ArraySlice<UInt8>) -> Bool {
        if name.count < shortest, name.allSatisfy({ $0 < 0x80 }) { return true }
        if name.count == Self.harmlessName.utf8.count, name.elementsEqual(Self.harmlessName.utf8, by: Self.isSame) {
            return true
        }
        return SecretName.letters(of: name).map { !suspects.stand(in: $0) } ?? false
    }

    /// The field of CORS that says whether credentials may be sent, and holds none (Fetch 3.3.3).
    private static let harmlessName = "access-control-allow-credentials"

    private static func isSame(_ byte: UInt8, _ small: UInt8) -> Bool { byte.asciiLowercased == small }

    /// Names of header fields that say nothing as a part of others, as in `authentication_method` and `dpop_jkt`.
    private static let wholeNames: Set<String> = ["authentication", "dpop"]

    /// Whether a secret name may stand anywhere in a text, however that is written.
    func isSuspect(_ text: ArraySlice<UInt8>) -> Bool {
        suspects.stand(in: text.filter(URIEncoding.isAlphanumeric).map(\.asciiLowercased)[...])
    }

    /// Whether a name hides a value by more than an ordinary word, which says nothing as a part of others, as in
    /// `status_code`, `Idempotency-Key` and `refresh_interval`.
    func isUnmistakable(_ name: SecretName) -> Bool {
        let isSecret = { isOneOfNames($0) && !Self.ambiguousNames.contains($0) }
        return isSecret(name.whole) || name.parts.contains(where: isSecret)
            || name.segments.contains { isSecret($0) && !Self.wholeNames.contains($0) }
            || secretWords.stand(in: name.bytes[...])
    }

    private func isOneOfNames(_ name: String) -> Bool {
        name.utf8.count <= longest && names.contains(name)
    }

    /// Whether nothing is hidden at all.
    package var hidesNothing: Bool { names.isEmpty && words.isEmpty && !hidesUserInfo }

    /// The value to show for a header or query item of this name, on one line.
    public func shown(_ value: String, of name: String) -> String {
        decision(on: name).hides(value.utf8) ? Self.placeholder : shown(text: value)
    }

    /// A URL's text with its hidden parts replaced, on one line; works on any text, whether it is a legal URL or not.
    public func shown(url text: String) -> String {
        var redactor = Redactor(self)
        return redactor.url(text).onOneLine
    }

    /// A text with the hidden parts of all URLs, parameters, JSON and XML in it replaced, on one line.
    public func shown(text: String) -> String {
        hiding(text: text).onOneLine
    }

    /// The same, on as many lines as there are.
    func hiding(text: String) -> String {
        var redactor = Redactor(self)
        return redactor.text(text)
    }

    /// The same for a form.
    func hiding(form text: ArraySlice<UInt8>) -> [UInt8] {
        var redactor = Redactor(self)
        return redactor.form(text)
    }

    /// The name of a header on one line, unless a credential is glued to it (`Authorization: Basic …` as a name).
    func shown(name: String) -> String {
        HTTPToken.isToken(name) ? name : shown(name, of: name)
    }
}
