import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Testing

/// Laws of all wrappers of calls whose body is still to be read.
@Suite(.timeLimit(.minutes(1))) struct OpenBodyLawTests {
    /// What the wrappers of a stack hold while a body is open.
    private struct World: Sendable {
        let clock = ManualClock()
        let group = CallGroup()
        let entries = Recorder<LogEntry>()

        private var store: TokenStore { TokenStore(load: { AccessToken("good") }, save: { _ in }) }

        func wrapper(_ name: String) -> Wrapper {
            switch name {
            case "timeout": .timeout(.seconds(10), clock: clock)
            case "deadline": .deadline(ManualClock.Instant(offset: .seconds(10)), clock: clock)
            case "tracked": .tracked(in: group)
            case "limitConcurrency": .limitConcurrency(1, waiting: 0)
            case "retry": .retry(clock: clock, random: { 0 })
            case "log": .log(clock: clock, entry: { [entries] in entries.append($0) })
            case "refreshToken":
                .refreshToken(in: store) { token, _ in Fetched<TransformError<Never>, AccessToken>.right(token) }
            case "limitPayload": .limitPayload(bytes: 1)
            default: .requestID()
            }
        }

        /// Waits until no wrapper of a stack holds anything, and expects that a new call gets its permit.
        func expectIdle(_ stack: Stack, _ connector: Connector) async {
            let logged = stack.names.contains("log") ? 1 : 0
            await eventually { clock.sleeperCount == 0 && group.count == 0 && entries.elements.count == logged }
            #expect(await WebAPI.call(with: OpenServer.input, via: connector).response?.statusCode == .ok)
        }
    }

    private struct Stack: Sendable, CustomTestStringConvertible {
        let names: [String]
        var testDescription: String { names.joined(separator: ", ") }

        static let names = [
            "tracked", "log", "deadline", "retry", "refreshToken", "timeout", "limitConcurrency", "limitPayload",
            "requestID",
        ]

        static let all = names.map { Stack(names: [$0]) } + [Stack(names: names), Stack(names: names.reversed())]
    }

    private let world = World()

    private func connector(_ stack: Stack, _ server: OpenServer) -> Connector {
        server.connector.wrapped(by: stack.names.map(world.wrapper))
    }

    @Test("a body reaches its reader unchanged, and holds what its wrappers hold until its end", arguments: Stack.all)
    private func unchanged(_ stack: Stack) async throws {
        let server = OpenServer()
        let connector = connector(stack, server)
        let response = try #require(await WebAPI.call(with: OpenServer.input, via: connector).response)
        #expect(response.statusCode == .ok && response.headers == ["A": "b"])
        if stack.names.contains("limitConcurrency") {
            #expect(await WebAPI.call(with: OpenServer.input, via: connector).connectionError?.name == "tooManyCalls")
        }
        if stack.names.contains("tracked") { #expect(world.group.count == 1) }
        #expect(world.entries.elements.count <= 1)
        var chunks: [Data] = []
        for try await chunk in try #require(response.body) { chunks.append(chunk) }
        #expect(chunks == ["ab", "c"].map { Data($0.utf8) })
        #expect(server.ends.elements == [.complete])
    }

    @Test("a body that ends in any way, after any chunk, ends once inside, and nothing is held", arguments: Stack.all)
    private func endings(_ stack: Stack) async throws {
        for (ending, count) in BodyEnding.allCases.flatMap({ ending in (0...3).map { (ending, $0) } }) {
            let tests = OpenBodyLawTests()
            let server = OpenServer()
            let connector = tests.connector(stack, server)
            let end = await ending.end(after: count) { await WebAPI.call(with: OpenServer.input, via: connector) }
            await server.ended.wait()
            #expect(server.ends.elements == [count == 3 ? .complete : end], "\(ending) after \(count)")
            await tests.world.expectIdle(stack, connector)
        }
    }

    @Test("a transfer that ends while nobody reads ends what its wrappers hold", arguments: Stack.all)
    private func endsInside(_ stack: Stack) async throws {
        let server = OpenServer(kept: Recorder())
        let connector = connector(stack, server)
        let body = try #require(await WebAPI.call(with: OpenServer.input, via: connector).response?.body)
        server.kept?.elements.first?.response?.body?.interrupt(with: Fixture.lost)
        await world.expectIdle(stack, connector)
        #expect(await body.read() == .failure(Fixture.lost))
    }

    @Test("a reader that is cancelled ends the transfer, and what its wrappers hold", arguments: Stack.all)
    private func cancelled(_ stack: Stack) async throws {
        let server = OpenServer(isSilent: true)
        let connector = connector(stack, server)
        let body = try #require(await WebAPI.call(with: OpenServer.input, via: connector).response?.body)
        let reader = Task {
            while case .success(_?) = await body.read() {}
            return await body.read()
        }
        await server.isTaken.wait()
        reader.cancel()
        #expect(await reader.value == .failure(.cancelled))
        #expect(server.ends.elements == [.failed(.cancelled)])
        await world.expectIdle(stack, connector)
    }

    @Test("a reader, a limit and a group at the same moment end a body once, and nothing is held after it")
    private func races() async {
        for _ in 0..<(isExhaustive ? 20_000 : 100) {
            let (tests, server, stack) = (OpenBodyLawTests(), OpenServer(), Stack(names: Stack.names))
            let (world, connector) = (tests.world, tests.connector(stack, server))
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    let body = await WebAPI.call(with: OpenServer.input, via: connector).response?.body
                    while case .success(_?) = await body?.read() {}
                }
                group.addTask { world.group.cancelAll() }
                group.addTask { world.clock.advance(by: .seconds(10)) }
            }
            await eventually { server.ends.elements.count == server.sent.elements.count }
            await eventually { world.clock.sleeperCount == 0 && world.group.count == 0 }
            await eventually { world.entries.elements.count == 1 }
        }
    }

    @Test("bodies in random wrappers, ended at random moments, end once each, and nothing is held after them")
    private func storm() async {
        let count = isExhaustive ? 10_000 : 1_000
        var random = SplitMix64(seed: 39)
        let server = OpenServer()
        let connectors = (0..<30).map { _ in
            // With one permit, so that each call needs that of the call before.
            let names = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                Stack.names.filter { $0 != "limitConcurrency" }.randomElement(using: &random)!
            }
            return connector(Stack(names: names + ["limitConcurrency"]), server)
        }
        func call(_ random: inout SplitMix64) async {
            let connector = connectors.randomElement(using: &random)!
            guard let body = await WebAPI.call(with: OpenServer.input, via: connector).response?.body else { return }
            for _ in 0..<Int.random(in: 0...3, using: &random) { _ = await body.read() }
            switch Int.random(in: 0...5, using: &random) {
            case 0: body.discard()
            case 1: body.interrupt(with: Fixture.lost)
            case 2: world.group.cancelAll()
            case 3: world.clock.advance(by: .nanoseconds(1))
            case 4: body.finish()
            default: break
            }
        }
        for _ in 0..<count { await call(&random) }
        #expect(server.sent.elements.count == count)
        await eventually { world.group.count == 0 && world.clock.sleeperCount == 0 }
        await eventually { server.ends.elements.count == count }
        #expect(server.ends.elements.count == count)
    }
}
