import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// The claims of a JSON Web Token (RFC 7519), **which nobody has verified**.
///
/// Whoever wrote the text could write any claim. The claims are for what needs no proof: to refresh a token before its
/// expiry, or to show who is signed in. A server that accepts tokens verifies them, by a library for that.
///
/// ```swift
/// let expires = JSONWebToken(unverified: token.value)?.expires
/// ```
public struct JSONWebToken: Sendable {
    /// The issuer (`iss`).
    public let issuer: String?

    /// The subject (`sub`), such as a user.
    public let subject: String?

    /// The recipients for which the token is intended (`aud`), as a list also if there is one.
    public let audience: [String]

    /// The time of expiry (`exp`).
    public let expires: Date?

    /// The time before which the token is not valid (`nbf`).
    public let notBefore: Date?

    /// The time of issue (`iat`).
    public let issued: Date?

    /// The value that a client sent with its request for an ID token (`nonce`, OpenID Connect Core 2).
    public let nonce: String?

    /// The party to which an ID token was issued (`azp`, OpenID Connect Core 2).
    public let authorizedParty: String?

    /// The claims as JSON, for a type of the app.
    public let claims: Data

    /// The maximum length in bytes: 64 KiB, four times the header fields that a server accepts by default (Node.js).
    static let maximumLength = 64 * 1024

    /// Reads the claims of a signed token (RFC 7515 7.1); nil if the text is none, or if a known claim has a wrong type.
    ///
    /// An encrypted token (RFC 7516) has no claims that a client can read.
    ///
    /// - Parameter text: the three parts of the token; the last one, the signature, is not read.
    public init?(unverified text: String) {
        let parts =
            text.utf8.count > Self.maximumLength
            ? [] : text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let claims = Data(base64URL: Substring(parts[1])),
            let read = try? JSONDecoder().value(Claims.self, from: claims)
        else { return nil }
        (issuer, subject, audience) = (read.iss, read.sub, read.aud?.values ?? [])
        (expires, notBefore, issued) = (read.exp?.date, read.nbf?.date, read.iat?.date)
        (nonce, authorizedParty) = (read.nonce, read.azp)
        self.claims = claims
    }

    private struct Claims: Decodable {
        let iss, sub, nonce, azp: String?
        let aud: Audience?
        let exp, nbf, iat: NumericDate?
    }

    /// A text or a list of texts (RFC 7519 4.1.3).
    struct Audience: Decodable {
        let values: [String]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(String.self) {
                values = [value]
            } else {
                values = try container.decode([String].self)
            }
        }
    }

    /// Seconds since 1970, possibly with a fraction (RFC 7519 2).
    struct NumericDate: Decodable {
        let date: Date

        /// The last second of the year 9999: later dates have no text (RFC 3339), and calendars overflow at some.
        private static let latest = 253_402_300_799.0

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            let seconds = try container.decode(Double.self)
            guard abs(seconds) <= Self.latest else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no date up to the year 9999")
            }
            date = Date(timeIntervalSince1970: seconds)
        }
    }
}

extension JSONWebToken {
    /// Returns the text of a token that is to be signed (RFC 7515 5.1).
    static func signingInput(_ header: some Encodable, _ claims: some Encodable) throws -> String {
        let encoder = JSONEncoder.sortingKeys
        return "\(try encoder.encode(header).base64URL).\(try encoder.encode(claims).base64URL)"
    }

    /// Returns a time in whole seconds (RFC 7519 2); 0 for a clock that is beyond the range of an integer.
    static func seconds(of time: Date) -> Int64 { Int64(exactly: time.timeIntervalSince1970.rounded(.down)) ?? 0 }
}

extension JSONWebToken: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The expiry; no claim that names a person.
    public var description: String {
        "an unverified JSON Web Token" + (expires.map { ", expires \($0.ISO8601Format())" } ?? "")
    }
}
