import Foundation
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

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

    @Test("the output is not changed", arguments: [Output.hasResponse(Fixture.ok), .noResponse(Fixture.lost)])
    func unchanged(_ output: Output) async {
        #expect(await WebAPI.call(with: Fixture.input, via: tracked(.stub(output))) == output)
    }

    @Test("a group counts the running calls of all its connectors", .parity("B19"))
    func count() async {
        #expect(group.count == 0)
        let calls = [start(tracked(held)), start(tracked(held))]
        await eventually { entered.elements.count == 2 }
        #expect(group.count == 2)
        latch.open()
        for call in calls { _ = await call.value }
        #expect(group.count == 0)
    }

    @Test("the changes are the initial number, and then each different one", .parity("B19"))
    func changes() async throws {
        var changes = group.changes.makeAsyncIterator()
        #expect(try await changes.next() == 0)
        let call = start(tracked(held))
        #expect(try await changes.next() == 1)
        latch.open()
        #expect(try await changes.next() == 0)
        _ = await call.value
    }

    @Test("a slow observer receives the newest number", .parity("B19"))
    func slow() async throws {
        var changes = group.changes.makeAsyncIterator()
        for _ in 0..<10 { _ = await WebAPI.call(with: Fixture.input, via: tracked(.stub(.hasResponse(Fixture.ok)))) }
        #expect(try await changes.next() == 0)
        let call = start(tracked(held))
        #expect(try await changes.next() == 1)
        latch.open()
        _ = await call.value
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

    @Test("the task of the callback form cancels the call, tracked or not", .parity("B27"))
    func returnedTask() async {
        let got = Recorder<Output>()
        let task = WebAPI.call(with: Fixture.input, via: tracked(held)) { got.append($0) }
        await eventually { entered.elements.count == 1 }
        task.cancel()
        await task.value
        #expect(got.elements == [.noResponse(.cancelled)])
        #expect(group.count == 0)
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

    @Test("the task that send returns cancels the call", .parity("D15"))
    func sent() async {
        func send() -> Task<Void, Never> { WebAPI.call(with: Fixture.input, via: tracked(held)) }
        let task = send()
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

    @Test("a call that is cancelled before it waits is cancelled, even if it never waits", .parity("B19"))
    func cancelledAtOnce() async {
        let connector = Connector { _ in
            group.cancelAll()
            return .hasResponse(Fixture.ok)
        }
        let output = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: .tracked(in: group)))
        #expect(output == .noResponse(.cancelled))
        #expect(group.count == 0)
    }

    @Test(
        "cancelAll, or cancelling the task of a call, ends it at once, even if the inner call ignores cancellation",
        .parity("B19"),
        arguments: [true, false]
    )
    func stubborn(_ byGroup: Bool) async {
        let call = start(tracked(.stubborn(until: latch)))
        await eventually { group.count == 1 }
        if byGroup { group.cancelAll() } else { call.cancel() }
        #expect(await call.value == .noResponse(.cancelled))
        #expect(group.count == 0)
        latch.open()
    }

    @Test("the inner call is cancelled, too", .parity("B19"), arguments: [true, false])
    func heardInside(_ byGroup: Bool) async {
        let (begun, ended) = (Latch(), Latch())
        let call = start(tracked(.silent(begun: begun, ended: ended)))
        await begun.wait()
        if byGroup { group.cancelAll() } else { call.cancel() }
        await ended.wait()
        #expect(await call.value == .noResponse(.cancelled))
    }
}
