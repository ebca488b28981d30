import GitHubAPI
import StartSmall

/// The commands `start-small zen` and `start-small user`: two endpoints of GitHub, on GitHub or on another server.
enum GitHubRequests {
    static func zen(_ options: Command.Options, _ console: Console, via engine: Connector) async -> ExitCode {
        console.show(await GitHubZen.fetch(via: connector(options, console, engine))) { console.print($0.text) }
    }

    static func user(
        _ login: String,
        _ options: Command.Options,
        _ console: Console,
        via engine: Connector
    ) async -> ExitCode {
        console.show(await GitHubUser.fetch(byLogin: login, via: connector(options, console, engine))) { user in
            console.print("\(user.login) (\(user.id))")
        }
    }

    private static func connector(_ options: Command.Options, _ console: Console, _ engine: Connector) -> Connector {
        var wrappers: [Wrapper] = []
        if let baseURL = options.baseURL { wrappers.append(.baseURL(baseURL, others: .moved)) }
        if options.tracing { wrappers.append(.listen(to: Trace.listener(console))) }
        return engine.wrapped(by: wrappers)
    }
}
