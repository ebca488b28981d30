import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Logs of calls whose body is still to be read.
@Suite(.timeLimit(.minutes(1))) struct StreamLogTests {
    private let printed = Recorder<String>()
    private let clock = ManualClock()

    private func log(_ detail: LogVerbosity = .line) -> Wrapper {
        .log(detail, clock: clock, print: { [printed] in printed.append($0) })
    }

    @Test("a stream is logged once, when its body has ended, with its bytes and its whole duration")
    func complete() async throws {
        let body = try #require(await OpenServer().open(via: log()).response?.body)
        #expect(await body.read() == .success(Data("ab".utf8)))
        clock.advance(by: .milliseconds(1_012))
        #expect(printed.elements.count == 1)
        while case .success(_?) = await body.read() {}
        #expect(printed.elements.dropFirst() == ["#1 ← 200 OK, 3 bytes delivered, 1.012 s"])
    }

    @Test("a stream without bytes is logged with 0 bytes, and the fields of its head")
    func empty() async throws {
        let body = try #require(await OpenServer(chunks: []).open(via: log(.payloads)).response?.body)
        #expect(await body.read() == .success(nil))
        #expect(printed.elements.last == "#1 ← 200 OK, 0 bytes, 0.000 s\n  A: b")
    }

    @Test("a stream that breaks off is logged with its error, its head and its bytes", arguments: [true, false])
    func broken(_ hasHead: Bool) async throws {
        let error = hasHead ? Fixture.lost(after: OpenServer.head) : Fixture.lost
        let body = try #require(await OpenServer(failure: error).open(via: log()).response?.body)
        while case .success(_?) = await body.read() {}
        let expected = "#1 ← connectionLost: lost (stub 1), after 200 OK [A: b], 3 bytes delivered, 0.000 s"
        #expect(printed.elements.last == expected)
    }

    @Test("a stream that a limit ends is logged with the limit, inside and outside of it", arguments: [true, false])
    func limited(_ isInside: Bool) async throws {
        let server = OpenServer(isSilent: true)
        let limit = Wrapper.timeout(.seconds(10), clock: clock)
        let output = await server.open(via: isInside ? [limit, log()] : [log(), limit])
        #expect(await output.response?.body?.read() == .success(Data("ab".utf8)))
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        await eventually { printed.elements.count == 2 }
        let error = "timedOut: timed out after 10.0 seconds (StartSmall 0), after 200 OK [A: b], 2 bytes delivered"
        #expect(printed.elements.last == "#1 ← \(error), 10.000 s")
    }

    @Test("a stream whose rest is not wanted is logged as cancelled", arguments: [BodyEnding.discard, .drop])
    func discarded(_ ending: BodyEnding) async {
        _ = await ending.end { await OpenServer().open(via: log()) }
        await eventually { printed.elements.count == 2 }
        #expect(printed.elements.last == "#1 ← cancelled: the task was cancelled, 0.000 s")
    }

    @Test("an entry has the number of bytes that were read, if the stream breaks off, too", arguments: [true, false])
    func size(_ isBroken: Bool) async throws {
        let entries = Recorder<LogEntry>()
        let server = OpenServer(failure: isBroken ? Fixture.lost : nil)
        _ = await BodyEnding.readToEnd.end {
            await server.open(via: .log(clock: clock, entry: { entries.append($0) }))
        }
        let outcome = try #require(entries.elements.first?.outcome)
        #expect(outcome.deliveredSize == 3 && outcome.size == 0)
        #expect((outcome.error == nil) == !isBroken)
        #expect(entries.elements.count == 1)
    }
}
