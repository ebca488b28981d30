import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// A successful token response of an OAuth 2.0 server, decoded from JSON (RFC 6749 5.1).
///
/// The response contains the lifetime of the token, not the time of its expiry, which depends on when the response was
/// received.
public struct OAuthTokenResponse: Hashable, Decodable, Sendable {
    /// The access token that is sent with each call.
    public var accessToken: String

    /// The new refresh token; nil if the old one stays valid (RFC 6749 6).
    public var refreshToken: String?

    /// The lifetime of the access token; nil if the server does not send one.
    public var expiresIn: Duration?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case expiresIn = "expires_in"
    }

    /// Creates a token response.
    public init(accessToken: String, refreshToken: String? = nil, expiresIn: Duration? = nil) {
        (self.accessToken, self.refreshToken, self.expiresIn) = (accessToken, refreshToken, expiresIn)
    }

    /// Decodes a token response; `expires_in` is in seconds, and more than a hundred years count as a hundred.
    ///
    /// A lifetime may be a number as a string, as many servers send it. An empty refresh token or lifetime counts as
    /// none. An access token that is blank, or has other characters than RFC 6749 A.12 allows, is an error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try container.decode(String.self, forKey: .accessToken)
        guard !accessToken.isBlank, accessToken.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            // Not the path of the token, whose errors have no reason.
            let reason = "access_token is \(accessToken.isBlank ? "empty" : "not visible ASCII (RFC 6749 A.12)")"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
        }
        refreshToken = try container.decodeIfPresent(String.self, forKey: .refreshToken).flatMap { token in
            token.isBlank ? nil : token
        }
        let longest = Double(Duration.maximumWait.components.seconds)
        expiresIn = try container.decodeIfPresent(Seconds.self, forKey: .expiresIn)?.value
            .map { .seconds(min(max($0, 0), longest)) }
    }

    /// A number of seconds, also as a string; nil if the string is blank.
    private struct Seconds: Decodable {
        let value: Double?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard let text = try? container.decode(String.self) else {
                value = try container.decode(Double.self)
                return
            }
            let words = text.split(separator: " ")
            // Neither hexadecimal digits nor `inf`, which `Double` reads as well.
            let isDecimal = words.count == 1 && words[0].utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
            value = isDecimal ? Double(words[0]) : nil
            if value == nil, !words.isEmpty {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a number of seconds")
            }
        }
    }

    /// Returns the token to store, with the expiry computed from the time of receipt and the lifetime.
    ///
    /// - Parameters:
    ///   - time: the time at which the response was received.
    ///   - old: the replaced token; its refresh token stays valid if there is no new one (RFC 6749 6), and the new
    ///     token has its identity.
    public func accessToken(receivedAt time: Date, inPlaceOf old: AccessToken? = nil) -> AccessToken {
        AccessToken(
            accessToken,
            refreshToken: refreshToken ?? old?.refreshToken,
            expires: expiresIn.map { time.addingTimeInterval($0 / .seconds(1)) },
            identity: old?.identity
        )
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

extension OAuthTokenResponse: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The lifetime of the token; no part of the token itself.
    public var description: String {
        Redaction.placeholder + (expiresIn.map { ", expires in \($0)" } ?? "")
    }
}

/// The error of a failed token request (RFC 6749 5.2), for the text of an error.
enum OAuthErrorText {
    /// The largest payload that is read, in bytes: an error response has two short texts and a URL.
    private static let maximumPayload = 16 * 1024

    /// The largest text that is shown, in bytes.
    private static let maximumText = 256

    /// A text; nil if a server sends something else there.
    private struct Text: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
    }

    /// The text for a form with tokens, such as GitHub sends without `Accept` (Authorizing OAuth apps, GitHub Docs).
    private static let tokensInForm =
        "the response is a form, not JSON (RFC 6749 5.1), which some servers only send for Accept: application/json"

    /// Returns the error and its description, such as `invalid_grant: the refresh token has expired`.
    ///
    /// A text that the RFC does not allow is left out: it may only have visible characters of ASCII and spaces.
    ///
    /// - Returns: the text; nil if the response has no such error.
    static func text(of response: Response, hiding secrets: [String]) -> String? {
        guard response.payload.count <= maximumPayload else { return nil }
        let json = try? JSONDecoder().value([String: Text].self, from: response.payload).compactMapValues(\.text)
        let fields = json ?? form(response.payload)
        if json == nil, fields["access_token"] != nil { return tokensInForm }
        guard let error = fields["error"], !error.isEmpty, isShown(error) else { return nil }
        let description = fields["error_description"].map { isShown($0) && !$0.isEmpty ? ": \($0)" : "" } ?? ""
        let text = secrets.filter { !$0.isEmpty }.reduce(error + description) {
            $0.replacing($1, with: Redaction.placeholder)
        }
        return Redaction.standard.shown(text: text)
    }

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

    private static func isShown(_ text: String) -> Bool {
        text.utf8.count <= maximumText && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
