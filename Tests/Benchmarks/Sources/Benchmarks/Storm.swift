#if os(Linux)
    import Dispatch
    import Foundation
    import Heap
    import StartSmall
    import StartSmallTesting

    /// 2,000 concurrent calls, each cancelled at a random moment, 100 times: the time until each returns, and the
    /// resources that are left.
    ///
    /// The time is that between `cancel()` and the return of the call, in the call's own task. It includes waiting for
    /// a thread of the pool, as in an app.
    enum Storm {
        private static let runs = 100
        private static let calls = 2000

        /// The time limit of each cancelled call.
        private static let limit = Duration.milliseconds(100)

        /// The time after which the calls of one run count as hung: a hundred times the usual time.
        private static let timeout = DispatchTimeInterval.seconds(60)

        /// Prints the results of the runs, and returns the failed requirements.
        static func measure() async -> [String] {
            print("\(runs) runs of \(calls) calls, each cancelled at a random moment; from cancel() to return, in ms")
            var wrong: [String] = []
            do {
                let answer = Output.hasResponse(Response(statusCode: .ok, payload: Data("hi".utf8)))
                try await LoopbackServer.serving(.stub(answer)) { server in
                    // The first runs create every thread and every buffer that is kept.
                    for _ in 0..<10 { _ = try await run(server.url, .curl()) }
                    let before = await Held.settled()
                    var late = 0
                    for number in 1...runs {
                        let figures = try await run(server.url, .curl())
                        late += figures.latencies.count { $0 > limit }
                        show(number, figures, Held.now)
                    }
                    print("returned after more than \(limit): \(late)")
                    if late > 0 { wrong.append("\(late) cancelled calls returned after more than \(limit)") }
                    let after = await Held.settled()
                    show(before, after)
                    if after.threads > before.threads { wrong.append("threads of the engine are still running") }
                    if after.descriptors > before.descriptors { wrong.append("descriptors are still open") }
                    if kept(before, after) > 0 { wrong.append("memory was not released") }
                }
            } catch {
                wrong.append("\(error)")
            }
            return wrong
        }

        /// Ends the process with a message unless the run ends in time: a run with a hung call would never end.
        private static func watch() -> DispatchWorkItem {
            let watch = DispatchWorkItem {
                try? FileHandle.standardError.write(contentsOf: Data("storm: cancelled calls hang\n".utf8))
                exit(1)
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + timeout, execute: watch)
            return watch
        }

        private struct Figures {
            /// The latencies of cancelled calls, in ascending order.
            var latencies: [Duration] = []
            var answered = 0
        }

        @concurrent
        private static func run(_ url: URL, _ connector: Connector) async throws -> Figures {
            let input = Input(url: url)
            let watch = watch()
            defer { watch.cancel() }
            var figures = try await withThrowingTaskGroup(of: Duration?.self) { group in
                for _ in 0..<calls {
                    group.addTask {
                        let call = Task {
                            let output = await WebAPI.call(with: input, via: connector)
                            return (output, ContinuousClock.now)
                        }
                        for _ in 0..<Int.random(in: 0..<200) { await Task.yield() }
                        let cancelled = ContinuousClock.now
                        call.cancel()
                        let (output, returned) = await call.value
                        if output.response != nil { return nil }
                        guard case .noResponse(.cancelled) = output else { throw Unexpected(output: output) }
                        return cancelled.duration(to: returned)
                    }
                }
                return try await group.reduce(into: Figures()) { figures, latency in
                    if let latency { figures.latencies.append(latency) } else { figures.answered += 1 }
                }
            }
            figures.latencies.sort()
            return figures
        }

        private static func show(_ number: Int, _ figures: Figures, _ held: Held) {
            let (all, answered) = (figures.latencies, figures.answered)
            let median = all.isEmpty ? .zero : all[all.count / 2]
            print(
                "  run \(number): \(all.count) cancelled, \(answered) answered,"
                    + " median \(milliseconds(median)), maximum \(milliseconds(all.last ?? .zero));"
                    + " \(held.kibibytes) KiB resident"
            )
        }

        private static func show(_ before: Held, _ after: Held) {
            print("descriptors: \(before.descriptors) before, \(after.descriptors) after")
            print("threads of the engine: \(before.threads) before, \(after.threads) after")
            print("resident memory: \(before.kibibytes) KiB before, \(after.kibibytes) KiB after")
            print(
                "memory in use: \(before.inUse / 1024) KiB before, \(after.inUse / 1024) KiB after:"
                    + " \(kept(before, after)) bytes a call"
            )
        }

        /// Returns the bytes kept per call: a leak of each call shows, and temporary memory does not.
        private static func kept(_ before: Held, _ after: Held) -> Int {
            (after.inUse - before.inUse) / (runs * calls)
        }

        private static func milliseconds(_ duration: Duration) -> String {
            String(format: "%.3f", duration / .milliseconds(1))
        }

        private struct Unexpected: Error, CustomStringConvertible {
            var output: Output

            var description: String { "a cancelled call ended with \(output)" }
        }
    }

    /// The resources of a process.
    private struct Held {
        var descriptors: Int
        var threads: Int
        var kibibytes: Int

        /// The memory that is allocated and not freed, in bytes.
        var inUse: Int

        static var now: Held {
            Held(
                descriptors: names("/proc/self/fd").count,
                threads: engineThreads,
                kibibytes: residentKibibytes,
                inUse: heap_bytes_in_use()
            )
        }

        /// Returns the resources after the last thread and the server's last connection have ended, or after ten
        /// seconds: when no thread is left, and the number of descriptors has not changed for half a second.
        static func settled() async -> Held {
            let end = ContinuousClock.now + .seconds(10)
            var held = now
            var steady = 0
            while held.threads > 0 || steady < 50, ContinuousClock.now < end {
                try? await Task.sleep(for: .milliseconds(10))
                let before = held
                held = now
                steady = held.descriptors == before.descriptors ? steady + 1 : 0
            }
            return held
        }

        private static var engineThreads: Int {
            names("/proc/self/task").count { text("/proc/self/task/\($0)/comm") == "startsmall-curl\n" }
        }

        private static var residentKibibytes: Int {
            let line = text("/proc/self/status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
            return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
        }

        private static func names(_ folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }

        private static func text(_ path: String) -> String {
            (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        }
    }
#endif
