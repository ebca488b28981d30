import Foundation

/// The rules that hide credentials in header fields, query items and JSON, and the placeholder that replaces them.
///
/// All descriptions in StartSmall use ``standard`` unless another redaction is given, so that credentials reach neither
/// a log nor the output of a failed test by accident.
public struct Redaction: Hashable, Sendable {
    /// Names that hide a value if they are its whole name, or one of the names inside of that name (`user[pwd]`).
    public let names: Set<String>

    /// Words that hide a value if they occur anywhere in its name.
    public let words: Set<String>

    /// Whether the user information of a URL (`https://user:password@host`) is hidden.
    public let hidesUserInfo: Bool

    /// Whether secrets that are known by their form, such as `ghp_…`, are hidden without a name.
    public let hidesKnownForms: Bool

    /// The length in bytes of the shortest name or word; a shorter name needs no check.
    private let shortest: Int

    /// The maximum length in bytes of a name that can be one of ``names``.
    ///
    /// Hashing a longer name could take a long time; see `ByteEqualString`.
    private let longest: Int

    private let secretWords: SecretWords

    /// The words that are not among the ``defaultWords``, and hide the words of protocols too.
    private let addedWords: SecretWords

    /// All names and words; nearly all names contain none of them.
    private let suspects: SecretWords

    /// The options of ``sparing`` and ``keepingKinds``.
    var isSparing = false
    var keepsKinds = false

    /// Creates a redaction from names and words, which are compared without case, `-` and `_`.
    ///
    /// - Parameters:
    ///   - names: names that hide a value if they are its whole name, or one of the names inside of that name.
    ///   - words: words that hide a value if they occur anywhere in its name.
    ///   - hidesUserInfo: whether the user information of a URL (`https://user:password@host`) is hidden.
    ///   - hidesKnownForms: whether secrets that are known by their form are hidden without a name: JSON Web Tokens
    ///     (`eyJ….….…`), tokens after `Bearer`, and the keys of widespread services (`sk-…`, `ghp_…`, `AKIA…`).
    @inline(never)  // in the two constants below
    public init(names: Set<String>, words: Set<String>, hidesUserInfo: Bool = true, hidesKnownForms: Bool = true) {
        self.names = Set(names.map { SecretName($0).whole })
        self.words = Set(words.map { SecretName($0).whole })
        self.hidesUserInfo = hidesUserInfo
        self.hidesKnownForms = hidesKnownForms
        secretWords = SecretWords(self.words)
        addedWords = SecretWords(self.words.subtracting(Self.defaultWords))
        suspects = SecretWords(self.names.union(self.words))
        shortest = self.names.union(self.words).map(\.utf8.count).min() ?? .max
        // In another normal form, a text has at most three times as many bytes, and that in both directions.
        longest = (self.names.map(\.utf8.count).max() ?? 0) * 9
    }

    /// The redaction that hides credentials in descriptions unless another redaction is given.
    ///
    /// Its ``names`` are secrets in known APIs, too short to be searched for inside of other names. The sources of its
    /// ``words`` are RFC 9110 11.6 and 11.7, RFC 6265 4, RFC 6749 2.3.1 and 4, RFC 7636 4, AWS Signature 4, and the key
    /// headers of Azure, Cloudflare, Datadog, Fastly, Parse and S3.
    public static let standard = Redaction(names: defaultNames, words: defaultWords)

    /// The redaction that hides nothing, for a developer's eyes only.
    public static let none = Redaction(names: [], words: [], hidesUserInfo: false, hidesKnownForms: false)

    /// Whole names that are secrets in known APIs, too short to be searched for inside of other names.
    static let defaultNames: Set<String> = [
        "access", "appid", "auth", "authentication", "code", "cvv", "dpop", "dsn", "key", "mnemonic", "otp", "pass",
        "passwd", "pin", "pwd", "refresh", "sas", "sid", "sig", "sign", "ssn", "ticket", "totp",
    ]

    /// Words that make any name a secret.
    ///
    /// The sources are RFC 9110 11.6 and 11.7, RFC 6265 4, RFC 6749 2.3.1 and 4, RFC 7636 4, AWS Signature 4, and the
    /// key headers of Azure, Cloudflare, Datadog, Fastly, Parse and S3.
    static let defaultWords: Set<String> = [
        "accesskey", "accountkey", "apikey", "appkey", "applicationkey", "assertion", "authcode", "authkey",
        "authorization", "bearer", "cardnumber", "connectionstring", "cookie", "credential", "csrf", "customerkey",
        "devicecode", "encryptionkey", "fastlykey", "functionskey", "hmac", "jwt", "licensekey", "masterkey", "mfacode",
        "passcode", "passphrase", "password", "privatekey", "recoverycode", "samlresponse", "secret", "servicekey",
        "sessid", "session", "signature", "signingkey", "smscode", "subscriptionkey", "token", "usercode", "userkey",
        "verificationcode", "verifier", "xsrf",
    ]

    /// The text that replaces a hidden value.
    public static let placeholder = "<redacted>"

    /// Returns whether the value of a header field or query item with this name is hidden.
    public func hides(_ name: String) -> Bool {
        hides(Array(name.utf8)[...])
    }

    /// Returns whether a value with this name, which is in UTF-8, is hidden.
    func hides(_ name: ArraySlice<UInt8>) -> Bool {
        if isHarmless(name) { return false }
        if let letters = SecretName.letters(of: name), secretWords.occur(in: letters) {
            return !isOfProtocol(letters)
        }
        let name = SecretName(name)
        if name.whole.isEmpty { return false }
        return isOneOfNames(name.whole) || name.parts.contains { isOneOfNames($0) } || isUnmistakable(name)
    }

