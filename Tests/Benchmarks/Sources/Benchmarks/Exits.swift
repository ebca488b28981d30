#if os(Linux)
    import Dispatch
    import Foundation
    import StartSmall
    import StartSmallTesting

    /// Processes that exit during calls: each must end with its own code, and none by a signal.
    enum Exits {
        /// The number of processes, and of concurrent ones.
        private static let (processes, atOnce) = (200, 4)

        /// The exit code of a process that is not ended before.
        private static let code: Int32 = 7

        /// The time limit of a process in seconds; it normally takes less than one.
        private static let mostSeconds = 60

        /// Prints the ends of the processes, and returns the failed requirements.
        static func measure() async -> [String] {
            let start = ContinuousClock.now
            let ends = await withTaskGroup { group in
                for worker in 0..<atOnce {
                    group.addTask {
                        (worker..<processes).filter { $0 % atOnce == worker }.map { _ in endOfChild() }
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            let wrong = ends.filter { $0 != "exit \(code)" }
            print("\(ends.count) processes exited during calls, \(wrong.count) of them wrongly: \(wrong)")
            print("took \(start.duration(to: .now))")
            return wrong.isEmpty ? [] : ["\(wrong.count) processes did not exit with their own code: \(wrong)"]
        }

        /// Runs as a child process: exits while 64 tasks make calls.
        static func endUnderLoad() async {
            let answer = Output.hasResponse(Response(statusCode: .ok, payload: Data("hi".utf8)))
            guard let server = try? LoopbackServer.start(serving: .stub(answer)) else { exit(1) }
            let connector = Connector.curl()
            for _ in 0..<64 {
                Task { while true { _ = await WebAPI.call(with: Input(url: server.url), via: connector) } }
            }
            for _ in 0..<100 { _ = await WebAPI.call(with: Input(url: server.url), via: connector) }
            exit(code)
        }

        private static func endOfChild() -> String {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = ["end-under-load"]
            do {
                try process.run()
            } catch {
                return "\(error)"
            }
            // A hanging process would block `waitUntilExit` for ever.
            let watch = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(mostSeconds), execute: watch)
            defer { watch.cancel() }
            process.waitUntilExit()
            return "\(process.terminationReason == .exit ? "exit" : "signal") \(process.terminationStatus)"
        }
    }
#endif
