import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The callback of `Next` for the heads of responses.
@Suite(.timeLimit(.minutes(1))) struct NextHeadTests {
    private let heads = Recorder<Response>()
    private var observing: Wrapper { Wrapper { [heads] input, next in await next(input) { heads.append($0) } } }

    private static let head = Response(statusCode: .ok, headers: ["Content-Type": "text/plain"])

    @Test("a connector that reports no head has one with its output, without payload and trailers")
    func stub() async {
        var response = Fixture.ok
        response.trailers = ["A": "b"]
        let connector = Connector.stub(.hasResponse(response)).wrapped(by: observing)
        #expect(await WebAPI.call(with: Fixture.input, via: connector) == .hasResponse(response))
        #expect(heads.elements == [Self.head])
    }

    @Test("a head is observed once each time it is reported or given to a consumer", arguments: [true, false])
    func once(isReported: Bool) async {
        let connector = Connector { input, context in
            if isReported { context.received(head: Response(statusCode: .notFound)) }
            guard let consumer = input.destination.consumer else { return .noResponse(Fixture.lost) }
            _ = await consumer.receive(.head(Self.head))
            return .hasResponse(Self.head)
        }
        let input = Input(url: Fixture.url, destination: .consumer(PayloadConsumer { _ in }))
        _ = await WebAPI.call(with: input, via: connector.wrapped(by: observing))
        #expect(heads.elements.map(\.statusCode) == (isReported ? [.notFound, .ok] : [.ok]))
    }

    @Test("without a response there is no head")
    func none() async {
        let connector = Connector.stub(.noResponse(Fixture.lost)).wrapped(by: observing)
        _ = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(heads.elements.isEmpty)
    }

    @Test("heads are observed for all requests inside, in order, and by all wrappers around them")
    func all() async {
        let sent = Recorder<Input>()
        let connector = Connector { input, context in
            sent.append(input)
            let status: HTTPStatus = sent.elements.count == 1 ? .badGateway : .ok
            context.received(head: Response(statusCode: status))
            return .hasResponse(Response(statusCode: status))
        }
        let retrying = connector.wrapped(by: observing, .retry(clock: InstantClock(), random: { 0 }), observing)
        _ = await WebAPI.call(with: Fixture.input, via: retrying)
        #expect(heads.elements.map(\.statusCode) == [.badGateway, .badGateway, .ok, .ok])
    }
}

/// A clock with sleeps that end at once.
private struct InstantClock: Clock {
    let base = ContinuousClock()
    var now: ContinuousClock.Instant { base.now }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
}
