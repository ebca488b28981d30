import Foundation
import StartSmall
import StartSmallMetrics
import StartSmallTesting
import Synchronization
import TestSupport
import Testing

struct TraceContextTests {
    private static let example = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test("the example of the W3C recommendation is parsed and written")
    func recommendation() throws {
        let context = try #require(TraceContext(traceparent: Self.example))
        #expect(context.traceID == 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736)
        #expect(context.spanID == 0x00f0_67aa_0ba9_02b7)
        #expect(context.isSampled)
        #expect(!context.isRandom)
        #expect(context.traceparent == Self.example)
        #expect("\(context)" == Self.example)
    }

    @Test("of the 256 flags, the two known ones are parsed and written", arguments: UInt8.min...UInt8.max)
    func flags(_ flags: UInt8) throws {
        let digits = (flags < 16 ? "0" : "") + String(flags, radix: 16)
        let context = try #require(TraceContext(traceparent: Self.example.dropLast(2) + digits))
        #expect(context.isSampled == (flags & 1 == 1))
        #expect(context.isRandom == (flags & 2 == 2))
        #expect(context.traceparent.hasSuffix("-0\(flags & 3)"))
    }

    @Test(
        "an invalid traceparent is nil",
        arguments: [
            "", "-", "00", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7", example + "-", example + "-00",
            example + " ", " " + example, "ff" + example.dropFirst(2), "0" + example,
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
            "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g", "cc" + example.dropFirst(2) + ".what",
            String(repeating: "é", count: 28), String(repeating: "-", count: 55),
        ]
    )
    func illegal(_ text: String) {
        #expect(TraceContext(traceparent: text, tracestate: "a=1") == nil)
    }

    @Test("a text of any length is read no further than needed")
    func long() {
        let text = String(repeating: "f", count: 1_000_000)
        #expect(TraceContext(traceparent: text) == nil)
        #expect(TraceContext(traceparent: "01" + Self.example.dropFirst(2) + "-" + text)?.traceparent == Self.example)
    }

    @Test("a later version is parsed as far as version 00 goes", arguments: ["", "-what", "-"])
    func laterVersion(_ rest: String) {
        let context = TraceContext(traceparent: "cc" + Self.example.dropFirst(2) + rest)
        #expect(context?.traceparent == Self.example)
    }

    @Test(
        "a valid tracestate is kept unchanged",
        arguments: [
            "a=1", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "a=1, b=2 ,\tc=3", "a=1,,b=2", "t@v=x=y",
            (1...32).map { "k\($0)=v" }.joined(separator: ","),
        ]
    )
    func tracestate(_ text: String) {
        #expect(TraceContext(traceparent: Self.example, tracestate: text)?.tracestate == text)
    }

    @Test(
        "an invalid tracestate is dropped, and the trace continues",
        arguments: [
            "", ",", " , ", "a", "=1", "a=1,b", "a=é", "a=1\r\nX: y", "a=1\u{0}",
            (1...33).map { "k\($0)=v" }.joined(separator: ","),
        ]
    )
    func illegalTracestate(_ text: String) {
        let context = TraceContext(traceparent: Self.example, tracestate: text)
        #expect(context?.traceparent == Self.example)
        #expect(context?.tracestate == nil)
    }

    @Test("an ID of 0 means that there is none, and is never written")
    func zero() {
        let context = TraceContext(traceID: 0, spanID: 0, isSampled: false)
        #expect(context.traceparent == "00-00000000000000000000000000000001-0000000000000001-00")
        #expect(TraceContext(traceparent: context.traceparent) == context)
    }

    @Test("a child has its parent's trace, flags and state, and its own span")
    func child() throws {
        let parent = try #require(TraceContext(traceparent: Self.example, tracestate: "a=1"))
        let child = parent.child(spanID: 7)
        #expect(child.traceparent == "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000007-01")
        #expect(child.tracestate == "a=1")
    }
}

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

    @Test("a request in a context is its child, and passes its tracestate along")
    func child() async {
        let recorded = await TraceContext.$current.withValue(Self.current) {
            await RecordedCall(through: .traceparent(random: counting()))
        }
        let expected = "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000001-00"
        #expect(recorded.request?.headers == ["traceparent": expected, "tracestate": "rojo=1"])
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
}
