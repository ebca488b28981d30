public import Foundation

/// What an OAuth 2 server answers to who asks for a token, as its JSON has it (RFC 6749 5.1).
///
/// It says for how long the token is good, and not until when: that depends on when it was received.
public struct OAuthTokenResponse: Hashable, Decodable, Sendable {
    /// The token that goes with each call.
    public var accessToken: String

    /// What the next token is asked for with, or nil if that stays what it was (RFC 6749 6).
    public var refreshToken: String?

    /// For how long the token is good, or nil if the server does not say.
    public var expiresIn: Duration?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case refreshToken = "refresh_token"
        case expiresIn = "expires_in"
    }

    /// Creates an answer.
    public init(accessToken: String, refreshToken: String? = nil, expiresIn: Duration? = nil) {
        (self.accessToken, self.refreshToken, self.expiresIn) = (accessToken, refreshToken, expiresIn)
    }

    /// Reads an answer; `expires_in` is in seconds, and more than a hundred years count as a hundred.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try container.decode(String.self, forKey: .accessToken)
        refreshToken = try container.decodeIfPresent(String.self, forKey: .refreshToken)
        let longest = Double(Duration.maximumWait.components.seconds)
        expiresIn = try container.decodeIfPresent(Double.self, forKey: .expiresIn)
            .map { .seconds(min(max($0, 0), longest)) }
    }

    /// The token to keep, which expires as long after that time as the server said.
    ///
    /// - Parameters:
    ///   - time: when the answer was received.
    ///   - old: the token that it stands in place of, whose refresh token stays good if there is no new one (RFC 6749 6),
    ///     and whose identity is that of the new one.
    public func accessToken(receivedAt time: Date, inPlaceOf old: AccessToken? = nil) -> AccessToken {
        AccessToken(
            accessToken,
            refreshToken: refreshToken ?? old?.refreshToken,
            expires: expiresIn.map { time.addingTimeInterval($0 / .seconds(1)) },
            identity: old?.identity
        )
    }
}

extension OAuthTokenResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// For how long the token is good, and nothing of the token itself.
    public var description: String {
        Redaction.placeholder + (expiresIn.map { ", expires in \($0)" } ?? "")
    }

    /// The same as ``description``.
    public var debugDescription: String {
        description
    }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["token": description])
    }
}
