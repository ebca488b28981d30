import Foundation
import GitHubAPI
import StartSmall
import StartSmallDiagnostics
import StartSmallTesting

/// The command `start-small demo`: the main job of the kit over real sockets on this machine, one call after another.
///
/// Each call is printed as the endpoint's request, the sent request, the response, and the resulting `Either`. If one
/// of the results is not as expected, the command ends with ``ExitCode/surprise``.
struct Demo {
    private let console: Console
    private let connector: Connector
    private let clock: any Clock<Duration>
    private let server: URL

    static func run(_ console: Console, via connector: Connector, clock: any Clock<Duration>) async -> ExitCode {
        do {
            return try await LoopbackServer.serving(gitHub) { server in
                console.print(
                    """
                    A server with GitHub-like responses listens at \(server.url), and the wrapper .baseURL sends the
                    requests for GitHub to it. The input is a plain value, the output is a plain value, and a pure
                    function transforms the output: .right(value), .left(.left(the reason for no response)), or
                    .left(.right(the reason why the response has no value)).
                    """
                )
                return await Demo(console: console, connector: connector, clock: clock, server: server.url).run()
            }
        } catch {
            console.error("the loopback server did not start: \(error)")
            return .unavailable
        }
    }

    /// The responses of the server: a server is a function too.
    private static let gitHub = Connector.stub { input in
        switch input.url.path {
        case "/zen": .text("Keep it logically awesome.")
        case "/users/octocat": .json(#"{"id":583231,"login":"octocat"}"#)
        case "/users/broken": .json(#"{"id":"not a number"}"#)
        case "/users/renamed": .status(.movedPermanently, headers: ["Location": "/users/octocat"])
        default:
            .json(#"{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}"#, status: .notFound)
        }
    }

    private func run() async -> ExitCode {
        let octocat = #".right(GitHubUser(id: 583231, login: "octocat"))"#
        let areExpected = [
            await show("A text", GitHubZen.endpoint, is: #".right(GitHubZen(text: "Keep it logically awesome."))"#),
            await show("A user, by a login", GitHubUser.endpoint(byLogin: "octocat"), is: octocat),
            await show(
                "A user that does not exist: the API's own error, decoded",
                GitHubUser.endpoint(byLogin: "nobody"),
                is: ".left(.right(problem: Not Found (404 Not Found"
            ),
            await show(
                "A response with an unexpected payload",
                GitHubUser.endpoint(byLogin: "broken"),
                is: ".left(.right(malformedData: "
            ),
            await show("A redirect, followed", GitHubUser.endpoint(byLogin: "renamed"), is: octocat),
            await show(
                "A login that would lead to another resource: nothing is sent",
                GitHubUser.endpoint(byLogin: ".."),
                is: ".left(.left(malformedURL: "
            ),
            await show(
                "A server that refuses the connection",
                GitHubZen.endpoint,
                at: URL(string: "http://127.0.0.1:\(Self.refusingPort)"),
                is: ".left(.left(connectionRefused: "
            ),
            await showTimeline(),
        ]
        return areExpected.contains(false) ? .surprise : .success
    }

    /// Port 1, reserved for TCPMUX (RFC 1078), which is no longer in use anywhere.
    private static let refusingPort = 1

    /// Calls an endpoint and prints all steps.
    ///
    /// - Returns: whether the result is as expected.
    private func show<Value>(
        _ title: String,
        _ endpoint: Endpoint<GitHubError, Value>,
        at base: URL? = nil,
        is expected: String
    ) async -> Bool {
        console.print("\n\(title)")
        // .baseURL changes the input that .listen observes. `sent` is inside of .baseURL, and sees the request as sent.
        let app = connector.wrapped(by: .listen(to: reported), .baseURL(base ?? server, others: .moved), sent)
        let (label, text) =
            switch await endpoint.fetch(via: app) {
            case .right(let value): ("right", ".right(\(value))")
            case .left(.left(let error)): ("left", ".left(.left(\(error)))")
            case .left(.right(let error)): ("left", ".left(.right(\(error)))")
            }
        line(label, text)
        guard !text.hasPrefix(expected) else { return true }
        console.error("unexpected result: \(title): \(expected)")
        return false
    }

    /// Calls an endpoint whose server is slow, and prints where the time of the call went.
    ///
    /// - Returns: whether the result is as expected.
    private func showTimeline() async -> Bool {
        let title = "A call that is retried and redirected, and where its time went"
        console.print("\n\(title)")
        let (user, timeline) = (try? await TimedCall.run(via: connector, clock: clock)) ?? (nil, nil)
        for line in timeline?.description.split(separator: "\n") ?? [] { console.print("  \(line)") }
        if user != nil { return true }
        console.error("unexpected result: \(title)")
        return false
    }

    private var reported: Listener {
        Listener { (event: Event) in
            switch event {
            case .started(let input): line("endpoint", input.map { "\($0)" } ?? "the request can't be built")
            case .received(let response):
                line("output", "\(response), \(String(decoding: response.payload, as: UTF8.self))")
            case .noResponse(let error): line("output", "no response: \(error)")
            default: if let redirection = event.reported(Redirection.self) { line("redirect", "\(redirection)") }
            }
        }
    }

    private var sent: Wrapper {
        Wrapper { input, next in
            line("sent", "\(input)")
            return await next(input)
        }
    }

    private func line(_ label: String, _ text: String) {
        console.print("  " + label.padding(toLength: 10, withPad: " ", startingAt: 0) + text)
    }
}
