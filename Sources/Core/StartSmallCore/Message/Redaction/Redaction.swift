import StartSmallSupport

/// The rules that hide credentials by their names in header fields and URLs, and the placeholder that replaces them.
///
/// Descriptions have no content of payloads: only its size and type. `StartSmallDiagnostics` hides values in payloads.
///
/// All descriptions in StartSmall use ``standard`` unless another redaction is given, so that credentials reach neither
/// a log nor the output of a failed test by accident.
public struct Redaction: Equatable, Sendable {
    /// Names that hide a value if they are its whole name, or one of the names inside of that name (`user[pwd]`).
    public let names: Set<String>

    /// Words that hide a value if they occur anywhere in its name.
    public let words: Set<String>

    /// Whether the user information of a URL (`https://user:password@host`) is hidden.
    package let hidesUserInfo: Bool

    /// The maximum length in bytes of a name that can be one of ``names``.
    ///
    /// Hashing a longer name could take a long time; see `ByteEqualString`.
    private let longest: Int

    private let secretWords: SecretWords

    /// The words that are not among the ``defaultWords``, and hide the words of protocols too.
    private let addedWords: SecretWords

    /// All names and words; nearly all names contain none of them.
    private let suspects: SecretWords

    /// Creates a redaction from names and words, which are compared without case, `-` and `_`.
    ///
    /// - Parameters:
    ///   - names: names that hide a value if they are its whole name, or one of the names inside of that name.
    ///   - words: words that hide a value if they occur anywhere in its name.
    ///   - hidesUserInfo: whether the user information of a URL (`https://user:password@host`) is hidden.
    @inline(never)  // in the two constants below
    public init(names: Set<String>, words: Set<String>, hidesUserInfo: Bool = true) {
        self.names = Set(names.map { SecretName($0).whole })
        self.words = Set(words.map { SecretName($0).whole })
        self.hidesUserInfo = hidesUserInfo
        secretWords = SecretWords(self.words)
        addedWords = SecretWords(self.words.filter { !Self.defaultWords.contains($0) })
        suspects = SecretWords(self.names.union(self.words))
        // In another normal form, a text has at most three times as many bytes, and that in both directions.
        longest = (self.names.map(\.utf8.count).max() ?? 0) * 9
    }

    /// The redaction that hides credentials in descriptions unless another redaction is given.
    ///
    /// Its ``names`` are secrets in known APIs, too short to be searched for inside of other names. The sources of its
    /// ``words`` are RFC 9110 11.6 and 11.7, RFC 7616 3.5 (`Authentication-Info` has a digest of the password), RFC 6265
    /// 4, RFC 6749 2.3.1 and 4, RFC 7636 4, AWS Signature 4, and the key headers of Azure, Cloudflare, Datadog, Fastly,
    /// Parse and S3.
    public static let standard = Redaction(names: defaultNames, words: defaultWords)

    /// The redaction that hides nothing, for a developer's eyes only.
    public static let none = Redaction(names: [], words: [], hidesUserInfo: false)

    private static let defaultNames: Set<String> = [
        "access", "appid", "auth", "authentication", "code", "cvv", "dpop", "dsn", "key", "mnemonic", "otp", "pass",
        "passwd", "pin", "pwd", "refresh", "sas", "sid", "sig", "sign", "ssn", "ticket", "totp",
    ]

    private static let defaultWords: Set<String> = [
        "accesskey", "accountkey", "apikey", "appkey", "applicationkey", "assertion", "authcode",
        "authenticationinfo", "authkey", "authorization", "bearer", "cardnumber", "connectionstring", "cookie",
        "credential", "csrf", "customerkey", "devicecode", "encryptionkey", "fastlykey", "functionskey", "hmac",
        "jwt", "licensekey", "masterkey", "mfacode", "passcode", "passphrase", "password", "privatekey",
        "recoverycode", "samlresponse", "secret", "servicekey", "sessid", "session", "signature", "signingkey",
        "smscode", "subscriptionkey", "token", "usercode", "userkey", "verificationcode", "verifier", "xsrf",
    ]

    /// The default names that are also ordinary words, and name other things in JSON more often than credentials.
    ///
    /// Examples are the `code` of an error, the `key` of a license, the `sign` of the zodiac and the `ticket` of a
    /// customer.
    private static let ordinaryNames: Set<String> = ["access", "code", "key", "refresh", "sign", "ticket"]

    /// Names of header fields that mean nothing as a part of other names, as in `authentication_method` and `dpop_jkt`.
    private static let wholeNames: Set<String> = ["authentication", "dpop"]

    /// The endings of names that contain a word such as `token`, but whose values are no credentials.
    ///
    /// - Words and numbers of a protocol: `token_type` (RFC 6749 5.1), `token_type_hint` (RFC 7009 2.1),
    ///   `issued_token_type` and others (RFC 8693 2), `client_assertion_type` (RFC 7521 4.2), `invalid_token` (RFC 6750
    ///   3.1), `token_endpoint`, `authorization_endpoint`, `token_endpoint_auth_methods_supported` and others (RFC 8414
    ///   2), `bearer_methods_supported` (RFC 9728 2), `token_endpoint_auth_method`, `client_secret_expires_at` (RFC
    ///   7591 2 and 3), the algorithms of OpenID Connect Registration 2, `refresh_token_expires_in` of GitHub and
    ///   Google, `token_use` of Amazon Cognito, and the CORS field that says whether credentials may be sent (Fetch
    ///   3.3.3).
    /// - Positions in a list: the page tokens of Google, AWS, Azure, S3 and X.
    /// - Counts: the tokens of language models (OpenAI, Anthropic and Google), and their limits.
    private static let protocolEndings = [
        "tokentype", "tokentypehint", "tokenuse", "invalidtoken", "assertiontype", "endpoint", "endpointauthmethod",
        "endpointauthsigningalg", "tokensignedresponsealg", "tokenencryptedresponsealg", "tokenencryptedresponseenc",
        "supported", "expiresin", "expiresat", "accesscontrolallowcredentials",
        "continuationtoken", "nexttoken", "pagetoken", "paginationtoken", "synctoken",
        "audiotokens", "budgettokens", "cachedtokens", "completiontokens", "inputtokens", "limittokens", "maxtokens",
        "outputtokens", "predictiontokens", "prompttokens", "reasoningtokens", "remainingtokens", "resettokens",
        "tokencount", "tokensdetails", "tokenslimit", "tokensremaining", "tokensreset", "totaltokens",
    ].map { Array($0.utf8) }

