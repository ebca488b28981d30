import StartSmall
import StartSmallAuth

extension Connector {
    /// Returns a connector for a script, by the variables of an environment; nil without a token, or with a wrong URL.
    ///
    /// The environment is passed, and never read unasked: `.bookshelf(environment: ProcessInfo.processInfo.environment)`.
    ///
    /// - Parameters:
    ///   - environment: `BOOKSHELF_TOKEN`, and `BOOKSHELF_URL` for a server of the script's own.
    ///   - engine: the connector that sends the requests.
    public static func bookshelf(environment: [String: String], over engine: Connector = .engine) -> Connector? {
        guard let token = environment["BOOKSHELF_TOKEN"],
            let server = URL(string: environment["BOOKSHELF_URL"] ?? "https://api.bookshelf.example")
        else { return nil }
        return bookshelf(over: engine, for: Account(at: server, tokens: .memory(AccessToken(token))))
    }
}
