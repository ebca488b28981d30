import Foundation
import StartSmall

extension Connector {
    /// How the app calls GitHub, with what GitHub asks of every client.
    ///
    /// - Parameters:
    ///   - token: who is asking, or nil; it goes to GitHub only, though archives come from elsewhere.
    ///   - engine: what calls; a stub in tests.
    static func gitHub(token: String?, over engine: Connector = .standard) -> Connector {
        engine.wrapped(
            by: [
                .retry(),
                .userAgent("github-browser"),
                .headers(["X-GitHub-Api-Version": "2022-11-28"]),
            ] + credentials(token: token)
        )
    }

    /// The wrapper that says who is asking, or none: an empty variable is no token.
    private static func credentials(token: String?) -> [Wrapper] {
        guard let token, !token.isEmpty, let gitHub = URL(string: "https://api.github.com") else { return [] }
        return [.bearer(token, to: .origin(gitHub))]
    }
}
