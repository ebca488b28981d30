import Foundation
import StartSmall

extension Connector {
    /// Returns the app's connector to GitHub, with the header fields that GitHub requires of every client.
    ///
    /// - Parameters:
    ///   - token: the user's access token, or nil; it is sent to GitHub only, although archives are at another server.
    ///   - engine: the connector that sends the requests; a stub in tests.
    static func gitHub(token: String?, over engine: Connector = .standard) -> Connector {
        engine.wrapped(
            by: .retry(),
            .userAgent("github-browser"),
            .headers(["X-GitHub-Api-Version": "2022-11-28"]),
            .all(credentials(token: token))
        )
    }

    /// Returns the wrapper that sends the token, or none: an empty variable is no token.
    private static func credentials(token: String?) -> [Wrapper] {
        guard let token, !token.isEmpty, let gitHub = URL(string: "https://api.github.com") else { return [] }
        return [.bearer(token, to: .origin(gitHub))]
    }
}
