import Foundation
import GitHubAPI
import StartSmall
import StartSmallTesting

/// The command `start-small demo`: the main job of the kit over real sockets on this machine, one call after another.
///
/// Each call is printed as the endpoint's request, the sent request, the response, and the resulting `Either`. If one
/// of the results is not as expected, the tool ends with ``ExitCode/surprise``.
enum Demo {
    static func run(_ console: Console, via engine: Connector) async -> ExitCode {
        do {
            return try await LoopbackServer.serving(gitHub) { server in
                let introduction = """
                    A server with GitHub-like responses listens at \(server.url), and the wrapper .baseURL sends the
                    requests for GitHub to it. The input is a plain value, the output is a plain value, and a pure
                    function transforms the output: .right(value), .left(.left(the reason for no response)), or
                    .left(.right(the reason why the response has no value)).
                    """
                for line in introduction.split(separator: "\n") { console.print(String(line)) }
                let runner = DemoRunner(console: console, engine: engine, server: server.url)
                await runner.run()
                return runner.surprises.elements.isEmpty ? .success : .surprise
            }
        } catch {
            console.error("the loopback server did not start: \(error)")
            return .connectionError
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
}

/// The runner of the demo's calls.
private struct DemoRunner {
    let console: Console
    let engine: Connector
    let server: URL

    /// The titles of the calls with an unexpected result.
    let surprises = Recorder<String>()

    func run() async {
        await show("A text", GitHubZen.endpoint, is: #".right(GitHubZen(text: "Keep it logically awesome."))"#)
        await show("A user, by a login", GitHubUser.endpoint(byLogin: "octocat"), is: Self.octocat)
        await show(
            "A user that does not exist: the API's own error, decoded",
            GitHubUser.endpoint(byLogin: "nobody"),
            is: ".left(.right(.problem(Not Found, 404 Not Found)))"
        )
        await show(
            "A response with an unexpected payload",
            GitHubUser.endpoint(byLogin: "broken"),
            is: ".left(.right(.malformedData(200 OK, "
        )
        await show("A redirect, followed", GitHubUser.endpoint(byLogin: "renamed"), is: Self.octocat)
        await show(
            "A login that would lead to another resource: nothing is sent",
            GitHubUser.endpoint(byLogin: ".."),
            is: ".left(.left(.malformedURL("
        )
        if let nobody = URL(string: "http://127.0.0.1:\(Self.refusingPort)") {
            await show(
                "A server that refuses the connection",
                GitHubZen.endpoint,
                at: nobody,
                is: ".left(.left(.connectionRefused("
            )
        }
    }

    private static let octocat = #".right(GitHubUser(id: 583231, login: "octocat"))"#

    /// Port 1, reserved for TCPMUX (RFC 1078), which is no longer in use anywhere.
    private static let refusingPort = 1

    /// Calls an endpoint and prints all steps.
    ///
    /// - Parameters:
    ///   - title: the title of the call.
    ///   - endpoint: the endpoint to call.
    ///   - base: the base URL; nil for the demo's server.
    ///   - expected: the expected beginning of the result's text.
    private func show<Value>(
        _ title: String,
        _ endpoint: Endpoint<GitHubError, Value>,
        at base: URL? = nil,
        is expected: String
    ) async {
        console.print(title, .bold, after: "\n")
        // .baseURL changes the input that .listen observes. `sent` is inside of .baseURL, and sees the request as sent.
        let connector = engine.wrapped(by: .listen(to: reported), .baseURL(base ?? server, others: .moved), sent)
        let fetched = await endpoint.fetch(via: connector)
        let shown = text(of: fetched)
        line(fetched.right == nil ? "left" : "right", shown, fetched.right == nil ? .red : .green)
        guard !shown.hasPrefix(expected) else { return }
        surprises.append(title)
        console.error("unexpected result: \(title): \(expected)")
    }

    private var reported: Listener {
        Listener { (event: Event) in
            switch event {
            case .started(let input): line("endpoint", input.map { "\($0)" } ?? "the request can't be built")
            case .redirecting(let redirection): line("redirect", "\(redirection)")
            case .received(let response):
                line("output", "\(response), \(String(decoding: response.payload, as: UTF8.self))")
            case .noResponse(let error): line("output", "no response: \(error)")
            default: break
            }
        }
    }

    private var sent: Wrapper {
        Wrapper { input, next in
            line("sent", "\(input)")
            return await next(input)
        }
    }

    /// Returns the result as Swift code, without its long parts.
    private func text<Value>(of fetched: Fetched<GitHubError, Value>) -> String {
        switch fetched {
        case .right(let value): ".right(\(value))"
        case .left(.left(let error)): ".left(.left(.\(error.name)(…)))"
        case .left(.right(let failure)): ".left(.right(.\(text(of: failure))))"
        }
    }

    private func text(of failure: GitHubError) -> String {
        let status = failure.response.statusCode
        return switch failure {
        case .problem(let problem, _): "problem(\(problem), \(status))"
        case .unexpectedStatusCode: "unexpectedStatusCode(\(status))"
        case .malformedData(_, let debugInfo): "malformedData(\(status), \(Redaction.standard.shown(text: debugInfo)))"
        case .invalid(_, let reason): "invalid(\(status), \(Redaction.standard.shown(text: reason)))"
        }
    }

    private func line(_ label: String, _ text: String, _ style: Console.Style = .faint) {
        let column = label.padding(toLength: 10, withPad: " ", startingAt: 0)
        console.print(text, after: "  \(console.styled(column, style))")
    }
}
