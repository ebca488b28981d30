import StartSmall
import StartSmallAuth
import StartSmallResilience
import StartSmallTesting
import TestSupport
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
    }

    private static let names = [
        "tracked", "log", "deadline", "retry", "refreshToken", "timeout", "limitConcurrency", "limitPayload",
        "requestID",
    ]

    private let world = World()

    private func connector(_ names: [String], _ server: OpenServer) -> Connector {
        server.connector.wrapped(by: .all(names.map(world.wrapper)))
    }

    @Test("a reader, a limit and a group at the same moment end a body once, and nothing is held after it")
    func races() async {
        for _ in 0..<(isExhaustive ? 20_000 : 100) {
            let (tests, server) = (OpenBodyLawTests(), OpenServer())
            let (world, connector) = (tests.world, tests.connector(Self.names, server))
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
}
