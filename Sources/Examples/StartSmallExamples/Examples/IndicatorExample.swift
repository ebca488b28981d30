import StartSmall
import StartSmallTesting

extension Example {
    /// An example with one indicator for all running calls.
    static let indicator = Example(
        name: "indicator",
        summary: "one indicator for many calls",
        server: .stub(.text("done"))
    ) { context in
        let indicator = Listener.indicator { isVisible in context.print(isVisible ? "busy" : "idle") }
        let app = context.app.wrapped(by: .listen(to: indicator))
        await withTaskGroup { calls in
            for _ in 0..<3 {
                calls.addTask { _ = await Endpoint.text(.get("/")).fetch(via: app) }
            }
        }
    }
}
