import Foundation
import StartSmall
import StartSmallTesting

extension Example {
    /// An example with one indicator for all running calls, and a progress line on a terminal for a large payload.
    static let indicator = Example(
        name: "indicator",
        summary: "one indicator for many calls, and a progress line on a terminal",
        server: .stub { input in
            let bytes = input.url.path == "/large" ? 48 * 1024 * 1024 : 1024
            return .hasResponse(Response(statusCode: .ok, payload: Data(count: bytes)))
        }
    ) { context in
        let indicator = Listener.indicator { isVisible in context.print(isVisible ? "busy" : "idle") }
        let app = context.app.wrapped(by: .listen(to: indicator))
        await withTaskGroup { calls in
            for _ in 0..<3 {
                calls.addTask { _ = await Endpoint.data(.get("/small")).fetch(via: app) }
            }
        }
        let isSeen = context.console.isTerminal(.error)
        let line = isSeen ? [Wrapper.listen(to: ProgressLine(context.console, showsDownload: true).listener)] : []
        let large = await Endpoint.data(.get("/large")).fetch(via: app.wrapped(by: line))
        context.print("\(large.right?.count ?? 0) bytes")
    }
}
