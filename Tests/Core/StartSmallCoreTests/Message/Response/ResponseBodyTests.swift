import Foundation
import StartSmallTesting
import Synchronization
import TestSupport
import Testing

import StartSmallSupport
@testable import StartSmallCore

@Suite(.timeLimit(.minutes(1))) struct ResponseBodyTests {
    typealias Way = EndFromOutside

    private static let bytes = Data("hello".utf8)

    // MARK: reading

    @Test("bytes that are cut anywhere arrive in order and complete, and an empty chunk never arrives")
    func cuts() async throws {
        for cut in 0...Self.bytes.count {
            let body = ScriptedBody(.bytes(Self.bytes.prefix(cut)), .bytes(Data()), .bytes(Self.bytes.dropFirst(cut)))
                .body
            var chunks: [Data] = []
            for try await chunk in body { chunks.append(chunk) }
            #expect(Data(chunks.joined()) == Self.bytes)
            #expect(!chunks.contains(Data()))
            #expect(await body.read() == .success(nil))
        }
    }

    @Test("a transfer that breaks off anywhere gives the bytes before, and then its error, again and again")
    func brokenOff() async {
        for cut in 0...Self.bytes.count {
            let script = ScriptedBody(.bytes(Self.bytes.prefix(cut)), .failure(Fixture.lost))
            var arrived = Data()
            while case .success(let chunk?) = await script.body.read() { arrived += chunk }
            #expect(arrived == Self.bytes.prefix(cut))
            #expect(await script.body.read() == .failure(Fixture.lost))
            #expect(script.aborts.elements.isEmpty)
        }
    }

    @Test("a second reader gets an error and no bytes, and the first one goes on")
    func secondReader() async {
        let script = ScriptedBody(.wait, .bytes(Self.bytes))
        let first = Task { await script.body.read() }
        await script.isWaiting.wait()
        #expect(await script.body.read() == .failure(.other(.secondReader)))
        script.resume.open()
        #expect(await first.value == .success(Self.bytes))
        #expect(await script.body.read() == .success(nil))
    }

    @Test("trailers are known after the last byte, and never of a payload that is not complete")
    func trailers() async {
        let trailers: HTTPHeaders = ["Digest": "1"]
        let body = ScriptedBody(.bytes(Self.bytes), trailers: trailers).body
        _ = await body.read()
        #expect(body.trailers == [:])
        _ = await body.read()
        #expect(body.trailers == trailers)
        for way in Way.allCases {
            let ended = ScriptedBody(.bytes(Self.bytes), trailers: trailers).body
            way.end(ended)
            _ = await ended.read()
            #expect(ended.trailers == [:])
        }
    }

    // MARK: the end

    @Test(
        "a body ends once: the first end counts for the reader and for all functions, and a complete one is not aborted",
        arguments: [nil] + Way.allCases
    )
    func firstEnd(way: Way?) async {
        for later in Way.allCases {
            let ends = Recorder<ResponseBody.End>()
            let script = way == nil ? ScriptedBody() : ScriptedBody(.bytes(Self.bytes))
            script.body.onEnd { ends.append($0) }
            if let way { way.end(script.body) } else { #expect(await script.body.read() == .success(nil)) }
            later.end(script.body)
            script.body.onEnd { ends.append($0) }
            let end = way?.end ?? .complete
            #expect(ends.elements == [end, end])
            #expect(await script.body.read() == way?.result ?? .success(nil))
            #expect(script.aborts.elements.count == (way == nil ? 0 : 1))
        }
    }

    @Test("an end from outside wakes the reader, who gets it, even if bytes arrive then", arguments: Way.allCases)
    func pending(way: Way) async {
        for throwsIfAborted in [true, false] {
            let script = ScriptedBody(.wait, .bytes(Self.bytes), throwsIfAborted: throwsIfAborted)
            let reader = Task { await script.body.read() }
            await script.isWaiting.wait()
            way.end(script.body)
            #expect(await reader.value == way.result)
            #expect(script.aborts.elements.count == 1)
        }
    }

    @Test("a body that is released without being read is discarded at once, whatever holds a weak reference")
    func released() {
        let (aborts, ends) = (Recorder<Bool>(), Recorder<ResponseBody.End>())
        var body: ResponseBody? = ResponseBody(
            pulling: { () async throws(ConnectionError) -> Data? in nil },
            abort: { aborts.append(true) }
        )
        let weak = body?.weak
        body?.onEnd { ends.append($0) }
        #expect(ends.elements.isEmpty)
        body = nil
        #expect(ends.elements == [.discarded])
        #expect(aborts.elements.count == 1)
        weak?.interrupt(with: Fixture.lost)
        #expect(ends.elements == [.discarded])
    }

    @Test(
        "a body that has ended keeps neither its bytes nor its engine",
        arguments: [nil] + Way.allCases
    )
    func forgets(way: Way?) async {
        final class Engine: Sendable {}
        var engine: Engine? = Engine()
        weak var released: Engine?
        released = engine
        let body = ResponseBody(
            pulling: { [engine] () async throws(ConnectionError) -> Data? in
                _ = engine
                return nil
            },
            trailers: { [engine] in
                _ = engine
                return [:]
            },
            abort: { [engine] in _ = engine }
        )
        body.onEnd { [engine] _ in _ = engine }
        engine = nil
        #expect(released != nil)
        if let way { way.end(body) } else { _ = await body.read() }
        #expect(released == nil)
        withExtendedLifetime(body) {}
    }

    // MARK: cancellation

    @Test("a reader that is cancelled before it reads gets no bytes, and ends the transfer")
    func cancelledBefore() async {
        let (script, ends) = (ScriptedBody(.bytes(Self.bytes)), Recorder<ResponseBody.End>())
        script.body.onEnd { ends.append($0) }
        let reader = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await script.body.read()
        }
        #expect(await reader.value == .failure(.cancelled))
        #expect(ends.elements == [.failed(.cancelled)])
        #expect(script.aborts.elements.count == 1)
        #expect(script.pulls.elements.isEmpty)
    }

    @Test("a reader that is cancelled while it waits ends the transfer once; no function runs in the cancelling thread")
    func cancelled() async {
        for _ in 0..<100 {
            let (script, ends) = (ScriptedBody(.wait), Recorder<ResponseBody.End>())
            // As a group that cancels its calls under its lock, which each call takes when it ends.
            let group = Mutex(0)
            script.body.onEnd { end in group.withLock { _ in ends.append(end) } }
            let reader = Task { await script.body.read() }
            await script.isWaiting.wait()
            group.withLock { _ in reader.cancel() }
            #expect(await reader.value == .failure(.cancelled))
            #expect(ends.elements == [.failed(.cancelled)])
            #expect(script.aborts.elements.count == 1)
        }
    }

    // MARK: reentrancy and races

    @Test("a function that is called at the end may use its body, and end others", arguments: Way.allCases)
    func reentrancy(way: Way) async {
        let (script, ends) = (ScriptedBody(.bytes(Self.bytes)), Recorder<ResponseBody.End>())
        let other = Mutex<ResponseBody?>(ScriptedBody(.wait).body)
        other.withLock { $0 }?.onEnd { ends.append($0) }
        script.body.onEnd { [body = script.body] end in
            for later in Way.allCases { later.end(body) }
            body.onEnd { ends.append($0) }
            // The last reference of another body.
            _ = other.withLock { $0.take() }
        }
        way.end(script.body)
        #expect(ends.elements == [way.end, .discarded])
    }

    @Test("the transfer is never asked again after its end, whoever else tries to read")
    func pullsAfterEnd() async {
        for _ in 0..<(isExhaustive ? 20_000 : 500) {
            let (pulls, begun) = (Recorder<Bool>(), Locked(0))
            let body = ResponseBody(pulling: { () async throws(ConnectionError) -> Data? in
                pulls.append(true)
                return nil
            })
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        begun.withLock { $0 += 1 }
                        for _ in 0..<1_000 where begun.withLock({ $0 < 2 }) {}
                        for _ in 0..<4 { _ = await body.read() }
                    }
                }
            }
            #expect(pulls.elements.count == 1)
        }
    }

    @Test("when a reader knows the end, the functions have returned, whichever thread calls them")
    func functionsBeforeReader() async {
        for _ in 0..<(isExhaustive ? 20_000 : 500) {
            let script = ScriptedBody(.wait)
            let isOver = Atomic(false)
            script.body.onEnd { _ in
                for _ in 0..<1_000 { _ = isOver.load(ordering: .relaxed) }
                isOver.store(true, ordering: .sequentiallyConsistent)
            }
            let other = Task.detached { [body = script.body] in body.interrupt(with: Fixture.lost) }
            _ = await script.body.read()
            let wasOver = isOver.load(ordering: .sequentiallyConsistent)
            #expect(wasOver)
            await other.value
        }
    }

    @Test(
        "reading, ending, cancelling and releasing at the same time give one end, one abort at most, and no bytes after"
    )
    func races() async {
        let ways = Way.allCases.count + 3
        for round in 0..<(isExhaustive ? 40 : 2) * ways * ways * ways {
            let (script, ends) = (ScriptedBody(.bytes(Self.bytes), .wait), Recorder<ResponseBody.End>())
            script.body.onEnd { ends.append($0) }
            await withTaskGroup(of: Void.self) { group in
                for index in [round % ways, round / ways % ways, round / ways / ways % ways] {
                    group.addTask { [body = script.body] in
                        switch index {
                        case Way.allCases.indices: Way.allCases[index].end(body)
                        case ways - 3: while case .success(_?) = await body.read() {}
                        case ways - 2:
                            let reader = Task { while case .success(_?) = await body.read() {} }
                            reader.cancel()
                            await reader.value
                        default: body.onEnd { _ in }
                        }
                    }
                }
                // A reader alone would wait for ever.
                group.addTask { [body = script.body] in body.discard() }
            }
            #expect(ends.elements.count == 1, "round \(round)")
            #expect(script.aborts.elements.count == 1, "round \(round)")
        }
    }
}

