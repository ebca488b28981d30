import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct LimitPayloadTests {
    private func output(
        _ bytes: Int,
        limit: Int = 10,
        of status: HTTPStatus = .ok,
        _ delivery: Delivery = .memory
    ) async -> Output {
        let response = Response(
            statusCode: status,
            headers: ["X-Kept": "yes"],
            payload: Data(repeating: 1, count: bytes)
        )
        let connector = Connector.stub(.hasResponse(response)).wrapped(by: .limitPayload(bytes: limit))
        return await WebAPI.call(with: Input(url: Fixture.url, delivery: delivery), via: connector)
    }

    @Test(
        "a payload up to the limit is not changed, and one over it is an error with the response and the bytes up to it",
        arguments: [(0, 10, nil), (10, 10, nil), (11, 10, 10), (0, -1, nil), (1, -1, 0)]
    )
    func limits(_ bytes: Int, _ limit: Int, _ kept: Int?) async {
        let payload = Data(repeating: 1, count: kept ?? bytes)
        let response = Response(statusCode: .ok, headers: ["X-Kept": "yes"], payload: payload)
        let tooLarge = Output.noResponse(.payloadTooLarge(response, limit: max(0, limit)))
        #expect(await output(bytes, limit: limit) == (kept == nil ? .hasResponse(response) : tooLarge))
    }

    @Test(
        "the smallest of several limits is passed to the engine with the input",
        arguments: [(nil, 10), (5, 5), (50, 10)]
    )
    func handedDown(_ own: Int?, _ expected: Int) async {
        let input = Fixture.input.with { $0.payloadLimit = own }
        let sent = await RecordedCall(of: input, through: .limitPayload(bytes: 10)).sent
        #expect(sent.map(\.payloadLimit) == [expected])
    }

    @Test("a stream has no limit, but that of a refused response stays in memory, and has one")
    func streams() async throws {
        #expect(try await output(11, .stream).response?.wholePayload().count == 11)
        #expect(await output(11, of: .notFound, .stream).connectionError?.name == "payloadTooLarge")
    }

    // Errors.

    private static let problem = #"{"title":"busy"}"#

    /// Returns the output of a call whose error never ends, after the time that the wrapper limits.
    private func cut(
        _ status: HTTPStatus,
        _ delivery: Delivery = .memory,
        _ wrappers: [Wrapper] = []
    ) async -> (output: Output, ends: [ResponseBody.End], isTooEarly: Bool) {
        let (clock, ends, isRead) = (ManualClock(), Recorder<ResponseBody.End>(), Latch())
        let server = Connector { input in
            if input.headers.contains("X-Last") { return .hasResponse(Fixture.ok) }
            return Output.open(Response(statusCode: status), [Self.problem.utf8], silent: true) { _ in isRead.open() }
                .onEnd { ends.append($0) }
        }
        let limiting = Wrapper.limitPayload(ofErrors: 100, within: .seconds(10), clock: clock)
        let app = server.wrapped(by: .all(wrappers + [limiting]))
        let call = Task { await WebAPI.call(with: Input(url: Fixture.url, delivery: delivery), via: app) }
        await isRead.wait()
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .milliseconds(9_999))
        let isTooEarly = !ends.elements.isEmpty
        clock.advance(by: .milliseconds(1))
        return (await call.value, ends.elements, isTooEarly)
    }

    @Test(
        "the payload of an error that does not end is cut after a time, and the head decides",
        arguments: [HTTPStatus.unauthorized, .notFound, .serviceUnavailable, .notModified, .found],
        [Delivery.memory, .stream, .file(URL(filePath: "/tmp/never"))]
    )
    func endless(_ status: HTTPStatus, _ delivery: Delivery) async {
        let (output, ends, isTooEarly) = await cut(status, delivery)
        #expect(!isTooEarly)
        #expect(output.response?.statusCode == status && output.response?.payload == Data(Self.problem.utf8))
        #expect(output.connectionError?.name == "timedOut")
        #expect(output.connectionError.map { "\($0)" }?.contains("did not end within 10.0 seconds") == true)
        guard case .failed(let error)? = ends.first else { return #expect(ends.count == 1, "\(ends)") }
        #expect(error.name == "timedOut" && ends.count == 1)
    }

    @Test("a retry repeats a 503 whose payload was cut")
    func retried() async {
        let again = Wrapper { input, next in
            let output = await next(input)
            guard RetryCondition.isTransient(output) else { return output }
            return await next(input.with { $0.headers["X-Last"] = "1" })
        }
        #expect(await cut(.serviceUnavailable, .memory, [again]).output == .hasResponse(Fixture.ok))
        #expect(await cut(.notFound, .memory, [again]).output.response?.statusCode == .notFound)
    }

    @Test("no problem is decoded from a payload that was cut, and an endpoint that accepts the status gets an error")
    func noProblem() async {
        let clock = ManualClock()
        let server = Connector { _ in
            .open(Response(statusCode: .notFound), [Self.problem.utf8], silent: true)
        }
        let app = server.wrapped(by: .limitPayload(ofErrors: 100, clock: clock))
        let endpoint = Endpoint<TransformError<Never>, Int>(.right(Fixture.input)) { .right($0.payload.count) }
        let call = Task { await endpoint.fetch(via: app) }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await call.value.left?.left?.name == "timedOut")
    }

    @Test(
        "the payload of an error has at most 1 MiB, whatever the form, and a wrapper changes that",
        arguments: [Delivery.memory, .stream]
    )
    func largeError(_ delivery: Delivery) async {
        let mebibyte = 1 << 20
        let server = Connector { _ in
            .open(Response(statusCode: .notFound), [Data(count: mebibyte), Data(count: 1)])
        }
        let input = Input(url: Fixture.url, delivery: delivery)
        for (wrappers, limit) in [
            ([], mebibyte), ([.limitPayload(ofErrors: 10)], 10), ([.limitPayload(ofErrors: mebibyte + 1)], nil),
            ([.limitPayload(ofErrors: mebibyte + 1), .limitPayload(bytes: 5)], 5),
            ([.limitPayload(ofErrors: 7), .limitPayload(ofErrors: mebibyte + 1)], nil),
        ] as [([Wrapper], Int?)] {
            let output = await WebAPI.call(with: input, via: server.wrapped(by: .all(wrappers)))
            #expect(output.response?.statusCode == .notFound)
            #expect(output.response?.payload.count == limit ?? mebibyte + 1)
            #expect(output.connectionError?.name == limit.map { _ in "payloadTooLarge" })
        }
    }
}
