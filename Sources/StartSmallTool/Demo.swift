import Foundation
import GitHubAPI
import StartSmall
import StartSmallTesting

/// `startsmall demo`: the main job over real sockets on this machine, one call after another.
///
/// Each is printed as what was sent, what came back, and the `Either` it means.
enum Demo {
    static func run(_ console: Console, via engine: Connector) async -> ExitCode {
        do {
            try await LoopbackServer.serving(gitHub) { server in
                console.print(
                    """
                    A server with GitHub-shaped answers listens at \(server.url), and the wrapper .baseURL sends
                    there what is meant for GitHub. What goes in is a plain value, what comes out is a plain value, and a
                    pure function says what it means: the right value, or what is left.
                    """
                )
                await Tour(console: console, engine: engine, server: server.url).run()
            }
            return .success
        } catch {
            console.error("no loopback server: \(error)")
            return .connectionError
        }
    }

    /// What the server answers: a server is a function too.
    private static let gitHub = Connector.stub { input in
        switch input.url.path {
        case "/zen": answer(.ok, "text/plain; charset=utf-8", "Keep it logically awesome.")
        case "/users/octocat": answer(.ok, "application/json", #"{"id":583231,"login":"octocat"}"#)
        case "/users/broken": answer(.ok, "application/json", #"{"id":"not a number"}"#)
        case "/users/renamed":
            .hasResponse(Response(statusCode: .movedPermanently, headers: ["Location": "/users/octocat"]))
        default:
            answer(
                .notFound,
                "application/json",
                #"{"message":"Not Found","documentation_url":"https://docs.github.com/rest"}"#
            )
        }
    }

    private static func answer(_ status: HTTPStatus, _ type: String, _ text: String) -> Output {
        .hasResponse(Response(statusCode: status, headers: ["Content-Type": type], payload: Data(text.utf8)))
    }
}

/// The calls of the demo.
private struct Tour {
    let console: Console
    let engine: Connector
    let server: URL

    func run() async {
        await show("A text", GitHubZen.endpoint, at: server)
        await show("A user, by a login", GitHubUser.endpoint(byLogin: "octocat"), at: server)
        await show(
            "A user that is not there: the API's own error, read",
            GitHubUser.endpoint(byLogin: "nobody"),
            at: server
        )
        await show("An answer that is not what it should be", GitHubUser.endpoint(byLogin: "broken"), at: server)
        await show("A redirect, followed", GitHubUser.endpoint(byLogin: "renamed"), at: server)
        await show(
            "A login that would lead to another resource: nothing is sent",
            GitHubUser.endpoint(byLogin: ".."),
            at: server
        )
        if let nobody = URL(string: "http://127.0.0.1:\(Self.refusingPort)") {
            await show("A server that refuses the connection", GitHubZen.endpoint, at: nobody)
        }
    }

    /// Reserved for TCPMUX (RFC 1078), which nobody runs any more.
    private static let refusingPort = 1

    private func show<Failure, Value>(_ title: String, _ endpoint: Endpoint<Failure, Value>, at base: URL) async {
        console.print("\n" + console.styled(title, .bold))
        let told = Listener { (event: Event) in
            switch event {
            case .started(let input?): line("input", "\(input)")
            case .redirecting(let redirection): line("redirect", "\(redirection)")
            case .received(let response):
                line("output", "\(response), \(String(decoding: response.payload, as: UTF8.self))")
            case .noResponse(let error): line("output", "no response: \(error)")
            default: break
            }
        }
        let connector = engine.wrapped(by: .listen(to: told), .baseURL(base, others: .moved))
        switch await endpoint.fetch(via: connector) {
        case .right(let value): line("right", "\(value)", .green)
        case .left(.left(let error)): line("left", "\(error.name)", .red)
        case .left(.right(let failure)): line("left", "\(failure)", .red)
        }
    }

    private func line(_ label: String, _ text: String, _ style: Console.Style = .faint) {
        let column = label.padding(toLength: 10, withPad: " ", startingAt: 0)
        console.print("  \(console.styled(column, style))\(text)")
    }
}
