import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// The error that an authorization server reports (RFC 6749 4.1.2.1 and 5.2).
///
/// ```swift
/// if fetched.failure?.problem?.code == .invalidGrant { showSignIn() }
/// ```
///
/// A text that has other characters than RFC 6749 allows, or more than 256 of them, is left out.
public struct OAuthError: Error, Hashable, Sendable {
    /// The code of the error; one that has no name here is kept.
    public let code: Code

    /// The description for developers; nil if there is none.
    public let text: String?

    /// The address of a page for developers; nil if there is none.
    public let page: URL?

    /// Creates an error.
    public init(_ code: Code, text: String? = nil, page: URL? = nil) {
        (self.code, self.text, self.page) = (code, text, page)
    }

    /// A code of an error, such as `invalid_grant`, which a server may extend.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code as the server sends it.
        public let rawValue: String

        /// Creates a code.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

/// The codes of RFC 6749 and of the documents that extend it.
extension OAuthError.Code {
    /// A parameter is missing, invalid or doubled (RFC 6749 5.2).
    public static let invalidRequest = Self(rawValue: "invalid_request")
    /// The client could not prove who it is (RFC 6749 5.2).
    public static let invalidClient = Self(rawValue: "invalid_client")
    /// The code, the refresh token or the assertion is invalid, expired, used, or of another client (RFC 6749 5.2).
    public static let invalidGrant = Self(rawValue: "invalid_grant")
    /// The client may not use this grant (RFC 6749 5.2).
    public static let unauthorizedClient = Self(rawValue: "unauthorized_client")
    /// The server does not know the grant (RFC 6749 5.2).
    public static let unsupportedGrantType = Self(rawValue: "unsupported_grant_type")
    /// The scope is invalid, unknown, or beyond what was granted (RFC 6749 5.2).
    public static let invalidScope = Self(rawValue: "invalid_scope")
    /// The user, or the server, refused (RFC 6749 4.1.2.1).
    public static let accessDenied = Self(rawValue: "access_denied")
    /// The server failed (RFC 6749 4.1.2.1).
    public static let serverError = Self(rawValue: "server_error")
    /// The server can't answer now (RFC 6749 4.1.2.1).
    public static let temporarilyUnavailable = Self(rawValue: "temporarily_unavailable")
    /// The user has to sign in, which the request forbade (OpenID Connect Core 3.1.2.6).
    public static let loginRequired = Self(rawValue: "login_required")
    /// The user has not signed in yet (RFC 8628 3.5).
    public static let authorizationPending = Self(rawValue: "authorization_pending")
    /// The client has to ask less often (RFC 8628 3.5).
    public static let slowDown = Self(rawValue: "slow_down")
    /// The device code has expired (RFC 8628 3.5).
    public static let expiredToken = Self(rawValue: "expired_token")
    /// The resource is invalid or unknown (RFC 8707 2).
    public static let invalidTarget = Self(rawValue: "invalid_target")
    /// The server does not revoke tokens of this type (RFC 7009 2.2.1).
    public static let unsupportedTokenType = Self(rawValue: "unsupported_token_type")
}

extension OAuthError: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The code and the text on one line, with credentials redacted.
    public var description: String {
        Redaction.standard.shown(text: code.rawValue + (text.map { ": \($0)" } ?? ""))
    }
}