    /// Returns whether a fast check shows that a name hides nothing, as for nearly all names.
    func isHarmless(_ name: ArraySlice<UInt8>) -> Bool {
        if name.count < shortest, name.allSatisfy({ $0 < 0x80 }) { return true }
        if name.count == Self.harmlessName.utf8.count, name.elementsEqual(Self.harmlessName.utf8, by: Self.isSame) {
            return true
        }
        return SecretName.letters(of: name).map { !suspects.occur(in: $0) } ?? false
    }

    /// Returns whether a name in the form of ``SecretName`` is a word of a protocol, whose value is no secret.
    private func isOfProtocol(_ name: ArraySlice<UInt8>) -> Bool {
        guard Self.protocolEndings.contains(where: { name.suffix($0.count).elementsEqual($0) }) else { return false }
        return !addedWords.occur(in: name) && !isOneOfNames(String(decoding: name, as: UTF8.self))
    }

    /// The endings of names that contain a word such as `token`, but whose values are words and numbers of a protocol.
    ///
    /// The names are `token_type` (RFC 6749 5.1), `token_type_hint` (RFC 7009 2.1), `issued_token_type` and others (RFC
    /// 8693 2), `client_assertion_type` (RFC 7521 4.2), `token_endpoint`, `authorization_endpoint`,
    /// `token_endpoint_auth_methods_supported` and others (RFC 8414 2), `bearer_methods_supported` (RFC 9728 2),
    /// `token_endpoint_auth_method`, `client_secret_expires_at` (RFC 7591 2 and 3), the algorithms of OpenID Connect
    /// Registration 2, `refresh_token_expires_in` of GitHub and Google, and `token_use` of Amazon Cognito.
    private static let protocolEndings = [
        "tokentype", "tokentypehint", "tokenuse", "assertiontype", "endpoint", "endpointauthmethod",
        "endpointauthsigningalg", "tokensignedresponsealg", "tokenencryptedresponsealg", "tokenencryptedresponseenc",
        "supported", "expiresin", "expiresat",
    ].map { Array($0.utf8) }

    /// The CORS field that says whether credentials may be sent, and contains none (Fetch 3.3.3).
    private static let harmlessName = "access-control-allow-credentials"

    private static func isSame(_ byte: UInt8, _ small: UInt8) -> Bool { byte.asciiLowercased == small }

    /// Names of header fields that mean nothing as a part of other names, as in `authentication_method` and `dpop_jkt`.
    private static let wholeNames: Set<String> = ["authentication", "dpop"]

    /// Returns whether a text may contain a secret name anywhere, in any spelling.
    func isSuspect(_ text: ArraySlice<UInt8>) -> Bool {
        suspects.occur(in: text.filter(URIEncoding.isAlphanumeric).map(\.asciiLowercased)[...])
    }

    /// Returns whether a name hides a value by more than an ordinary word.
    ///
    /// An ordinary word means nothing as a part of another name, as in `status_code`, `Idempotency-Key` and
    /// `refresh_interval`.
    func isUnmistakable(_ name: SecretName) -> Bool {
        isUnmistakable(name.whole) || name.parts.contains { isUnmistakable($0) }
            || name.segments.contains { isUnmistakable($0) && !Self.wholeNames.contains($0) }
            || secretWords.occur(in: name.bytes[...])
    }

    // Functions and closures that do not escape: a closure in a constant would copy the redaction for each name.
    private func isUnmistakable(_ name: String) -> Bool {
        isOneOfNames(name) && !Self.ambiguousNames.contains(name)
    }

    private func isOneOfNames(_ name: String) -> Bool {
        name.utf8.count <= longest && names.contains(name)
    }

    /// Whether the redaction hides nothing at all.
    package var hidesNothing: Bool { names.isEmpty && words.isEmpty && !hidesUserInfo && !hidesKnownForms }

    /// Returns the displayed value of a header field or query item with this name, on one line.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - name: the name of the field or item, which determines whether the value is hidden as a whole.
    public func shown(_ value: String, of name: String) -> String {
        decision(on: name).hides(value.utf8) ? Self.placeholder : shown(text: value)
    }

    /// Returns the text of a URL with its hidden parts replaced, on one line.
    ///
    /// - Parameter text: any text; it need not be a valid URL.
    public func shown(url text: String) -> String {
        var redactor = Redactor(self)
        return redactor.url(text).onOneLine
    }

    /// Returns a text with the hidden parts of all URLs, parameters, JSON and XML inside of it replaced, on one line.
    public func shown(text: String) -> String {
        hiding(text: text).onOneLine
    }

    /// Returns a text with the hidden parts replaced, and with its line breaks kept.
    func hiding(text: String) -> String {
        var redactor = Redactor(self)
        return redactor.text(text)
    }

    /// Returns a form with the hidden parts replaced.
    func hiding(form text: ArraySlice<UInt8>) -> [UInt8] {
        var redactor = Redactor(self)
        return redactor.form(text)
    }

    /// Returns the displayed name of a header field, on one line.
    ///
    /// A name with a credential attached to it (`Authorization: Basic …` as a name) is hidden.
    func shown(name: String) -> String {
        HTTPToken.isToken(name) ? name : shown(name, of: name)
    }
}
