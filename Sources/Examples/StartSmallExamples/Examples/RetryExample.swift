import StartSmall
import StartSmallTesting

extension Example {
    /// An example of retries: the server is overloaded twice.
    ///
    /// Wrappers inside of the retry run for each attempt.
    static let retry = Example(
        name: "retry",
        summary: "a request that is retried until it succeeds",
        server: .stub(sequence: [
            .status(.serviceUnavailable, headers: ["Retry-After": "1"]), .status(.badGateway), .text("at last"),
        ])
    ) { context in
        let listener = Listener { (event: Event) in
            guard let retrying = event.reported(Retrying.self) else { return }
            context.print("attempt \(retrying.attempt), after \(retrying.after.response?.statusCode.code ?? 0)")
        }
        let app = context.app.wrapped(
            by: .listen(to: listener),
            .retry(.exponential(attempts: 3), clock: context.clock),
            .timeout(.seconds(10))
        )
        context.print(await Endpoint.text(.get("/")).fetch(via: app).right ?? "never")
    }
}