extension OAuthError: Decodable {
    /// Decodes an error response (RFC 6749 5.2).
    ///
    /// - Throws: a `DecodingError` if there is no `error` that the RFC allows.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let error = Self(try container.decode([String: Text].self).compactMapValues(\.text)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no error of RFC 6749 5.2")
        }
        self = error
    }

    /// A text; nil if a server sends something else there.
    struct Text: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }

    /// Reads the members of an error; nil if there is no code that can be shown.
    ///
    /// - Parameters:
    ///   - members: the members of the response, or of a redirect.
    ///   - secrets: the texts of the request that a server may repeat, and that are hidden.
    init?(_ members: [String: String], hiding secrets: [String] = []) {
        guard let code = members["error"], Self.isShown(code) else { return nil }
        let secrets = secrets.filter { !$0.isEmpty }
        let forms = secrets.flatMap(Self.forms)
        func hiding(_ text: String) -> String {
            let shown = secrets.reduce(text) { $0.replacing($1, with: Redaction.placeholder) }
            // A server may repeat the form as it was sent, or escape a text as in JSON.
            let decoded = String(decoding: URIEncoding.decodedForm(Array(shown.utf8)[...]), as: UTF8.self)
            let texts = [shown, decoded, shown.replacing("\\", with: "")]
            return forms.contains { form in texts.contains { $0.contains(form) } } ? Redaction.placeholder : shown
        }
        self.init(
            Code(rawValue: hiding(code)),
            text: members["error_description"].flatMap { Self.isShown($0) ? hiding($0) : nil },
            page: members["error_uri"].flatMap { page in
                Self.isShown(page) && hiding(page) == page && !page.contains(" ") ? URL(string: page) : nil
            }
        )
    }

    /// Returns a secret, the same in Base64, and the parts of a web token, each of which a server may repeat alone.
    private static func forms(of secret: String) -> [String] {
        // The last character depends on what follows.
        let base64 = String(Data(secret.utf8).base64EncodedString().prefix { $0 != "=" }.dropLast())
        let others = [
            secret.replacing("\\", with: ""), base64, base64.replacing("+", with: "-").replacing("/", with: "_"),
        ]
        return [secret]
            + (others + secret.split(separator: ".").map(String.init)).filter { $0.utf8.count >= shortestForm }
    }

    /// The length in bytes from which on another form of a secret is hidden: 8, since shorter ones occur by chance.
    private static let shortestForm = 8

    /// Returns whether a text has visible characters of ASCII and spaces alone, and no more than 256 of them.
    private static func isShown(_ text: String) -> Bool {
        text.utf8.count <= maximumText && OAuthText.isVisible(text)
    }

    /// The largest text that is shown, in bytes.
    private static let maximumText = 256
}

extension OAuthError {
    /// Reads the error of a response with any status; nil if there is none.
    init?(of response: Response, hiding secrets: [String]) {
        self.init(Self.members(of: response)?.texts ?? [:], hiding: secrets)
    }

    /// Returns the texts of an error response, in JSON or in a form; nil if the payload is too large for one.
    static func members(of response: Response) -> (texts: [String: String], isForm: Bool)? {
        guard response.payload.count <= maximumPayload else { return nil }
        let json = try? JSONDecoder().value([String: Text].self, from: response.payload).compactMapValues(\.text)
        return json.map { ($0, false) } ?? (form(response.payload), true)
    }

    /// The largest payload that is read, in bytes: an error response has two short texts and a URL.
    private static let maximumPayload = 16 * 1024

    /// Returns the fields of a form (`application/x-www-form-urlencoded`); empty if the payload is none.
    private static func form(_ payload: Data) -> [String: String] {
        guard payload.allSatisfy({ (0x21...0x7E).contains($0) && !#""<>{}"#.utf8.contains($0) }) else { return [:] }
        let pairs = String(decoding: payload, as: UTF8.self).split(separator: "&").map { field in
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let encoded = parts.dropFirst().first, URIEncoding.isQuery(String(encoded)) else {
                return (String(parts[0]), "")
            }
            let value = URIEncoding.decodedForm(Array(encoded.utf8)[...])
            return (String(parts[0]), String(validating: value, as: UTF8.self) ?? "")
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The text for a form with tokens, such as GitHub sends without `Accept` (Authorizing OAuth apps, GitHub Docs).
    private static let tokensInForm =
        "the response is a form, not JSON (RFC 6749 5.1), which some servers only send for Accept: application/json"

    /// Returns the error and its description, such as `invalid_grant: the refresh token has expired`.
    ///
    /// - Returns: the text; nil if the response has no such error.
    static func text(of response: Response, hiding secrets: [String]) -> String? {
        guard let members = members(of: response) else { return nil }
        if members.isForm, members.texts["access_token"] != nil { return tokensInForm }
        return OAuthError(members.texts, hiding: secrets)?.description
    }
}
