#if os(Linux)
    import CCurl
    import Foundation
    import Glibc
    import StartSmallTesting
    import TestSupport
    import Testing

    import StartSmall
    @testable import StartSmallCore

    /// Each test runs in its own process, so that descriptors and threads can be counted, and its end be observed.
    ///
    /// An error that is thrown there ends the process by SIGILL.
    @Suite("lifetime of the engine for Linux", .timeLimit(.minutes(5))) struct CurlLifeTests {
        @Test("threads and descriptors end with the connectors") func ends() async {
            await #expect(processExitsWith: .success) {
                try await LoopbackServer.serving(.small) { server in
                    try await useConnectors(10, server)
                    let before = Resources.now
                    try await useConnectors(200, server)
                    try await Resources.settle(at: before)
                }
            }
        }

        @Test("calls cancelled at random moments end soon, once, and leave nothing") func storm() async {
            await #expect(processExitsWith: .success) {
                try await LoopbackServer.serving(.small) { server in
                    try await cancelStorm(200, server)
                    let before = Resources.now
                    for _ in 0..<(isExhaustive ? 5 : 1) { try await cancelStorm(2000, server) }
                    try await Resources.settle(at: before)
                }
            }
        }

        @Test("bodies that are dropped at any moment leave no thread and no descriptor") func droppedBodies() async {
            await #expect(processExitsWith: .success) {
                let half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"
                let exchange: [ServerScriptStep] = [.receiveRequest, .send(half + "world")]
                let exchanges = Array(repeating: exchange, count: 500).flatMap(\.self)
                try await LoopbackServer.playing({ _ in exchanges }) { server in
                    try await LoopbackServer.playing({ _ in [.receiveRequest, .send(half), .waitForClose] }) { silent in
                        try await dropBodies(200, of: server, silent)
                        let before = Resources.now
                        try await dropBodies(isExhaustive ? 100_000 : 10_000, of: server, silent)
                        try await Resources.settle(at: before)
                    }
                }
            }
        }

        @Test("programs that the process starts inherit no connection of the engine") func inheritance() async {
            await #expect(processExitsWith: .success) {
                try await LoopbackServer.serving(.small) { server in
                    // Those of the process of the tests, and of the server.
                    let before = inheritedConnections()
                    let connector = Connector.curl()
                    #expect(await WebAPI.call(with: Input(url: server.url), via: connector).response != nil)
                    #expect(inheritedConnections().subtracting(before).isEmpty)
                    // The connection was kept.
                    #expect(await WebAPI.call(with: Input(url: server.url), via: connector).response != nil)
                }
            }
        }

        @Test("a call in a forked child ends with a clear error") func fork() async {
            await #expect(processExitsWith: .success) {
                let connector = Connector.curl()
                try await LoopbackServer.serving(.small) { server in
                    let input = Input(url: server.url)
                    guard await WebAPI.call(with: input, via: connector).response != nil else { throw Unexpected("no") }
                }
                let child = Glibc.fork()
                if child == 0 {
                    // Swift's thread pool has no threads here, so the task may not suspend.
                    let names = Recorder<String>()
                    Task.immediate {
                        let input = Input(url: URL(fileURLWithPath: "/"))
                        names.append(await connector.called(input).connectionError?.name ?? "none")
                    }
                    exit(names.elements == ["engineUnavailable"] ? 0 : 1)
                }
                var status: Int32 = -1
                waitpid(child, &status, 0)
                guard status == 0 else { throw Unexpected("child: \(status)") }
            }
        }

        @Test("a connector created without free descriptors works when there are some again")
        func noDescriptors() async {
            await #expect(processExitsWith: .success) {
                try await LoopbackServer.serving(.small) { server in
                    let input = Input(url: server.url)
                    var limit = rlimit()
                    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                    var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
                    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
                    let connector = Connector.curl()
                    let error = await WebAPI.call(with: input, via: connector).connectionError
                    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                    #expect(error?.name == "engineUnavailable")
                    #expect(await WebAPI.call(with: input, via: connector).response != nil)
                }
            }
        }

        @Test("a process may end during calls", arguments: 0..<(isExhaustive ? 5 : 2)) func exitsUnderLoad(_: Int) async
        {
            await #expect(processExitsWith: .exitCode(7)) {
                let server = try LoopbackServer.start(serving: .small)
                let connector = Connector.curl()
                for _ in 0..<64 {
                    Task { while true { _ = await WebAPI.call(with: Input(url: server.url), via: connector) } }
                }
                // While these calls are answered, one by one, so are some of each of the others.
                for _ in 0..<20 { _ = await WebAPI.call(with: Input(url: server.url), via: connector) }
                exit(7)
            }
        }

        @Test("a call by an exit handler registered before the engine's handler is refused, and ends") func atExit()
            async
        {
            await #expect(processExitsWith: .exitCode(7)) {
                atexit {
                    let names = Recorder<String>()
                    Task.immediate {
                        let output = await Connector.engine.called(Input(url: URL(fileURLWithPath: "/")))
                        let http = await Connector.engine.called(Input(url: URL(string: "http://127.0.0.1:1/")!))
                        names.append("\(output.connectionError?.name ?? "") \(http.connectionError?.name ?? "")")
                    }
                    _exit(names.elements == ["engineUnavailable engineUnavailable"] ? 7 : 8)
                }
                let input = Input(url: try #require(URL(string: "http://127.0.0.1:1/")))
                _ = await WebAPI.call(with: input, via: .engine)
                exit(0)
            }
        }

        @Test("a call that runs when the process ends completes, if an exit handler waits for it") func runsAtExit()
            async
        {
            await #expect(processExitsWith: .exitCode(7)) {
                atexit {
                    // Longer than the idle limit of the call, after which the engine's thread checks its calls.
                    _ = AtExit.hasEnded.wait(timeout: .now() + 10)
                    _exit(AtExit.outputs.elements.first?.connectionError?.name == "engineUnavailable" ? 7 : 8)
                }
                let sent = Latch()
                let server = try LoopbackServer.start(script: { _ in [.receiveRequest, .open(sent), .waitForClose] })
                let limit = Duration.milliseconds(500)
                let options = ConnectionOptions(connectTimeout: limit, idleTimeout: .limit(limit))
                let connector = Connector.curl(options: options)
                Task {
                    AtExit.outputs.append(await WebAPI.call(with: Input(url: server.url), via: connector))
                    AtExit.hasEnded.signal()
                }
                await sent.wait()
                exit(0)
            }
        }

        @Test("no signal but those of a crash reaches the engine's thread, not even SIGPIPE") func signals() async {
            await #expect(processExitsWith: .success) {
                let connector = Connector.curl()
                let input = Input(url: try #require(URL(string: "http://127.0.0.1:1/")))
                _ = await WebAPI.call(with: input, via: connector)
                let mask = try #require(EngineThread.all.first?.blockedSignals)
                let blocks = { (signal: Int32) in mask & (1 << UInt64(signal - 1)) != 0 }
                #expect([SIGPIPE, SIGTERM, SIGINT, SIGALRM, SIGUSR1].allSatisfy(blocks))
                #expect(![SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT].contains(where: blocks))
                withExtendedLifetime(connector) {}
            }
        }

        @Test("signals are held back from a caller's thread while it works for the engine, and restored afterwards")
        func held()
            async
        {
            await #expect(processExitsWith: .success) {
                let before = try #require(EngineThread.current.blockedSignals)
                let held = ccurl_hold_signals()
                raise(SIGPIPE)
                let meanwhile = try #require(EngineThread.current.blockedSignals)
                ccurl_release_signals(held)
                #expect(meanwhile & (1 << UInt64(SIGPIPE - 1)) != 0)
                #expect(EngineThread.current.blockedSignals == before)
            }
        }

        @Test("a call that waits for a name lookup is cancelled at once, and delays no other") func lookup()
            async throws
        {
            try await LoopbackServer.serving(.small) { server in
                let connector = Connector.curl()
                let unknown = Input(url: try #require(URL(string: "http://startsmall.invalid/")))
                var durations: [Duration] = []
                for _ in 0..<20 {
                    let call = Task { await WebAPI.call(with: unknown, via: connector) }
                    await Task.yield()
                    call.cancel()
                    let start = ContinuousClock.now
                    let error = await call.value.connectionError
                    #expect(error?.name == "cancelled" || error?.name == "hostNotFound")
                    #expect(await WebAPI.call(with: Input(url: server.url), via: connector).response != nil)
                    durations.append(start.duration(to: .now))
                }
                // A blocking lookup delays other calls each time; a busy machine does so only now and then.
                #expect(durations.sorted()[10] < .seconds(2))
            }
        }
    }

    /// The values that an exit handler uses, as it can't capture anything.
    private enum AtExit {
        static let outputs = Recorder<Output>()
        static let hasEnded = DispatchSemaphore(value: 0)
    }

    // MARK: work of the processes

    extension Connector {
        /// Makes a call without leaving the caller's thread.
        fileprivate func called(_ input: Input) async -> Output { await handler(input, CallContext(reportingTo: nil)) }

        fileprivate static let small = Connector.stub(.hasResponse(Response(statusCode: .ok, payload: Data("hi".utf8))))
    }

    private func useConnectors(_ count: Int, _ server: LoopbackServer) async throws {
        for _ in 0..<count {
            let connector = Connector.curl()
            for _ in 0..<2 {
                let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                if output.response == nil { throw Unexpected(output) }
            }
        }
    }

    /// Drops bodies before their first chunk, between chunks and at their end; a tenth of them is never complete.
    private func dropBodies(_ count: Int, of server: LoopbackServer, _ silent: LoopbackServer) async throws {
        let connector = Connector.curl()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for first in 0..<64 {
                group.addTask {
                    for number in stride(from: first, to: count, by: 64) {
                        let isSilent = number % 10 == 0
                        let url = (isSilent ? silent : server).url
                        let output = await WebAPI.call(with: Input(url: url, delivery: .stream), via: connector)
                        guard let body = output.response?.body else { throw Unexpected(output) }
                        for _ in 0..<(isSilent ? number / 10 % 2 : number % 3) { _ = try await body.next() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func cancelStorm(_ count: Int, _ server: LoopbackServer) async throws {
        let connector = Connector.curl()
        let slowest = try await withThrowingTaskGroup(of: Duration.self) { group in
            for number in 0..<count {
                let input = Input(url: server.url.appending(path: "\(number)"))
                group.addTask {
                    let call = Task { await WebAPI.call(with: input, via: connector) }
                    for _ in 0..<Int.random(in: 0..<200) { await Task.yield() }
                    let start = ContinuousClock.now
                    call.cancel()
                    let output = await call.value
                    guard output == .noResponse(.cancelled) || output.response != nil else { throw Unexpected(output) }
                    return start.duration(to: .now)
                }
            }
            return try await group.reduce(.zero, max)
        }
        // An idle machine takes 100 ms; here other tests run too, and this process has 2,000 tasks to run.
        if slowest > .seconds(10) { throw Unexpected(slowest) }
    }

    /// The resources of a process that must be released.
    private struct Resources: Equatable {
        var threads: Int
        var descriptors: Int

        static var now: Resources {
            let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
            return Resources(threads: EngineThread.all.count, descriptors: descriptors)
        }

        /// Waits until no count is above that before; a thread ends a moment after its connector.
        static func settle(at before: Resources) async throws {
            let end = ContinuousClock.now + .seconds(60)
            while now.threads > before.threads || now.descriptors > before.descriptors {
                if ContinuousClock.now > end { throw Unexpected("\(before) before, \(now) now") }
                await Task.yield()
            }
        }
    }

    /// Returns the sockets of TCP of this process that programs would inherit.
    private func inheritedConnections() -> Set<Int32> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return Set(
            names.compactMap { Int32($0) }.filter { descriptor in
                var (domain, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
                guard getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 else { return false }
                return [AF_INET, AF_INET6].contains(domain) && fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0
            }
        )
    }
#endif
