import StartSmall
import StartSmallTesting

extension Example {
    /// An example that makes one call, and prints its value or its error.
    static let simplest = Example(
        name: "simplest",
        summary: "a text, or the error",
        server: .stub(.text("Keep it logically awesome."))
    ) { context in
        switch await Endpoint.text(.get("/zen")).fetch(via: context.app) {
        case .right(let zen): context.print(zen)
        case .left(let error): context.print("\(error)")
        }
    }
}
