import StartSmall
import StartSmallTesting

extension Example {
    /// An example that makes one call, and prints its value or its error.
    static let simplest = Example(
        name: "simplest",
        summary: "a text, or the error",
        server: .stub(.text("Keep it logically awesome."))
    ) { kitchen in
        switch await Endpoint.text(.get("/zen")).fetch(via: kitchen.app) {
        case .right(let zen): kitchen.print(zen)
        case .left(let error): kitchen.print("\(error)")
        }
    }
}
