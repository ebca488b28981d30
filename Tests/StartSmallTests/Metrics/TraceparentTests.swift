import Foundation
import StartSmall
import StartSmallMetrics
import StartSmallTesting
import Synchronization
import Testing

struct TraceparentTests {
    private static let current = TraceContext(
        traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
        tracestate: "rojo=1"
    )

    /// 1, 2, 3, …
    private func counting() -> @Sendable () -> UInt64 {
        let count = Atomic<UInt64>(0)
        return { count.wrappingAdd(1, ordering: .relaxed).newValue }
    }

    @Test("without a current context each request begins a trace, for any method", arguments: RecordedCall.methods)
    func new(_ method: HTTPMethodAndPayload) async {
        let input = Input(url: Fixture.url, methodAndPayload: method)
        let recorded = await RecordedCall(of: input, through: .traceparent(random: counting()))
        let expected = "00-00000000000000010000000000000002-0000000000000003-03"
        #expect(recorded.request?.headers == ["traceparent": expected])
    }

    @Test("a trace that begins here is sampled by default")
    func sampled() async {
        let recorded = await RecordedCall(through: .traceparent(sampled: false, random: counting()))
        #expect(recorded.request?.headers["traceparent"]?.hasSuffix("-02") == true)
    }

    @Test("a request in a context is its child, and passes its tracestate along")
    func child() async {
        let recorded = await TraceContext.$current.withValue(Self.current) {
            await RecordedCall(through: .traceparent(random: counting()))
        }
        let expected = "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000001-00"
        #expect(recorded.request?.headers == ["traceparent": expected, "tracestate": "rojo=1"])
    }

    @Test("the callback form is in its caller's context too")
    func callback() async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.hasResponse(Fixture.ok), recording: sent)
            .wrapped(by: .traceparent(random: counting()))
        await TraceContext.$current.withValue(Self.current) {
            await WebAPI.call(with: Fixture.input, via: connector) { _ in }.value
        }
        #expect(sent.elements.first?.headers["tracestate"] == "rojo=1")
    }

    @Test("a request with its own traceparent is not changed")
    func unchanged() async {
        let input = Input(url: Fixture.url, headers: ["Traceparent": "own", "tracestate": "a=1"])
        let sent = await TraceContext.$current.withValue(Self.current) {
            await RecordedCall(of: input, through: .traceparent()).sent
        }
        #expect(sent == [input])
    }

    @Test("a tracestate without a traceparent belongs to another trace, and is dropped")
    func strayState() async {
        let input = Input(url: Fixture.url, headers: ["tracestate": "a=1"])
        #expect(await RecordedCall(of: input, through: .traceparent()).request?.headers.contains("tracestate") == false)
    }

    @Test("outside of a retry, all attempts are one span; inside of it, each is its own")
    func order() async {
        func spans(_ sent: [Input]) -> [String?] { sent.map { $0.headers["traceparent"] } }
        let outside = spans(await RecordedCall(through: .traceparent(), .attempts(3)).sent)
        #expect(outside.count == 3 && Set(outside).count == 1)
        let inside = await TraceContext.$current.withValue(Self.current) {
            spans(await RecordedCall(through: .attempts(3), .traceparent()).sent)
        }
        #expect(Set(inside).count == 3)
        #expect(Set(inside.map { $0?.prefix(35) }).count == 1)
    }

    @Test("IDs are random by default, and reach a server")
    func wire() async throws {
        let first = try await RecordedCall.onTheWire(through: .traceparent())?.headers["traceparent"]
        let second = try await RecordedCall.onTheWire(through: .traceparent())?.headers["traceparent"]
        #expect(first.flatMap { TraceContext(traceparent: $0) }?.isRandom == true)
        #expect(first != second)
    }
}
