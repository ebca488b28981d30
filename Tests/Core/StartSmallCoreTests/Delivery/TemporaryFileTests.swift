import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmall
import StartSmallDownloads
@testable import StartSmallCore

/// The files of responses that are not in their places yet.
struct TemporaryFileTests {
    private static let head = Response(statusCode: .ok, headers: ["ETag": "\"v1\""])
    private static let chunks = ["he", "llo"].map { Data($0.utf8) }

    @Test("a file is removed with its last reference")
    func released() async throws {
        try await withFolder { folder async throws in
            let (files, place) = (TemporaryFiles(), folder.appending(path: "f"))
            var file: TemporaryFile? = try await files.file(beside: place)
            try await file?.append(Data("hello".utf8))
            #expect(try names(in: folder).count == 1)
            #expect(file?.size == 5)
            #expect(try await file?.contents() == Data("hello".utf8))
            file = nil
            // The queue runs in order: the other file comes after the removal.
            let other = try await files.file(beside: place)
            #expect(try names(in: folder) == [other.url.lastPathComponent])
        }
    }

    @Test("nothing is written to a file that is in its place, or removed")
    func written() async throws {
        try await withFolder { folder async throws in
            let (files, place) = (TemporaryFiles(), folder.appending(path: "f"))
            let (moved, removed) = (try await files.file(beside: place), try await files.file(beside: place))
            try await moved.append(Data("a".utf8))
            try await moved.commit(to: place)
            removed.discard()
            for file in [moved, removed] {
                await #expect(throws: ConnectionError.self) { try await file.append(Data("b".utf8)) }
                await #expect(throws: ConnectionError.self) { try await file.commit(to: place) }
            }
            moved.discard()
            await files.end()
            #expect(try Data(contentsOf: place) == Data("a".utf8))
            #expect(try names(in: folder) == ["f"])
        }
    }

    @Test("the end of a call removes each file that is left, whoever keeps it, and lets no other be created")
    func ended() async throws {
        try await withFolder { folder async throws in
            let (files, place) = (TemporaryFiles(), folder.appending(path: "f"))
            let file = try await files.file(beside: place)
            await files.end()
            #expect(try names(in: folder).isEmpty)
            await #expect(throws: ConnectionError.cancelled) { _ = try await files.file(beside: place) }
            await #expect(throws: ConnectionError.self) { try await file.append(Data("b".utf8)) }
        }
    }

    @Test("a transform reads the file of a response before it is in its place, and no event keeps the file")
    func read() async throws {
        try await withFolder { folder async throws in
            let (place, log) = (folder.appending(path: "f"), EventLog())
            let input = Fixture.input.with { $0.delivery = .file(place) }
            for isAccepted in [true, false] {
                try? FileManager.default.removeItem(at: place)
                let endpoint = Endpoint<TransformError<Never>, Data>(.right(input)) { response in
                    guard case .file(let file) = response.content, let data = try? Data(contentsOf: file.url),
                        (try? names(in: folder)) == [file.url.lastPathComponent]
                    else { return .left(.unexpectedStatusCode(response)) }
                    return isAccepted ? .right(data) : .left(.invalid(response, reason: "no"))
                }
                let connector = Connector { _ in .open(Self.head, Self.chunks) }
                let fetched = await endpoint.fetch(via: connector.wrapped(by: .listen(to: log.listener)))
                #expect(fetched.right == (isAccepted ? Data("hello".utf8) : nil))
                #expect(try names(in: folder) == (isAccepted ? ["f"] : []))
            }
            #expect(log.events.contains(.received(Self.head.delivering(5))))
            #expect(log.events.contains(.invalid(Self.head.delivering(5), reason: "no")))
        }
    }

    @Test("a file that a wrapper asks for is the payload that the call asks for")
    func otherForm() async throws {
        try await withFolder { folder async throws in
            let place = folder.appending(path: "f")
            let filing = Wrapper { input, next in await next(input.with { $0.delivery = .file(place) }) }
            let connector = Connector { _ in .open(Self.head, Self.chunks) }.wrapped(by: filing)
            #expect(await WebAPI.call(with: Fixture.input, via: connector).response?.payload == Data("hello".utf8))
            let stream = await WebAPI.call(with: Fixture.input.with { $0.delivery = .stream }, via: connector)
            #expect(try await stream.response?.body?.next() == Data("hello".utf8))
            #expect(try await stream.response?.body?.next() == nil)
        }
    }

