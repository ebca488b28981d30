import StartSmall
import StartSmallTesting
import Testing

struct WebAPITests {
    private let sent = Recorder<Input>()

    private var stub: Connector {
        .stub(.hasResponse(Fixture.ok), recording: sent)
    }

    @Test("A7 async: from an input to an output")
    func asynchronous() async {
        #expect(await WebAPI.call(with: Fixture.input, via: stub) == .hasResponse(Fixture.ok))
        #expect(sent.elements == [Fixture.input])
    }

    @Test("A7 callback: the block gets the output once")
    func callback() async {
        let got = Recorder<Output>()
        await WebAPI.call(with: Fixture.input, via: stub) { got.append($0) }.value
        #expect(got.elements == [.hasResponse(Fixture.ok)])
    }

    @Test("A7 without a block: the call is made, and its output forgotten")
    func forgotten() async {
        func call() -> Task<Void, Never> { WebAPI.call(with: Fixture.input, via: stub) }
        await call().value
        #expect(sent.elements == [Fixture.input])
    }

    @Test("A3 no response comes out as it is")
    func noResponse() async {
        #expect(
            await WebAPI.call(with: Fixture.input, via: .stub(.noResponse(Fixture.lost))) == .noResponse(Fixture.lost)
        )
    }

    @Test("B6 cancelling the task ends a call that waits")
    func cancelled() async {
        let got = Recorder<Output>()
        let waiting = Latch()
        let connector = Connector.silent(begun: waiting)
        let task = WebAPI.call(with: Fixture.input, via: connector) { got.append($0) }
        await waiting.wait()
        task.cancel()
        await task.value
        #expect(got.elements == [.noResponse(.cancelled)])
    }
}
