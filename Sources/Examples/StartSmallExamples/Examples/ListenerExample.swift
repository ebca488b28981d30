import StartSmall
import StartSmallTesting

extension Example {
    /// An example that observes all events of each call, without changing anything.
    static let listener = Example(
        name: "listener",
        summary: "the events of a call, as a listener receives them",
        server: .stub(routes: [
            "GET /old": .status(.movedPermanently, headers: ["Location": "/new"]),
            "GET /new": .text("here"),
            "GET /nowhere": .status(.notFound),
        ])
    ) { context in
        let listener = Listener { (event: Event) in
            switch event {
            case .received(let response): context.print("received \(response.statusCode)")
            case .progress, .timings, .receivedHead: break
            default: context.print(event.name)
            }
        }
        let app = context.app.wrapped(by: .listen(to: listener))
        for path in ["/old", "/nowhere"] {
            context.print("GET \(path)")
            _ = await Endpoint.text(.get(path)).fetch(via: app)
        }
    }
}