    @Test("a wrapper that drops the response of a file leaves no file")
    func dropped() async throws {
        let sent = Recorder<Input>()
        let again = Wrapper { input, next in
            _ = await next(input)
            return await next(input)
        }
        let connector = Connector { input in
            sent.append(input)
            return .open(Self.head, ["\(sent.elements.count)".utf8])
        }
        let download = try await Download(via: connector.wrapped(by: again))
        #expect(download.text == "2" && download.isAlone)
    }

    @Test("an attempt that is abandoned at a time limit leaves no file at the end of the call, though it still runs")
    func abandoned() async throws {
        try await withFolder { folder async throws in
            let (clock, begun, go, ended) = (ManualClock(), Latch(), Latch(), Latch())
            var response = Self.head
            response.content = .body(
                // An engine that ignores its cancellation.
                ResponseBody(
                    pulling: { () async throws(ConnectionError) -> Data? in
                        begun.open()
                        await Task.detached { await go.wait() }.value
                        ended.open()
                        return Data("late".utf8)
                    }
                )
            )
            let connector = Connector { [response] _ in .hasResponse(response) }
                .wrapped(by: .timeout(.seconds(1), clock: clock))
            let endpoint = Endpoint.download(.right(Fixture.input), to: folder.appending(path: "f"))
            async let fetched = endpoint.fetch(via: connector)
            await begun.wait()
            #expect(try names(in: folder).count == 1)
            clock.advance(by: .seconds(1))
            #expect(await fetched.left?.left?.name == "timedOut")
            #expect(try names(in: folder).isEmpty)
            go.open()
            await ended.wait()
            #expect(try names(in: folder).isEmpty)
        }
    }

    @Test("an attempt that gets its first response after the end of the call makes no file")
    func late() async throws {
        try await withFolder { folder async throws in
            let (contexts, place) = (Recorder<CallContext>(), folder.appending(path: "f"))
            let failing = Connector { _, context in
                contexts.append(context)
                return contexts.elements.count == 1 ? .noResponse(Fixture.lost) : .open(Self.head, Self.chunks)
            }
            let input = Input(url: Fixture.url, delivery: .file(place))
            #expect(await WebAPI.call(with: input, via: failing) == .noResponse(Fixture.lost))
            let late = await failing.connect(input, contexts.elements[0])
            #expect(late.connectionError?.name == "cancelled")
            #expect(try names(in: folder).isEmpty)
        }
    }

    @Test("a call that is cancelled at any of its events ends once, and with a file only if it succeeds")
    func cancelledAnywhere() async throws {
        let events = ["started", "receivedHead", "custom", "received", "transformed", "succeeded", "ended"]
        for name in events {
            for isWrapped in [false, true] {
                try await withFolder { folder async throws in
                    let log = EventLog()
                    let cancelling = Listener { event in
                        if event.name == name { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                    let connector = Connector { _, context in
                        .open(Self.head, Self.chunks) { _ in context.report(TestEvent("custom")) }
                    }
                    let wrappers: [Wrapper] =
                        isWrapped ? [.timeout(.seconds(60)), .resumeDownloads(), .retry()] : []
                    let app = connector.wrapped(by: .all(wrappers))
                    let place = folder.appending(path: "f")
                    let endpoint = Endpoint.download(.right(Fixture.input), to: place)
                    let heard = app.wrapped(by: .listen(to: log.listener + cancelling))
                    let fetched = await Task { await endpoint.fetch(via: heard) }.value
                    let isThere = try names(in: folder) == ["f"]
                    #expect(isThere == (fetched == .right(place)), "\(name)")
                    #expect(isThere || fetched == .left(.left(.cancelled)), "\(name)")
                    #expect(try names(in: folder).count == (isThere ? 1 : 0), "\(name)")
                    #expect(log.events.filter { $0 == .ended }.count == 1 && log.events.last == .ended, "\(name)")
                    // The permit is free.
                    #expect(await endpoint.fetch(via: app) == .right(place), "\(name)")
                }
            }
        }
    }
}
