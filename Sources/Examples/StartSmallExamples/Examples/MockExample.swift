import StartSmall
import StartSmallTesting

extension Example {
    /// An example that replaces the engine with a stub, which records the sent requests and needs no network.
    static let mock = Example(
        name: "mock",
        summary: "the same code over a stub, without a network",
        server: .stub(.status(.notFound))
    ) { context in
        let sent = Recorder<Input>()
        let stub = Connector.stub(sequence: [.text("Design for failure."), .status(.badGateway)], recording: sent)
        for _ in 0..<2 {
            let errorOrZen = await Endpoint.text(.get("https://api.github.com/zen")).fetch(via: stub)
            context.print(errorOrZen.fold({ "\($0)" }, { $0 }))
        }
        for input in sent.elements { context.print("sent: \(input)") }
    }
}
