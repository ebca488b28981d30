#if os(Linux)
    import CCurl
    import Foundation
    import Glibc
    import ParityTrait
    import StartSmallTesting
    import Testing

    @testable import StartSmall

    /// The cost of the engine while it is idle, and after a burst.
    @Suite("resource use of the engine for Linux", .timeLimit(.minutes(1))) struct CurlThriftTests {
        private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

        @Test("a connector without a call sleeps, although it keeps a connection") func idle() async {
            await #expect(processExitsWith: .success) {
                try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.answer), .waitForClose] }) {
                    server in
                    let connector = Connector.curl()
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    guard output.response != nil else { throw Unexpected(output) }
                    let turns = try await turnsWhileTimePasses()
                    // A machine that stalls may wake any thread.
                    guard turns <= 1 else { throw Unexpected("\(turns) turns") }
                    withExtendedLifetime(connector) {}
                }
                await threadsEnd()
            }
        }

        @Test("a connector whose call waits sleeps too") func waiting() async {
            await #expect(processExitsWith: .success) {
                try await LoopbackServer.playing({ _ in [.receiveRequest, .waitForClose] }) { server in
                    let connector = Connector.curl()
                    let call = Task { await WebAPI.call(with: Input(url: server.url), via: connector) }
                    while server.received.elements.isEmpty, !Task.isCancelled { await Task.yield() }
                    let turns = try await turnsWhileTimePasses()
                    guard turns <= 3 else { throw Unexpected("\(turns) turns") }
                    call.cancel()
                    guard await call.value == .noResponse(.cancelled) else { throw Unexpected("not cancelled") }
                }
                await threadsEnd()
            }
        }

        @Test("the memory of a burst is released when the connections end") func memory() async {
            await #expect(processExitsWith: .success) {
                let payload = Data(count: 256 * 1024)
                let answers = Connector.stub(.hasResponse(Response(statusCode: .ok, payload: payload)))
                let connector = Connector.curl(options: ConnectionOptions(idleConnectionAge: .milliseconds(100)))
                try await LoopbackServer.serving(answers) { server in
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    guard output.response?.payload.count == payload.count else { throw Unexpected(output) }
                }
                let before = residentBytes()
                try await LoopbackServer.serving(answers) { server in
                    try await withThrowingTaskGroup { group in
                        for _ in 0..<500 {
                            group.addTask {
                                let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                                guard output.response?.payload.count == payload.count else { throw Unexpected(output) }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                // All payloads together are eight times as large.
                let allowed = before + 16 * 1024 * 1024
                let end = ContinuousClock.now + .seconds(20)
                while residentBytes() > allowed {
                    if ContinuousClock.now > end { throw Unexpected("\(before) before, \(residentBytes()) now") }
                    await Task.yield()
                }
                withExtendedLifetime(connector) {}
            }
        }

        @Test("an unused connection is closed at its age limit, while other calls run", .exhaustive) func age()
            async throws
        {
            let closed = Latch()
            let isClosed = Recorder<Void>()
            let script: [ServerScriptStep] = [.receiveRequest, .send(Self.answer), .waitForClose, .open(closed)]
            let watch = Task {
                await closed.wait()
                isClosed.append(())
            }
            let other = Connector.stub(.hasResponse(Response(statusCode: .ok)))
            try await LoopbackServer.playing({ _ in script }) { server in
                try await LoopbackServer.serving(other) { busy in
                    let connector = Connector.curl(options: ConnectionOptions(idleConnectionAge: .seconds(1)))
                    #expect(await WebAPI.call(with: Input(url: server.url), via: connector).response != nil)
                    while isClosed.elements.isEmpty {
                        try #require(await WebAPI.call(with: Input(url: busy.url), via: connector).response != nil)
                    }
                }
            }
            await watch.value
        }
    }

    /// The number of times that the single thread of the engine wakes up, while another engine waits for a silent
    /// server.
    private func turnsWhileTimePasses() async throws -> Int {
        guard let thread = EngineThread.all.first else { throw Unexpected("no thread") }
        // The thread may have to end its last round before it sleeps.
        try await passTime()
        let before = thread.turns
        try await passTime()
        return thread.turns - before
    }

    /// Waits for the ends of the engines' threads: LeakSanitizer would find the memory of one that the process ends.
    private func threadsEnd() async {
        while !EngineThread.all.isEmpty, !Task.isCancelled { await Task.yield() }
    }

    private func passTime() async throws {
        try await LoopbackServer.playing({ _ in [.waitForClose] }) { silent in
            let patient = Connector.curl(options: ConnectionOptions(idleTimeout: .milliseconds(500)))
            let output = await WebAPI.call(with: Input(url: silent.url), via: patient)
            guard output.connectionError?.name == "timedOut" else { throw Unexpected(output) }
        }
    }

    /// A thread of an engine, as the system lists it (proc(5)).
    struct EngineThread: Sendable {
        let folder: String

        /// The current thread.
        static let current = EngineThread(folder: "/proc/thread-self")

        static var all: [EngineThread] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return all.map { EngineThread(folder: "/proc/self/task/\($0)") }.filter {
                $0.text("comm") == "startsmall-curl\n"
            }
        }

        /// The number of times that the thread was given a processor, and gave it back.
        var turns: Int {
            let lines = text("status").split(separator: "\n").filter { $0.contains("ctxt_switches:") }
            return lines.reduce(0) { $0 + (Int($1.filter(\.isNumber)) ?? 0) }
        }

        /// The signals that don't reach the thread, as bits.
        var blockedSignals: UInt64? {
            let line = text("status").split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
            return line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) }
        }

        private func text(_ file: String) -> String {
            (try? String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)) ?? ""
        }
    }

    /// The resident memory, after the C library has returned the memory that it keeps for reuse (malloc_trim(3)).
    private func residentBytes() -> Int {
        typealias Trim = @convention(c) (Int) -> Int32
        if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
        let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }
#endif
