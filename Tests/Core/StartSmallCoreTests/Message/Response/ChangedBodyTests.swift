import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmallSupport
@testable import StartSmallCore

/// The bodies around others: `body.map { … }`, `body.around { … }`.
@Suite(.timeLimit(.minutes(1))) struct ChangedBodyTests {
    typealias Way = EndFromOutside

    /// A body, and its ends as an observer inside sees them.
    private func inner(
        _ chunks: [String] = ["he", "llo"],
        then failure: ConnectionError? = nil,
        silent: Bool = false,
        ends: Recorder<ResponseBody.End> = Recorder()
    ) -> ResponseBody {
        let output = Output.open(Response(statusCode: .ok), chunks.map(\.utf8), then: failure, silent: silent)
        guard let body = output.response?.body else { return ResponseBody(Data()) }
        body.onEnd { ends.append($0) }
        return body
    }

    @Test("a changed body has the changed bytes and the same trailers, and an empty change is no chunk")
    func mapped() async {
        let body = inner(["a", "b", "c"]).map { $0 == Data("b".utf8) ? Data() : $0 + $0 }
        for expected in [Data("aa".utf8), Data("cc".utf8), nil] { #expect(await body.read() == .success(expected)) }
        let outer = ResponseBody(Data("a".utf8), trailers: ["T": "1"]).map { $0 }.map { $0 }
        for _ in 0..<2 { _ = await outer.read() }
        #expect(outer.trailers == ["T": "1"])
    }

    @Test("a change that throws ends both bodies with its error")
    func throwing() async {
        let ends = Recorder<ResponseBody.End>()
        let body = inner(ends: ends).map { _ throws(ConnectionError) in throw Fixture.lost }
        #expect(await body.read() == .failure(Fixture.lost))
        #expect(ends.elements == [.failed(Fixture.lost)])
    }

    @Test("an end of the outer body goes inward as it is, also by its release", arguments: [nil] + Way.allCases)
    func inward(way: Way?) {
        let (ends, order) = (Recorder<ResponseBody.End>(), Recorder<String>())
        let body = inner(ends: ends)
        body.onEnd { _ in order.append("inner") }
        do {
            let outer = body.map { $0 }.map { $0 }
            outer.onEnd { _ in order.append("outer") }
            way?.end(outer)
        }
        #expect(ends.elements == [way?.end ?? .discarded])
        #expect(order.elements == ["inner", "outer"])
    }

    @Test("an end of the inner body goes outward, while nobody reads", arguments: [Way.interrupt, .discard])
    func outward(way: Way) async {
        let ends = Recorder<ResponseBody.End>()
        let body = inner()
        let outer = body.map { $0 }.map { $0 }
        outer.onEnd { ends.append($0) }
        way.end(body)
        #expect(ends.elements == [way.end])
        #expect(await outer.read() == way.result)
    }

    @Test("a body that is complete inside may have more bytes outside")
    func rest() async {
        let rest = Locked<Data?>(Data("!".utf8))
        let (ends, body) = (Recorder<ResponseBody.End>(), inner(["a"]))
        let outer = body.around { inner async throws(ConnectionError) -> Data? in
            if let chunk = try await inner.next() { return chunk }
            return rest.withLock { $0.take() }
        }
        outer.onEnd { ends.append($0) }
        #expect(await outer.read() == .success(Data("a".utf8)))
        #expect(await outer.read() == .success(Data("!".utf8)))
        #expect(ends.elements == [])
        #expect(await outer.read() == .success(nil))
        #expect(ends.elements == [.complete])
    }

    @Test("a body that was changed is read by the outer one only, and a thousand changes end with it")
    func taken() async {
        let ends = Recorder<ResponseBody.End>()
        let body = inner(ends: ends)
        var outer = body.map { $0 }
        for _ in 0..<1_000 { outer = outer.map { $0 } }
        for second in [body, body.map { $0 }] { #expect(await second.read() == .failure(.other(.secondReader))) }
        #expect(await outer.read() == .success(Data("he".utf8)))
        outer.discard()
        #expect(ends.elements == [.discarded])
    }

    @Test("a reader that is cancelled ends both; no function runs in the cancelling thread")
    func cancelled() async {
        let (ends, reading) = (Recorder<ResponseBody.End>(), Latch())
        let outer = inner([], silent: true, ends: ends).around { inner async throws(ConnectionError) -> Data? in
            reading.open()
            return try await inner.next()
        }
        let reader = Task { await outer.read() }
        await reading.wait()
        reader.cancel()
        #expect(await reader.value == .failure(.cancelled))
        #expect(ends.elements == [.failed(.cancelled)])
    }

    @Test("a function at the end learns of the bytes that were read, whoever ends the body", arguments: Way.allCases)
    func summary(way: Way) async {
        let counts = Recorder<Int>()
        let body = inner(["a", "bc", "d"])
        body.whenEnded { counts.append($0.count) }
        for _ in 0..<2 { _ = await body.read() }
        way.end(body)
        #expect(counts.elements == [3])
    }
}
