import Dispatch
import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmall
import StartSmallStreams

/// How a stream reads the body of its response.
@Suite(.timeLimit(.minutes(1))) struct StreamReaderTests {
    private typealias Element = Fetched<TransformError<Never>, String>

    private static let head = Response(statusCode: .ok, headers: ["X-Head": "yes"])
    private let lines = Endpoint.lines(.get("https://api.example.com/log"))
    private let log = EventLog()
    private let ends = Recorder<ResponseBody.End>()

    /// The events of a call but for those of its connector.
    private static let cancelled = ["started", "receivedHead", "cancelled", "failed", "ended"]
    private static let succeeded = ["started", "receivedHead", "received", "transformed", "succeeded", "ended"]

    /// Returns a connector with an open response of these chunks, observed by the log.
    private func giving(
        _ chunks: [some Sequence<UInt8> & Sendable],
        then failure: ConnectionError? = nil,
        silent: Bool = false,
        opened: @escaping @Sendable (ResponseBody) -> Void = { _ in }
    ) -> Connector {
        Connector { [ends] _ in
            let output = Output.open(Self.head, chunks, then: failure, silent: silent)
            output.onEnd { ends.append($0) }
            if let body = output.response?.body { opened(body) }
            return output
        }
        .wrapped(by: .listen(to: log.listener))
    }

    // MARK: actors

    @Test("chunks are read and parsed off the main actor, with the main actor as the reader")
    @MainActor func offMainActor() async {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
        #expect(DispatchQueue.getSpecific(key: key) == true)
        let onMain = Recorder<Bool>()
        let pulled = Connector { _ in
            .open(Self.head, ["1\n2\n".utf8, "3\n4".utf8]) { _ in
                onMain.append(DispatchQueue.getSpecific(key: key) ?? false)
            }
        }
        let parsed = Endpoint.jsonLines(
            Int.self,
            .get("https://api.example.com/log"),
            until: { _ in
                onMain.append(DispatchQueue.getSpecific(key: key) ?? false)
                return false
            }
        )
        var count = 0
        for await _ in parsed.stream(via: pulled) {
            #expect(DispatchQueue.getSpecific(key: key) == true)
            count += 1
        }
        #expect(count == 4)
        #expect(onMain.elements == Array(repeating: false, count: 6))
    }

    @Test("elements that have arrived are taken without leaving the reader's actor", arguments: Kind.allCases)
    func hops(_ kind: Kind) async {
        let text = (0..<1_000).map { "data: \($0)\n\n" }.joined()
        let reader = CountingActor()
        #expect(await reader.count(kind, via: kind == .items ? Self.page : .stub(parts: [text])) == 1_000)
        #expect(reader.executor.jobs.elements.count < 20)
    }

    private static let page = Connector.stub(.json("[\(Array(repeating: "0", count: 1_000).joined(separator: ","))]"))

    enum Kind: CaseIterable, Sendable {
        case stream, values, serverSentEvents, snapshots, items, body
    }

    private actor CountingActor {
        nonisolated let executor = CountingExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func count(_ kind: Kind, via connector: Connector) async -> Int {
            let input = Either<ConnectionError, Input>.get("https://api.example.com/log")
            var count = 0
            switch kind {
            case .stream:
                for await event in Endpoint.events(input).stream(via: connector) where event.right != nil { count += 1 }
            case .values:
                do { for try await _ in Endpoint.events(input).values(via: connector) { count += 1 } } catch {}
            case .serverSentEvents:
                let events = Endpoint.events(input).reconnecting()
                for await event in events.stream(via: connector) where event.right != nil {
                    count += 1
                    if count == 1_000 { break }
                }
            case .snapshots:
                let counts = Endpoint.events(input).values(via: connector).snapshots(into: 0) { count, _ in count += 1 }
                do { for try await snapshot in counts { count = snapshot } } catch {}
            case .items:
                let pages = Endpoint.json([Int].self, input).pages(by: .link())
                for await item in pages.items(via: connector) where item.right != nil { count += 1 }
            case .body:
                let rest = Recorder<Int>()
                let body = ResponseBody(pulling: { () async throws(ConnectionError) -> Data? in
                    rest.append(1)
                    return rest.elements.count > 1_000 ? nil : Data([0])
                })
                do { for try await _ in body { count += 1 } } catch {}
            }
            return count
        }
    }

    private final class CountingExecutor: SerialExecutor {
        let jobs = Recorder<Bool>()
        private let queue = DispatchQueue(label: "reader")

        func enqueue(_ job: consuming ExecutorJob) {
            jobs.append(true)
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    // MARK: ends

    @Test("a body that breaks off after any byte gives the lines before it, then the failure, and the call ends once")
    func broken() async {
        let bytes = Array("ab\r\nc\n\nlast".utf8)
        for cut in 0...bytes.count {
            let log = EventLog()
            let connector = Connector { _ in .open(Self.head, [bytes.prefix(cut)], then: Fixture.lost) }
            var elements: [Element] = []
            for await element in lines.stream(via: connector.wrapped(by: .listen(to: log.listener))) {
                elements.append(element)
            }
            let complete = bytes.prefix(cut).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .dropLast().map { String(decoding: $0.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self) }
            #expect(
                elements == complete.map { .right($0) } + [.left(.left(Fixture.lost(after: Self.head, reading: cut)))],
                "\(cut)"
            )
            #expect(log.names == ["started", "receivedHead", "noResponse", "failed", "ended"], "\(cut)")
        }
    }

    @Test("an iterator that is dropped at any moment ends its body and its call at once, each once", arguments: 0...4)
    func dropped(taken: Int) async {
        let connector = giving(["a\nb\n".utf8, "c\nd\n".utf8], silent: true)
        var iterator = Optional(lines.stream(via: connector).makeAsyncIterator())
        for expected in ["a", "b", "c", "d"].prefix(taken) { #expect(await iterator?.next() == .right(expected)) }
        #expect(ends.elements.isEmpty)
        iterator = nil
        #expect(log.names == (taken == 0 ? [] : Self.cancelled))
        #expect(ends.elements == (taken == 0 ? [] : [.discarded]))
    }

    @Test("an iterator that is dropped before the last line without a line end was taken cancels its call")
    func droppedBeforeRest() async {
        var iterator = Optional(lines.stream(via: giving(["a\n".utf8, "b".utf8])).makeAsyncIterator())
        #expect(await iterator?.next() == .right("a"))
        #expect(await iterator?.next() == .right("b"))
        #expect(ends.elements == [.complete])
        #expect(log.names == ["started", "receivedHead"])
        iterator = nil
        #expect(log.names == Self.cancelled)
    }

    @Test(
        "a body that is interrupted while nobody reads ends the call at once, and its reader gets what has arrived",
        arguments: ["b", "end"]
    )
    func interrupted(last: String) async {
        let body = Recorder<ResponseBody.Weak>()
        let chat = Endpoint.lines(.get("https://api.example.com/log"), until: { $0 == "end" })
        let connector = giving(["a\n\(last)\n".utf8], silent: true) { body.append($0.weak) }
        var iterator = chat.stream(via: connector).makeAsyncIterator()
        #expect(await iterator.next() == .right("a"))
        body.elements[0].interrupt(with: Fixture.lost)
        let failed = ["started", "receivedHead", "noResponse", "failed", "ended"]
        #expect(log.names == failed)
        if last == "b" { #expect(await iterator.next() == .right("b")) }
        let count = "a\n\(last)\n".utf8.count
        #expect(await iterator.next() == .left(.left(Fixture.lost(after: Self.head, reading: count))))
        #expect(await iterator.next() == nil)
        #expect(log.names == failed)
    }

    @Test("the end by `until` is reported when the values before it are taken, and only then is the transfer ended")
    func pendingEnd() async {
        let chat = Endpoint.lines(.get("https://api.example.com/log"), until: { $0 == "end" })
        var iterator = chat.stream(via: giving(["a\nb\nend\nc\n".utf8], silent: true)).makeAsyncIterator()
        #expect(await iterator.next() == .right("a"))
        #expect(await iterator.next() == .right("b"))
        #expect(log.names == ["started", "receivedHead"] && ends.elements.isEmpty)
        #expect(await iterator.next() == nil)
        #expect(log.names == Self.succeeded)
        #expect(ends.elements == [.complete])
    }

    @Test("a response that is received at the end has the trailers")
    func trailers() async {
        let connector = Connector { _ in .open(Self.head, ["a\n".utf8], trailers: ["X-Sum": "1"]) }
        for await _ in lines.stream(via: connector.wrapped(by: .listen(to: log.listener))) {}
        var read = Self.head
        (read.content, read.trailers) = (.delivered(bytes: 2), ["X-Sum": "1"])
        #expect(log.events.contains(.received(read)))
        #expect(log.names == Self.succeeded)
    }

    // MARK: size

    @Test("a line of 1 MB in small chunks is one element, in linear time")
    func longLine() async {
        let (count, piece) = (62_500, Data(repeating: UInt8(ascii: "x"), count: 16))
        let connector = Connector { _ in .open(Self.head, Array(repeating: piece, count: count)) }
        let elements = await all(lines.stream(via: connector))
        #expect(elements.count == 1 && elements.first?.right?.utf8.count == count * piece.count)
    }
}