    /// The text that replaces a hidden value.
    ///
    /// It is visible ASCII without a blank, so that it can be sent as a token (RFC 6750 2.1).
    public static let placeholder = "<redacted>"

    /// Whether the redaction hides nothing at all.
    package var hidesNothing: Bool { names.isEmpty && words.isEmpty && !hidesUserInfo }
}

// MARK: - Names

extension Redaction {
    /// Returns whether the value of a header field or query item with this name is hidden.
    public func hides(_ name: String) -> Bool {
        sensitivity(of: name) != .shown
    }

    /// Returns the sensitivity of a value with this name.
    package func sensitivity(of name: String) -> NameSensitivity {
        sensitivity(of: Array(name.utf8)[...])
    }

    /// Returns the sensitivity of a value with this name, which is in UTF-8.
    package func sensitivity(of name: ArraySlice<UInt8>) -> NameSensitivity {
        // A fast check, which shows that nearly all names hide nothing.
        if let letters = SecretName.letters(of: name), !suspects.occur(in: letters) { return .shown }
        let name = SecretName(name)
        if secretWords.occur(in: name.bytes[...]) { return isOfProtocol(name) ? .shown : .hidden }
        let found = ([name.whole] + name.parts).filter(isOneOfNames)
        // Only what is short is hashed: Swift hashes the normal form of a text, in quadratic time for marks.
        let segments = name.segments.filter { isOneOfNames($0) && !Self.wholeNames.contains($0) }
        if (found + segments).contains(where: { !Self.ordinaryNames.contains($0) }) { return .hidden }
        // An ordinary word means nothing as a segment, as in `status_code`, `Idempotency-Key` and `refresh_interval`.
        return found.isEmpty ? .shown : .ordinary
    }

    private func isOfProtocol(_ name: SecretName) -> Bool {
        guard Self.protocolEndings.contains(where: { name.bytes.suffix($0.count).elementsEqual($0) }) else {
            return false
        }
        return !addedWords.occur(in: name.bytes[...]) && !isOneOfNames(name.whole)
    }

    private func isOneOfNames(_ name: String) -> Bool {
        name.utf8.count <= longest && names.contains(name)
    }

    /// Returns the displayed value of a header field or query item with this name, on one line.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - name: the name of the field or item, which determines whether the value is hidden as a whole.
    public func shown(_ value: String, of name: String) -> String {
        if hides(name) { return Self.placeholder }
        let isChallenge = Self.challengeFields.contains { name.isSame(withoutCase: $0) } && !hidesNothing
        return shown(text: isChallenge ? Self.hidingLongWords(inErrorOf: value) : value)
    }

    private static let challengeFields = ["WWW-Authenticate", "Proxy-Authenticate"]

    /// Returns a challenge without the long words of its `error_description`: one may be the token that was sent
    /// (RFC 6750 3).
    private static func hidingLongWords(inErrorOf challenge: String) -> String {
        let (bytes, name) = (Array(challenge.utf8), Array("error_description".utf8))
        guard let start = bytes.map(\.asciiLowercased).firstRange(of: name)?.upperBound else { return challenge }
        let words = bytes[start...].split(omittingEmptySubsequences: false) { " \t\",".utf8.contains($0) }
        let shown = words.reduce(into: Array(bytes[..<start])) { shown, word in
            shown += word.count >= shortestToken ? Array(placeholder.utf8) : Array(word)
            if word.endIndex < bytes.count { shown.append(bytes[word.endIndex]) }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// The length in bytes from which on a word may be a token: 20, as many as a `code` of GitHub has.
    private static let shortestToken = 20

    /// Returns the displayed name of a header field, on one line.
    ///
    /// A name with a credential attached to it (`Authorization: Basic …` as a name) is hidden.
    public func shown(name: String) -> String {
        HTTPToken.isToken(name) ? name : shown(name, of: name)
    }
}

/// The sensitivity of a value, which ``Redaction`` derives from the name of the value.
package enum NameSensitivity: Int, Comparable, Sendable {
    /// A value that contains no secret.
    case shown

    /// A value whose name is also an ordinary word, such as `code`.
    ///
    /// In URLs, forms and header fields, the value is a secret; in JSON and in recordings, only if it looks like one.
    case ordinary

    /// A value that is always a secret.
    case hidden

    package static func < (left: NameSensitivity, right: NameSensitivity) -> Bool { left.rawValue < right.rawValue }
}

/// A type whose description is the text that is free of secrets by the standard redaction.
protocol RedactedStringConvertible: CustomStringConvertible {
    /// Returns the value on one line, without what `redaction` hides.
    func description(redacting redaction: Redaction) -> String
}

extension RedactedStringConvertible {
    /// The value on one line, with credentials redacted by ``Redaction/standard``.
    public var description: String {
        description(redacting: .standard)
    }
}
