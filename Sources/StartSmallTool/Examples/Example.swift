import Foundation
import StartSmall
import StartSmallTesting

/// One way to use the kit, as a recipe that runs with a server on this machine.
struct Example: Sendable {
    /// The name of the example on the command line.
    let name: String

    /// The purpose of the example, on one line.
    let summary: String

    /// The responses of the example's server: a server is a function too.
    let server: Connector

    /// The code that an app would contain.
    let recipe: @Sendable (ExampleContext) async -> Void

    /// All examples, from the first step on.
    static let all: [Example] = [
        simplest, getJSON, commonRequest, listener, indicator, retry, polling, cancel, tokenRefresh, mock, convenient,
    ]
}

/// The values that a recipe uses.
struct ExampleContext: Sendable {
    /// The connector of the app: requests to URLs such as `/zen` go to the example's server.
    let app: Connector

    /// The clock of all waits.
    let clock: any Clock<Duration>

    /// The console for results.
    let console: Console

    /// Writes a line to standard output.
    func print(_ line: String) {
        console.print(line)
    }
}

extension Example {
    /// Runs the example with a name, or lists all examples without a name.
    ///
    /// - Parameters:
    ///   - name: the name of the example; nil for the list.
    ///   - console: the console for results.
    ///   - engine: the connector that sends requests.
    ///   - clock: the clock of all waits.
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
            console.error("the loopback server did not start: \(error)")
            return .connectionError
        }
    }

    private var line: String {
        "  " + name.padding(toLength: 16, withPad: " ", startingAt: 0) + summary
    }
}
