import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct TrackedTests {
    private let group = CallGroup()
    private let log = EventLog()
    private let entered = Recorder<Input>()
    private let latch = Latch()

    private var held: Connector {
        .stub(recording: entered) { [latch] _ in
            await latch.wait()
            return .hasResponse(Fixture.ok)
        }
    }

    private func tracked(_ connector: Connector) -> Connector {
        connector.wrapped(by: .listen(to: log.listener), .tracked(in: group))
    }

    private func start(_ connector: Connector) -> Task<Output, Never> {
        Task { await WebAPI.call(with: Fixture.input, via: connector) }
    }

    @Test("the changes are the initial number, and then each different one, or the newest", .parity("B19"))
    func changes() async throws {
        var changes = group.changes.makeAsyncIterator()
        for _ in 0..<10 { _ = await WebAPI.call(with: Fixture.input, via: tracked(.stub(.hasResponse(Fixture.ok)))) }
        #expect(try await changes.next() == 0)
        let calls = [start(tracked(held)), start(tracked(held))]
        await eventually { entered.elements.count == 2 && group.count == 2 }
        #expect(try await changes.next() == 2)
        latch.open()
        for call in calls { _ = await call.value }
        #expect(try await changes.next() == 0)
    }

    @Test("observing ends when its task is cancelled", .parity("B19"))
    func endOfWatching() async {
        let watching = Task { [group] in
            var seen: [Int] = []
            for await count in group.changes { seen.append(count) }
            return seen
        }
        watching.cancel()
        #expect(await watching.value.allSatisfy { $0 == 0 })
    }

    @Test(
        "cancelAll ends all running calls, with the events of a cancelled call; one that starts later runs",
        .parity("B19")
    )
    func cancelAll() async {
        let connector = tracked(held)
        let calls = [start(connector), start(connector)]
        await eventually { entered.elements.count == 2 }
        group.cancelAll()
        for call in calls { #expect(await call.value == .noResponse(.cancelled)) }
        for call in log.calls {
            #expect(log.events(of: call) == [.started(Fixture.input), .cancelled, .failed, .ended])
        }
        #expect(group.count == 0)
        latch.open()
        #expect(await WebAPI.call(with: Fixture.input, via: connector) == .hasResponse(Fixture.ok))
    }

    @Test("cancelAll cancels the calls, and not the tasks that made them", .parity("B19"))
    func callersGoOn() async {
        let connector = tracked(held)
        let caller = Task { [latch] in
            let first = await WebAPI.call(with: Fixture.input, via: connector)
            latch.open()
            let second = await WebAPI.call(with: Fixture.input, via: connector)
            return [first, second]
        }
        await eventually { entered.elements.count == 1 }
        group.cancelAll()
        #expect(await caller.value == [.noResponse(.cancelled), .hasResponse(Fixture.ok)])
    }

    private let again = Wrapper { input, next in
        let output = await next(input)
        return output.connectionError == .cancelled ? await next(input) : output
    }

    @Test("outside of a retry, cancelAll ends all attempts", .parity("B19"))
    func outside() async {
        let stub = Connector.stub { [group] _ in
            group.cancelAll()
            return .noResponse(.cancelled)
        }
        let outside = stub.wrapped(by: .tracked(in: group), again)
        #expect(await WebAPI.call(with: Fixture.input, via: outside) == .noResponse(.cancelled))
    }

    @Test("calls of any type can be in one group, and be ended together", .parity("B27"))
    func anyType() async {
        let connector = tracked(held)
        let text = Task { await Fixture.endpoint.fetch(via: connector) }
        let nothing = Task { await Endpoint.empty(.right(Fixture.input)).fetch(via: connector) }
        await eventually { entered.elements.count == 2 }
        group.cancelAll()
        #expect(await text.value == .left(.left(.cancelled)))
        #expect(await nothing.value.left == .left(.cancelled))
    }

    @Test("the task of a call with a block cancels the call", .parity("D15"))
    func sent() async {
        let task = WebAPI.call(with: Fixture.input, via: tracked(held)) { _ in }
        await eventually { entered.elements.count == 1 }
        task.cancel()
        await task.value
        #expect(log.names == ["started", "cancelled", "failed", "ended"])
    }

    @Test("of 1,000 calls with cancelAll at random moments, all end and none is left in the group", .parity("B19"))
    func storm() async {
        let connector = Connector.stub { _ in
            for _ in 0..<Int.random(in: 0...10) { await Task.yield() }
            return .hasResponse(Fixture.ok)
        }.wrapped(by: .tracked(in: group))
        await withTaskGroup(of: Output?.self) { tasks in
            for index in 0..<1_000 {
                tasks.addTask { [group] in
                    if index.isMultiple(of: 50) {
                        group.cancelAll()
                        return nil
                    }
                    return await WebAPI.call(with: Fixture.input, via: connector)
                }
            }
            for await output in tasks {
                #expect(output == nil || output == .hasResponse(Fixture.ok) || output == .noResponse(.cancelled))
            }
        }
        #expect(group.count == 0)
    }

    @Test("cancelAll ends a call at once, even if the inner call ignores cancellation", .parity("B19"))
    func stubborn() async {
        let call = start(tracked(.stubborn(until: latch)))
        await eventually { group.count == 1 }
        group.cancelAll()
        #expect(await call.value == .noResponse(.cancelled))
        #expect(group.count == 0)
        latch.open()
    }
}

/// Groups of calls whose body is still to be read.
@Suite(.timeLimit(.minutes(1))) struct TrackedBodyTests {
    private let group = CallGroup()
    private let silent = OpenServer(chunks: ["ab"], isSilent: true)

    @Test("cancelAll ends the bodies that nobody reads, and later calls run")
    func cancelAll() async {
        let log = EventLog()
        let outputs = [
            await silent.open(via: .listen(to: log.listener), .tracked(in: group)),
            await silent.open(via: .listen(to: log.listener), .tracked(in: group)),
        ]
        #expect(group.count == 2)
        group.cancelAll()
        #expect(group.count == 0)
        #expect(silent.ends.elements == [.failed(.cancelled), .failed(.cancelled)])
        for output in outputs { #expect(await output.response?.body?.read() == .failure(.cancelled)) }
        for call in log.calls {
            #expect(log.events(of: call).map(\.name) == ["started", "receivedHead", "cancelled", "failed", "ended"])
        }
        let later = await silent.open(via: .tracked(in: group))
        #expect(await later.response?.body?.read() == .success(Data("ab".utf8)))
    }

    @Test("cancelAll wakes a reader, and not its task")
    func pending() async throws {
        let body = try #require(await silent.open(via: .tracked(in: group)).response?.body)
        let reader = Task {
            _ = await body.read()
            let last = await body.read()
            return Task.isCancelled ? nil : last
        }
        await silent.isTaken.wait()
        group.cancelAll()
        #expect(await reader.value == .failure(.cancelled))
    }

    @Test("nothing more is sent for a body that a group or a time limit has ended", arguments: [true, false])
    func asksNoMore(_ byGroup: Bool) async throws {
        let (clock, broken, ended, isOver) = (ManualClock(), Latch(), Latch(), Latch())
        // Asks for the rest after the last chunk.
        let continuing = Wrapper { input, next in
            await next(input).mapBody { body in
                body.around { inner async throws(ConnectionError) -> Data? in
                    if let chunk = try await inner.next() { return chunk }
                    broken.open()
                    await Task.detached { await ended.wait() }.value
                    _ = await next(input)
                    isOver.open()
                    return nil
                }
            }
        }
        let server = OpenServer(chunks: [])
        let limit: Wrapper = byGroup ? .tracked(in: group) : .timeout(.seconds(10), clock: clock)
        let output = await server.open(via: limit, continuing)
        let reader = Task { await output.response?.body?.read() }
        await broken.wait()
        if byGroup {
            group.cancelAll()
        } else {
            await clock.waitForSleepers(count: 1)
            let late = Latch()
            output.onEnd { _ in late.open() }
            clock.advance(by: .seconds(10))
            await late.wait()
        }
        ended.open()
        await isOver.wait()
        #expect(await reader.value != .success(nil))
        #expect(server.sent.elements.count == 1)
    }
}
