#if os(Linux)
    import CCurl
    import Foundation
    import StartSmallTesting
    import TestSupport
    import Testing

    import StartSmall
    @testable import StartSmallCurl

    @Suite("the event loop of the engine for Linux") struct CurlLoopTests {
        @Test("a request that is sent a second time has new times and counts") func repeated() throws {
            try LoneTransfer.made(at: 1000) { lone in
                #expect(ccurl_set_text(lone.handle, ccurl_url, "http://127.0.0.1:9/") == 0)
                #expect(ccurl_multi_add(lone.multi, lone.handle) == 0)
                lone.handle.pointee.may_repeat = true
                lone.handle.pointee.phase = ccurl_phase_connected
                lone.handle.pointee.is_resolving = true
                (lone.handle.pointee.began_at, lone.handle.pointee.moved_at) = (1, 2)
                (lone.handle.pointee.uploaded, lone.handle.pointee.downloaded) = (3, 4)
                let http2 = Int32(16)
                #expect(ccurl_multi_repeat(lone.multi, lone.handle, http2))
                #expect(lone.handle.pointee.phase == ccurl_phase_connecting && lone.round.pointee.connecting == 1)
                #expect(!lone.handle.pointee.is_resolving)
                #expect(lone.handle.pointee.began_at == 1000 && lone.handle.pointee.moved_at == 1000)
                #expect(lone.handle.pointee.uploaded == 0 && lone.handle.pointee.downloaded == 0)
                lone.handle.pointee.attempts = 2
                #expect(!ccurl_multi_repeat(lone.multi, lone.handle, http2), "no third attempt")
                _ = ccurl_multi_remove(lone.multi, lone.handle)
                #expect(lone.round.pointee.connecting == 0)
            }
        }

        @Test("if libcurl can't go on, all calls end with its error, and its handles are freed") func givesUp() async {
            let outcome = await outcome(of: Fixture.url) { loop, call in
                loop.start(call)
                let hadMulti = loop.multi != nil
                loop.failAll("curl_multi_poll", 3)
                let (isIdle, hasMulti) = (loop.isIdle, loop.multi != nil)
                #expect(isIdle && hadMulti && !hasMulti)
            }
            let error = ConnectionError.engineUnavailable(debugInfo: "curl_multi_poll: Out of memory")
            #expect(outcome.output(at: nil, payloadLimit: nil) == .noResponse(error))
        }

        @Test("at the end of the process, the calls that run and those that wait are refused")
        func exit() async throws {
            let outcomes = Recorder<String?>()
            try await withCalls(2) { calls in
                var work = Work(ConnectionOptions(maxConnections: 1))
                work.runIteration(.start(calls[0]))
                work.runIteration(.start(calls[1]))
                let rest = work.loop.endAtExit(work.queue)
                #expect(rest == nil)
                work.loop.failAll("the end of the test", 3)
                work.end()
            } ended: {
                outcomes.append($0.output(at: nil, payloadLimit: nil).connectionError?.debugInfo)
            }
            #expect(outcomes.elements.count == 2 && Set(outcomes.elements) == [CurlEngine.exiting])
        }

        /// The check of the idle timeout passes over a starved call. If the call then sends its bytes before it learns
        /// that they were produced, nothing else schedules the next check.
        @Test("the news of produced bytes schedules a check of the idle timeout, even if the bytes have been sent")
        func producedBytesAreSent() async {
            _ = await outcome(of: Fixture.url, ConnectionOptions(idleTimeout: .seconds(5))) { loop, call in
                loop.start(call)
                loop.deadlines.beginCheck()
                loop.execute([.produced(1)])
                let (due, now) = (loop.deadlines.call, loop.now)
                #expect(due == now + 5_000_000_000)
                loop.failAll("the end of the test", 3)
            }
        }

        @Test(
            "at the limit of lookups that go on without their calls, only a host that needs none may begin, for 30 seconds",
            arguments: [
                ("a.test", 0, false), ("a.test", 29, false), ("a.test", 30, true), ("localhost", 0, true),
                ("127.0.0.1", 0, true), ("[::1]", 0, true),
            ]
        )
        func lookups(host: String, secondsLater: Int64, mayLookUp: Bool) async throws {
            let url = try #require(URL(string: "http://\(host):9/"))
            _ = await outcome(of: url) { loop, call in
                loop.endedLookups = Array(repeating: loop.now, count: ccurl_lookup_limit)
                // In two steps: for the thread sanitizer, Swift 6.3 compiles a single one to a broken module.
                let sharedState = loop.sharedState
                sharedState.pointee.now += secondsLater * 1_000_000_000
                loop.start(call)
                let mayNot = loop.slots[0]?.transfer.handle.pointee.may_not_look_up
                #expect(mayNot == !mayLookUp)
                loop.failAll("the end of the test", 3)
            }
        }

        @Test("after a failed wait, the next call starts a thread again, and is accepted") func waitFails()
            async throws
        {
            try await withCalls(1) { calls in
                var work = Work(ConnectionOptions())
                work.runIteration(.start(calls[0]))
                let rest = work.loop.runIteration(work.queue, canWait: false)
                let before = work.queue.enqueueWithoutWaking(.cancel(0))
                let after = work.queue.enqueueWithoutWaking(.cancel(0)) { true }
                #expect(rest == nil && before == .refused && after == .taken)
                work.end()
            }
        }

        @Test("a lone call begins on its caller's thread, and further calls wake the engine's thread")
        func iterationsOnCallers() async throws {
            try await withCalls(4) { calls in
                var work = Work(ConnectionOptions())
                // The running calls after an iteration on a caller's thread.
                var running: [Set<UInt64>] = []
                func runOnCaller(_ command: EngineCommand) {
                    _ = work.runOnCaller(command)
                    running.append(Set(work.loop.slots.ids))
                }
                runOnCaller(.start(calls[0]))
                work.runIteration()
                runOnCaller(.cancel(0))
                work.runIteration()
                runOnCaller(.start(calls[1]))
                runOnCaller(.start(calls[2]))
                work.runIteration()
                work.runIteration(.cancel(1), .cancel(2))
                runOnCaller(.start(calls[3]))
                work.runIteration(.cancel(3))
                work.end()
                // The engine's thread makes the handle; it takes the other calls alone while one runs, and after
                // several did.
                #expect(running == [[], [0], [1], [1], []])
            }
        }

        @Test("a call that is cancelled before an iteration does not run, and a limited number begins in one")
        func cancelledAtOnce() async throws {
            let outcomes = Recorder<String?>()
            let count = CurlLoop.startsPerIteration + 2
            try await withCalls(count) { calls in
                var work = Work(ConnectionOptions(maxConnectionsPerHost: count, maxConnections: count))
                for call in calls { work.enqueue(.start(call)) }
                work.runIteration(.cancel(0), .cancel(UInt64(count - 1)))
                let begun = Set(work.loop.slots.ids)
                #expect(begun == Set(1..<UInt64(CurlLoop.startsPerIteration)))
                work.runIteration()
                let all = Set(work.loop.slots.ids)
                #expect(all == Set(1..<UInt64(count - 1)))
                work.loop.failAll("the end of the test", 3)
                work.end()
            } ended: {
                outcomes.append($0.output(at: nil, payloadLimit: nil).connectionError?.name)
            }
            #expect(outcomes.elements.count { $0 == "cancelled" } == 2 && outcomes.elements.count == count)
        }

        @Test("the engine's thread is woken if a caller's call is due before its next check")
        func wokenForLimits() async throws {
            try await withCalls(2) { calls in
                let options = ConnectionOptions(connectTimeout: .seconds(5))
                var work = Work(options)
                work.runIteration(.start(calls[0]))
                work.loop.deadlines = CurlDeadlines(options)
                work.runIteration(.cancel(0))
                let isDone = work.runOnCaller(.start(calls[1]))
                let isBegun = !work.loop.isIdle
                work.runIteration(.cancel(1))
                work.end()
                #expect(!isDone && isBegun)
            }
        }

        @Test(
            "a waiting call is overdue at the connect limit, in libcurl too, unless a connected call blocks it",
            arguments: [1, 2],
            ["connected", "connecting", "waiting in libcurl"]
        )
        func overdueInLine(maxConnectionsPerHost: Int, first: String) async throws {
            let isFirstConnected = first == "connected"
            let outcomes = Recorder<String?>()
            // Waiting for a connection to the host, or for any connection.
            let options = ConnectionOptions(
                connectTimeout: .seconds(5),
                idleTimeout: nil,
                maxConnectionsPerHost: maxConnectionsPerHost,
                maxConnections: 1
            )
            try await withCalls(2) { calls in
                var work = Work(options)
                work.runIteration(.start(calls[0]), .start(calls[1]))
                let running = work.loop.slots.ids.count
                #expect(running == 1)
                let phases = ["connected": ccurl_phase_connected, "waiting in libcurl": ccurl_phase_waiting]
                if let phase = phases[first] { work.loop.slots[0]?.transfer.handle.pointee.phase = phase }
                // In two steps, as in `lookups`.
                let sharedState = work.loop.sharedState
                sharedState.pointee.now += 6_000_000_000
                work.loop.endOverdue()
                let (isOver, nextDue, now) = (work.loop.isIdle, work.loop.deadlines.call, work.loop.now)
                #expect(isOver != isFirstConnected)
                #expect(nextDue == (isFirstConnected ? now + 5_000_000_000 : .max))
                work.runIteration(.cancel(0), .cancel(1))
                work.end()
            } ended: {
                outcomes.append($0.output(at: nil, payloadLimit: nil).connectionError?.debugInfo)
            }
            let limit = "for 5000 ms, the connectTimeout of ConnectionOptions (libcurl 28)"
            let expected = [
                "connected": ["the task was cancelled"],
                "connecting": ["not connected \(limit)", "no connection was available \(limit)"],
                "waiting in libcurl": ["no connection was available \(limit)"],
            ]
            #expect(Set(outcomes.elements) == Set(expected[first] ?? []))
        }

        @Test("calls for which there is no thread any more are refused") func noThread()
            async throws
        {
            let outcomes = Recorder<ConnectionError?>()
            try await withCalls(3) { calls in
                var work = Work(ConnectionOptions())
                work.enqueue(.start(calls[0]), .cancel(7), .start(calls[1]), .start(calls[2]), .stop)
                work.loop.endThread(work.queue)
                let isIdle = work.loop.isIdle
                #expect(isIdle)
            } ended: {
                outcomes.append($0.output(at: nil, payloadLimit: nil).connectionError)
            }
            #expect(outcomes.elements.map { $0?.name } == Array(repeating: "engineUnavailable", count: 3))
        }

        /// Returns the outcome of the call 1 to a URL, which `body` has to end with its loop.
        private func outcome(
            of url: URL,
            _ options: ConnectionOptions = ConnectionOptions(),
            _ body: (inout CurlLoop, CurlCall) -> Void
        ) async -> CurlOutcome {
            await withUnsafeContinuation { continuation in
                guard case .right(let request) = ValidatedRequest.from(Input(url: url)) else { return }
                let queue = CommandQueue(isOpen: true)
                var loop = CurlLoop(options, queue)
                body(&loop, CurlCall(id: 1, request: request, reply: .once(continuation)))
            }
        }

        /// Calls to a server that never answers, numbered from 0; each must end.
        private func withCalls(
            _ count: Int,
            _ body: @escaping @Sendable ([CurlCall]) -> Void,
            ended: @escaping @Sendable (CurlOutcome) -> Void = { _ in }
        ) async throws {
            let script: [ServerScriptStep] = [.receiveRequest, .wait(Latch())]
            try await LoopbackServer.playing({ _ in script }) { server in
                let request = try #require(ValidatedRequest.from(Input(url: server.url)).right)
                let (continuations, waiting) = AsyncStream<UnsafeContinuation<CurlOutcome, Never>>.makeStream()
                await withTaskGroup { group in
                    for _ in 0..<count { group.addTask { ended(await withUnsafeContinuation { waiting.yield($0) }) } }
                    var calls: [CurlCall] = []
                    for await continuation in continuations {
                        calls.append(
                            CurlCall(id: UInt64(calls.count), request: request, reply: .once(continuation))
                        )
                        if calls.count == count { break }
                    }
                    body(calls)
                }
            }
        }

        /// A loop with its command queue, and no thread.
        private struct Work: ~Copyable {
            let queue = CommandQueue(isOpen: true)
            var loop: CurlLoop

            init(_ options: ConnectionOptions) { loop = CurlLoop(options, queue) }

            func enqueue(_ commands: EngineCommand...) {
                for command in commands { _ = queue.enqueue(command) }
            }

            mutating func runOnCaller(_ command: EngineCommand) -> Bool {
                enqueue(command)
                return loop.runOnCaller(queue)
            }

            /// Ends the loop, as the engine's thread does.
            mutating func end() { loop.forgetConnections() }

            mutating func runIteration(_ commands: EngineCommand...) {
                for command in commands { _ = queue.enqueue(command) }
                _ = loop.runIteration(queue)
            }
        }
    }

    extension CurlLoop {
        /// Creates a loop for a test.
        init(_ options: ConnectionOptions, _ queue: borrowing CommandQueue) {
            // Loads libcurl, as each connector does before its loop.
            #expect(Connector.curlUnavailable == nil)
            self.init(options, epollDescriptor: queue.epollDescriptor)
        }
    }
#endif
