import StartSmall
import StartSmallStreams
import StartSmallTesting

/// A long-running job of a server.
private struct Job: Decodable, Sendable {
    let state: String
}

extension Example {
    /// An example that calls an endpoint repeatedly until a job is done.
    static let polling = Example(
        name: "polling",
        summary: "a job that is polled until it is done",
        server: .stub(sequence: [
            .json(#"{"state": "queued"}"#, status: .accepted),
            .json(#"{"state": "running"}"#, status: .accepted),
            .json(#"{"state": "done"}"#),
        ])
    ) { context in
        let job = Endpoint.json(Job.self, .get("/jobs/1"))
        let polling = Polling(
            job,
            every: .seconds(5),
            while: { $0.right?.state != "done" },
            via: context.app,
            clock: context.clock
        )
        for await errorOrJob in polling {
            context.print(errorOrJob.right?.state ?? "\(errorOrJob)")
        }
    }
}
