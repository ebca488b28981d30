import GitHubAPI
import StartSmall
import StartSmallDiagnostics
import StartSmallTesting

/// A call that is retried and redirected, over real sockets on this machine.
///
/// `start-small demo` prints the text of its timeline, and `start-small picture` the picture in SVG.
enum TimedCall {
    /// Returns the value of the call, if it has one, and where its time went.
    static func run(
        via connector: Connector,
        clock: any Clock<Duration>
    ) async throws -> (value: GitHubUser?, timeline: Timeline?) {
        try await LoopbackServer.serving(server(clock)) { server in
            let timelines = Recorder<Timeline>()
            let app = connector.wrapped(
                by: .listen(to: .timeline(clock: clock, show: timelines.append)),
                .baseURL(server.url, others: .moved),
                .retry(RetryPolicy(backoff: Backoff { _ in .milliseconds(100) }), clock: clock)
            )
            let user = await GitHubUser.endpoint(byLogin: "renamed").fetch(via: app)
            return (user.right, timelines.elements.first)
        }
    }

    /// A server that is overloaded, then redirects, then answers, and takes its time each time.
    private static func server(_ clock: any Clock<Duration>) -> Connector {
        Connector.stub(sequence: [
            .status(.serviceUnavailable), .status(.movedPermanently, headers: ["Location": "/users/octocat"]),
            .json(#"{"id":583231,"login":"octocat"}"#),
        ])
        .wrapped(
            by: Wrapper { input, next in
                try? await clock.sleep(for: .milliseconds(60))
                return await next(input)
            }
        )
    }
}
