import StartSmall
import StartSmallTesting
import Foundation

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

    /// The names and purposes of all examples.
    static var lines: [String] {
        all.map { "  " + $0.name.padding(toLength: 16, withPad: " ", startingAt: 0) + $0.summary }
    }

    func run(_ console: Console, via connector: Connector, clock: any Clock<Duration>) async -> ExitCode {
        do {
            return try await LoopbackServer.serving(server) { server in
                let app = connector.wrapped(by: .baseURL(server.url))
                await recipe(ExampleContext(app: app, clock: clock, print: console.print))
                return .success
            }
        } catch {
            console.error("the loopback server did not start: \(error)")
            return .unavailable
        }
    }
}

/// The values that a recipe uses.
struct ExampleContext: Sendable {
    /// The connector of the app: requests to URLs such as `/zen` go to the example's server.
    let app: Connector
    let clock: any Clock<Duration>
    let print: @Sendable (String) -> Void
}
