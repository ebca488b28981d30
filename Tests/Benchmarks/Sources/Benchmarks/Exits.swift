#if os(Linux)
    import Dispatch
    import Foundation
    import StartSmall
    import StartSmallTesting

    /// Processes that end in the midst of calls: each must end with its own code, and none by a signal.
    enum Exits {
        /// How many processes, and how many of them at once.
        private static let (processes, atOnce) = (200, 4)

        /// What a process ends with if nothing ends it before.
        private static let code: Int32 = 7

        /// How long a process may take, which is done in less than a second.
        private static let mostSeconds = 60

        /// Prints what came of the processes; what was not as it must be, in words.
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
            print("\(ends.count) processes ended in the midst of calls, \(wrong.count) not by themselves: \(wrong)")
            print("took \(start.duration(to: .now))")
            return wrong.isEmpty ? [] : ["\(wrong.count) processes ended otherwise than by themselves: \(wrong)"]
        }

        /// What a child does: ends while 64 tasks call.
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
            // One that hangs would be waited for without end.
            let watch = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(mostSeconds), execute: watch)
            defer { watch.cancel() }
            process.waitUntilExit()
            return "\(process.terminationReason == .exit ? "exit" : "signal") \(process.terminationStatus)"
        }
    }
#endif