/// A body that gives its parts one after another.
private struct ScriptedBody: Sendable {
    enum Part: Sendable {
        case bytes(Data)
        case failure(ConnectionError)

        /// Waits until the transfer is resumed, or aborted.
        case wait
    }

    let body: ResponseBody
    let pulls = Recorder<Bool>()
    let aborts = Recorder<Bool>()

    /// Open when a reader waits, and opened to let it go on.
    let isWaiting = Latch()
    let resume = Latch()

    init(_ parts: Part..., trailers: HTTPHeaders = [:], throwsIfAborted: Bool = true) {
        let rest = Locked(parts[...])
        body = ResponseBody(
            pulling: { [pulls, aborts, isWaiting, resume] () async throws(ConnectionError) -> Data? in
                pulls.append(true)
                while true {
                    switch rest.withLock({ $0.popFirst() }) {
                    case nil: return nil
                    case .bytes(let data)?: return data
                    case .failure(let error)?: throw error
                    case .wait?:
                        isWaiting.open()
                        // Not in the task of the reader, whose cancellation must reach the transfer as an abort only.
                        await Task.detached { await resume.wait() }.value
                        if throwsIfAborted, !aborts.elements.isEmpty { throw .cancelled }
                    }
                }
            },
            trailers: { trailers },
            abort: { [aborts, resume] in
                aborts.append(true)
                resume.open()
            }
        )
    }
}
