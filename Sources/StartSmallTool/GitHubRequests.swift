import GitHubAPI
import StartSmall

/// `startsmall zen` and `startsmall user`: GitHub's two endpoints, at GitHub or at another server.
enum GitHubRequests {
    static func zen(_ options: Command.Options, _ console: Console, via engine: Connector) async -> ExitCode {
        show(await GitHubZen.fetch(via: connector(options, console, engine)), console) { $0.text }
    }

    static func user(
        _ login: String,
        _ options: Command.Options,
        _ console: Console,
        via engine: Connector
    ) async -> ExitCode {
        show(await GitHubUser.fetch(byLogin: login, via: connector(options, console, engine)), console) { user in
            "\(user.login) (\(user.id))"
        }
    }

    private static func connector(_ options: Command.Options, _ console: Console, _ engine: Connector) -> Connector {
        var wrappers: [Wrapper] = []
        if let baseURL = options.baseURL { wrappers.append(.baseURL(baseURL, others: .moved)) }
        if options.tracing { wrappers.append(.listen(to: Trace.listener(console))) }
        return engine.wrapped(by: wrappers)
    }

    private static func show<Value>(
        _ fetched: Fetched<GitHubError, Value>,
        _ console: Console,
        _ line: (Value) -> String
    ) -> ExitCode {
        switch fetched {
        case .right(let value): console.print(line(value))
        case .left(.left(let error)): console.error("no response: \(error)")
        case .left(.right(let error)): console.error("no value: \(error)")
        }
        return ExitCode(fetched)
    }
}
