import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

struct WebAPITests {
    private let sent = Recorder<Input>()

    private var stub: Connector {
        .stub(.hasResponse(Fixture.ok), recording: sent)
    }

    @Test("async: from an input to an output", .parity("A7"))
    func asynchronous() async {
        #expect(await WebAPI.call(with: Fixture.input, via: stub) == .hasResponse(Fixture.ok))
        #expect(sent.elements == [Fixture.input])
    }

    @Test("callback: the block gets the output once", .parity("A7"))
    func callback() async {
        let got = Recorder<Output>()
        await WebAPI.call(with: Fixture.input, via: stub) { got.append($0) }.value
        #expect(got.elements == [.hasResponse(Fixture.ok)])
    }

    @Test("without a block, the call is made, and its output discarded", .parity("A7"))
    func forgotten() async {
        func call() -> Task<Void, Never> { WebAPI.call(with: Fixture.input, via: stub) }
        await call().value
        #expect(sent.elements == [Fixture.input])
    }

    @Test("a missing response is returned as it is", .parity("A3"))
    func noResponse() async {
        #expect(
            await WebAPI.call(with: Fixture.input, via: .stub(.noResponse(Fixture.lost))) == .noResponse(Fixture.lost)
        )
    }

    @Test("cancelling the task ends a waiting call", .parity("B6"))
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
