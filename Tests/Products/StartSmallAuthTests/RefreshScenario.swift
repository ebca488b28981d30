import StartSmall
import Testing

@testable import StartSmallAuth

extension RefreshWorld {
    /// An action of the user, or of another process, on the store.
    enum Act: Hashable, Sendable {
        case login
        case logout

        /// The user signs in again after all failures, while no refresh runs, and the server gives the first token
        /// again: the tokens of the session before are worth nothing.
        case signInAgain

        /// Another process refreshes the token of the same account, and saves it.
        case refreshElsewhere

        /// Another client saves its token.
        case saveOfAnother
    }

    /// The wrapper of a call: `.refreshToken`, or `.oauth` of an app or of a service.
    enum Kind: Hashable, Sendable {
        case any
        case app
        case service(Int)

        var tokens: StoredTokens { tokens { _, _ in .left(.identityChanged) } }

        func tokens(
            by refresh: @escaping @Sendable (AccessToken, Connector) async -> Either<RefreshFailure, AccessToken>
        ) -> StoredTokens {
            StoredTokens(requestsFirst: own?.isForClient ?? false, source: own, refresh: refresh)
        }

        /// The source of the wrapper's tokens: a number of the client, and whether it needs no user.
        var own: TokenSource? {
            switch self {
            case .any: nil
            case .app: Self.source(0, isService: false)
            case .service(let number): Self.source(number, isService: true)
            }
        }

        static func source(_ number: Int, isService: Bool) -> TokenSource {
            let client = OAuthClient("\(number)")
            return TokenSource(of: client, at: OAuth.tokenEndpoint, [:], to: .anyOrigin, isForClient: isService)
        }
    }

    /// The token of a login.
    enum Login: Hashable, Sendable {
        case valid

        /// A token that the client knows to have expired.
        case expired

        /// A token that the server rejects.
        case rejected
    }

    struct Scenario: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var calls = 2
        var acts: [Act] = []
        var login = Login.valid
        var hasIdentities = true

        /// Whether the client knows that the first token has expired, and refreshes before it sends.
        var isExpiring = false

        /// The number of times that the server fails to refresh, and the store to save, at any moment.
        var serverFailures = 0
        var storeFailures = 0

        /// The number of calls that are cancelled while they wait for a refresh.
        var cancellations = 0

        /// The number of times that the server refuses a refresh token for good.
        var refusals = 0

        /// The number of times that the server answers with 503, after which `.retry` makes another attempt.
        var retries = 0

        /// The wrappers of the calls, in turn.
        var kinds = [Kind.any]

        /// All scenarios, ordered by the number of their states, from 181 to 194,958.
        static let all = [
            Scenario(testDescription: "nobody acts, expired", isExpiring: true),
            Scenario(testDescription: "a service and an app", acts: [.login], kinds: [.service(0), .app]),
            Scenario(testDescription: "logout, expired", acts: [.logout], isExpiring: true),
            Scenario(testDescription: "login, expired", acts: [.login], isExpiring: true),
            Scenario(testDescription: "a store that fails, cancelled", storeFailures: 1, cancellations: 1),
            Scenario(
                testDescription: "a store that fails, signed in again",
                acts: [.signInAgain],
                storeFailures: 1
            ),
            Scenario(testDescription: "logout", acts: [.logout]),
            Scenario(
                testDescription: "a refused app, signed in again",
                acts: [.signInAgain],
                refusals: 1,
                kinds: [.app]
            ),
            Scenario(testDescription: "login", acts: [.login]),
            Scenario(testDescription: "a refresh elsewhere", acts: [.refreshElsewhere]),
            Scenario(testDescription: "login, without identities", acts: [.login], hasIdentities: false),
            Scenario(
                testDescription: "login with a rejected token, without identities",
                acts: [.login],
                login: .rejected,
                hasIdentities: false
            ),
            Scenario(testDescription: "cancelled calls", acts: [.login], cancellations: 1),
            Scenario(testDescription: "a refresh that fails", acts: [.login], serverFailures: 1),
            Scenario(testDescription: "a store that fails, logout", acts: [.logout], storeFailures: 1),
            Scenario(testDescription: "a store that fails", acts: [.login], storeFailures: 2),
            Scenario(testDescription: "logout and login", acts: [.logout, .login]),
            Scenario(testDescription: "both, without identities", acts: [.logout, .login], hasIdentities: false),
            Scenario(
                testDescription: "login with an expired token",
                acts: [.login],
                login: .expired,
                serverFailures: 1
            ),
            Scenario(testDescription: "a refused app", acts: [.login], refusals: 2, kinds: [.app]),
            Scenario(testDescription: "an app, and another one", acts: [.saveOfAnother, .login], kinds: [.app]),
            Scenario(
                testDescription: "login with a rejected token",
                acts: [.login],
                login: .rejected,
                serverFailures: 1
            ),
            Scenario(testDescription: "login between attempts", acts: [.login], retries: 2),
            Scenario(
                testDescription: "a refused app that expires",
                calls: 3,
                isExpiring: true,
                refusals: 1,
                kinds: [.app]
            ),
            Scenario(testDescription: "both, between attempts", acts: [.logout, .login], retries: 1),
            Scenario(testDescription: "nobody acts, three calls", calls: 3),
            Scenario(testDescription: "a service", calls: 3, serverFailures: 1, kinds: [.service(0)]),
            Scenario(
                testDescription: "a service and an app, expired",
                calls: 3,
                acts: [.login],
                login: .expired,
                kinds: [.service(0), .app]
            ),
            Scenario(testDescription: "two services", calls: 3, kinds: [.service(0), .service(1)]),
            Scenario(
                testDescription: "a refused app, three calls",
                calls: 3,
                acts: [.login],
                refusals: 2,
                kinds: [.app]
            ),
        ]
    }
}
