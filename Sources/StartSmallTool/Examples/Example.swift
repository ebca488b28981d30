import Foundation
import StartSmall
import StartSmallTesting

/// One way to use the kit, as a recipe that runs over a server on this machine.
struct Example: Sendable {
    /// What it is asked for by.
    let name: String

    /// What it shows, on one line.
    let summary: String

    /// What its server answers: a server is a function too.
    let server: Connector

    /// What a program of your own would do.
    let recipe: @Sendable (ExampleContext) async -> Void

    /// All of them, from the first step on.
    static let all: [Example] = [
        simplest, getJSON, commonRequest, listener, indicator, retry, polling, cancel, tokenRefresh, mock, convenient,
    ]
}

/// What a recipe works with.
struct ExampleContext: Sendable {
    /// The connector of the app: URLs such as `/zen` go to the example's server.
    let app: Connector

    /// Where times come from.
    let clock: any Clock<Duration>

    /// Where results go.
    let console: Console

    /// Writes a line.
    func print(_ line: String) {
        console.print(line)
    }
}

extension Example {
    /// Runs the example of this name, or lists all of them without one.
    static func run(
        _ name: String?,
        _ console: Console,
        via engine: Connector,
        clock: any Clock<Duration>
    ) async -> ExitCode {
        guard let name else {
            for example in all { console.print(example.line) }
            return .success
        }
        guard let example = all.first(where: { $0.name == name }) else {
            console.error("start-small: no example \(Redaction.standard.shown(url: name)); there are:")
            for example in all { console.error(example.line) }
            return .usage
        }
        do {
            return try await LoopbackServer.serving(example.server) { server in
                let app = engine.wrapped(by: .baseURL(server.url))
                await example.recipe(ExampleContext(app: app, clock: clock, console: console))
                return .success
            }
        } catch {
            console.error("no loopback server: \(error)")
            return .connectionError
        }
    }

    private var line: String {
        "  " + name.padding(toLength: 16, withPad: " ", startingAt: 0) + summary
    }
}
