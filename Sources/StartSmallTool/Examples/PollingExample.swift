import StartSmall
import StartSmallTesting

/// Work that a server does in its own time.
private struct Job: Decodable, Sendable {
    let state: String
}

extension Example {
    /// An endpoint that is called again and again, until there is nothing more to wait for.
    static let polling = Example(
        name: "polling",
        summary: "a job that is asked about until it is done",
        server: .stub(sequence: [
            .json(#"{"state": "queued"}"#, status: .accepted),
            .json(#"{"state": "running"}"#, status: .accepted),
            .json(#"{"state": "done"}"#),
        ])
    ) { kitchen in
        let job = Endpoint.json(Job.self, .get("/jobs/1"))
        let polling = Polling(
            job,
            every: .seconds(5),
            while: { $0.right?.state != "done" },
            via: kitchen.app,
            clock: kitchen.clock
        )
        for await errorOrJob in polling {
            kitchen.print(errorOrJob.right?.state ?? "\(errorOrJob)")
        }
    }
}
