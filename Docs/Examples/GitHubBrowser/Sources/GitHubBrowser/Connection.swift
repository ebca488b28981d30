import Foundation
import StartSmall

extension Connector {
    /// How the app calls GitHub, with what GitHub asks of every client.
    ///
    /// - Parameters:
    ///   - token: who is asking, or nil; it goes to GitHub only, though archives come from elsewhere.
    ///   - engine: what calls; a stub in tests.
    static func gitHub(token: String?, over engine: Connector = .standard) -> Connector {
        // An empty variable is no token.
        let token = token.flatMap { $0.isEmpty ? nil : $0 }
        return engine.wrapped(
            by: [
                .retry(),
                .userAgent("github-browser"),
                .headers(["X-GitHub-Api-Version": "2022-11-28"]),
            ] + (token.map { [.bearer($0, only: URL(string: "https://api.github.com"))] } ?? [])
        )
    }
}
