import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Retries of calls whose body is still to be read.
@Suite(.timeLimit(.minutes(1))) struct RetriedStreamTests {
    private let clock = ManualClock()
    private let lost = OpenServer(chunks: [], failure: Fixture.lost)
    private let good = OpenServer()

    private func retry(_ policy: RetryPolicy = .standard, budget: RetryBudget = .unlimited) -> Wrapper {
        .retry(policy, budget: budget, clock: clock, random: { 0 })
    }

    @Test("a stream that breaks off is retried before its first chunk, and never after it", arguments: 0...3)
    func breaks(after count: Int) async {
        let chunks = Array(["a", "b", "c"].prefix(count))
        let (broken, sent) = (OpenServer(chunks: chunks, failure: Fixture.lost), Recorder<Input>())
        let connector = Connector.stub(sequence: [broken.output, good.output], recording: sent)
        let output = await WebAPI.call(with: OpenServer.input, via: connector.wrapped(by: retry()))
        let read = await ReadOutput(output)
        #expect(read.chunks == (count == 0 ? ["ab", "c"] : chunks).map { Data($0.utf8) })
        #expect(read.error == (count == 0 ? nil : Fixture.lost))
        #expect(sent.elements.count == (count == 0 ? 2 : 1))
        #expect(broken.ends.elements == [.failed(Fixture.lost)])
    }

    @Test("after the last attempt, the failure before the first chunk is an error with the head")
    func usedUp() async {
        let output = await lost.open(via: retry())
        #expect(output == .noResponse(Fixture.lost(after: OpenServer.head)))
        #expect(lost.sent.elements.count == 3)
    }

    @Test("a stream without bytes is a success, after one request")
    func empty() async {
        let server = OpenServer(chunks: [])
        let read = await ReadOutput(await server.open(via: retry()))
        #expect(read.chunks.isEmpty && read.error == nil)
        #expect(server.sent.elements.count == 1)
    }

    @Test("a time limit before the first chunk ends one attempt, and its body")
    func limited() async {
        let (silent, sent) = (OpenServer(chunks: [], isSilent: true), Recorder<Input>())
        let connector = Connector.stub(sequence: [silent.output, good.output], recording: sent)
            .wrapped(by: retry(), .timeout(.seconds(10), clock: clock))
        async let output = WebAPI.call(with: OpenServer.input, via: connector)
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(10))
        #expect(await ReadOutput(output).text == "abc")
        #expect(sent.elements.count == 2)
        #expect(silent.ends.elements.count == 1)
    }

    @Test("a silent stream holds its head back, and a cancellation ends it")
    func silent() async {
        let (server, isReturned) = (OpenServer(chunks: [], isSilent: true), Recorder<Void>())
        let call = Task {
            let output = await server.open(via: retry())
            isReturned.append(())
            return output
        }
        await eventually { server.sent.elements.count == 1 }
        for _ in 0..<100 { await Task.yield() }
        #expect(isReturned.elements.isEmpty)
        call.cancel()
        #expect(await call.value == .noResponse(.cancelled))
        #expect(server.ends.elements == [.failed(.cancelled)])
    }

    @Test("a stream that is given up ends before the delay, so that its permit is free, and no event keeps its body")
    func givenUp() async {
        let (server, log) = (OpenServer(kept: Recorder()), EventLog())
        let again = RetryPolicy(
            condition: RetryCondition { _, _ in server.sent.elements.count < 2 },
            backoff: Backoff { _ in .seconds(1) }
        )
        async let output = server.open(via: .listen(to: log.listener), retry(again), .limitConcurrency(1, waiting: 0))
        await clock.waitForSleepers(count: 1)
        #expect(server.ends.elements == [.discarded])
        clock.advance(by: .seconds(1))
        #expect(await ReadOutput(output).text == "abc")
        #expect(server.ends.elements == [.discarded, .complete])
        let attempt = RetryAttempt(attempt: 2, delay: .seconds(1), after: .hasResponse(OpenServer.head))
        #expect(log.events.contains(.retrying(attempt)))
    }

    @Test("a budget grows when a stream has ended well, and not before or otherwise", arguments: BodyEnding.allCases)
    func budget(_ ending: BodyEnding) async {
        let budget = RetryBudget(freePerSecond: 0, percent: 100, clock: clock)
        func isRetried() async -> Bool {
            let sent = Recorder<Input>()
            let outputs = [Output.noResponse(Fixture.lost), .hasResponse(Fixture.ok)]
            let connector = Connector.stub(sequence: outputs, recording: sent)
            _ = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: retry(budget: budget)))
            return sent.elements.count == 2
        }
        let end = await ending.end {
            await good.open(via: retry(budget: budget))
        } while: {
            #expect(await !isRetried())
        }
        await good.ended.wait()
        #expect(await isRetried() == (end == .complete))
    }
}
