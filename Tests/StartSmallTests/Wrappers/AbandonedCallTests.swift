import StartSmall
import StartSmallTesting
import Testing

/// A law of the wrappers that run the inner call in its own task.
@Suite(.timeLimit(.minutes(1))) struct AbandonedCallTests {
    static let wrappers: [(String, Wrapper)] = [
        ("timeout", .timeout(.seconds(3600))), ("timeout until the head", .timeout(untilHead: .seconds(3600))),
        ("deadline", .deadline(.now + .seconds(3600))), ("tracked", .tracked(in: CallGroup())),
    ]

    private static let abandoning = wrappers + [("shareInFlight", .shareInFlight())]

    @Test("an inner call is cancelled, though its task was cancelled before it suspended", arguments: abandoning)
    func cancelled(_ name: String, _ wrapper: Wrapper) async {
        let (outer, ready, ended) = (Recorder<Task<Output, Never>>(), Latch(), Latch())
        let connector = Connector { _ in
            outer.elements.first?.cancel()
            await Latch().wait()
            ended.open()
            return .noResponse(.cancelled)
        }
        let task = Task {
            await ready.wait()
            return await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: wrapper))
        }
        outer.append(task)
        ready.open()
        #expect(await task.value == .noResponse(.cancelled))
        await ended.wait()
    }

    @Test("an inner call is cancelled, though its group was cancelled before it suspended")
    func cancelledGroup() async {
        let (group, ended) = (CallGroup(), Latch())
        let connector = Connector { _ in
            group.cancelAll()
            await Latch().wait()
            ended.open()
            return .noResponse(.cancelled)
        }
        let output = await WebAPI.call(with: Fixture.input, via: connector.wrapped(by: .tracked(in: group)))
        #expect(output == .noResponse(.cancelled))
        await ended.wait()
    }

    @Test("an output that comes too late is discarded, whoever keeps it", arguments: wrappers)
    func lateBody(_ name: String, _ wrapper: Wrapper) async {
        let (server, begun, answer) = (OpenServer(kept: Recorder()), Latch(), Latch())
        let late = Connector { _ in
            begun.open()
            await Task.detached { await answer.wait() }.value
            return server.output
        }
        let call = Task { await WebAPI.call(with: OpenServer.input, via: late.wrapped(by: wrapper)) }
        await begun.wait()
        call.cancel()
        #expect(await call.value == .noResponse(.cancelled))
        answer.open()
        await server.ended.wait()
        #expect(server.ends.elements == [.discarded])
    }
}
