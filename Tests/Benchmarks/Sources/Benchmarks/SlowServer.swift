#if os(Linux)
    import Foundation
    import StartSmall
    import StartSmallStreams
    import StartSmallTesting
    import Synchronization

    /// The memory use of a large payload that is produced at full speed for a server that is slower than the network.
    enum SlowServer {
        private static let mebibyte = 1024 * 1024

        /// The largest number of bytes above the idle process: 40 MiB, of which the test server needs some, too.
        private static let limit = 40 * mebibyte

        /// Produces `mebibytes`, and sends them over a socket of this process to a server that reads `pace` MiB a
        /// second.
        static func measure(mebibytes: Int = 1024, pace: Int = 10) async throws {
            let turns = (0..<mebibytes).map { _ in Latch() }
            let reading: [ServerScriptStep] = turns.flatMap { [.wait($0), .discard(mebibyte)] }
            let steps = [.receiveHead] + reading + [.send("HTTP/1.1 204 No Content\r\n\r\n")]
            let state = Mutex((bytes: 0, ahead: 0, read: 0, most: 0))
            try await LoopbackServer.playing({ _ in steps }) { server in
                let (idle, start) = (resident, ContinuousClock.now)
                let chunk = Data(repeating: 7, count: 64 * 1024)
                let stream = PayloadStream { writer in
                    for _ in 0..<(mebibytes * 16) {
                        try await writer.write(chunk)
                        state.withLock { state in
                            state.bytes += chunk.count
                            state.ahead = max(state.ahead, state.bytes - state.read)
                            state.most = max(state.most, resident)
                        }
                    }
                }
                async let output = WebAPI.call(
                    with: Input(
                        url: server.url,
                        methodAndPayload: .put(payload: Payload(.stream(stream), mediaType: nil))
                    ),
                    via: .curl()
                )
                for (index, turn) in turns.enumerated() {
                    try await Task.sleep(until: start + .seconds(1) * (Double(index) / Double(pace)))
                    state.withLock { state in
                        state.read = index * mebibyte
                        state.most = max(state.most, resident)
                    }
                    turn.open()
                }
                try report(await output, mebibytes, idle, start, state.withLock { ($0.bytes, $0.ahead, $0.most) })
            }
        }

        private static func report(
            _ output: Output,
            _ mebibytes: Int,
            _ idle: Int,
            _ start: ContinuousClock.Instant,
            _ measured: (bytes: Int, ahead: Int, most: Int)
        ) throws {
            let seconds = start.duration(to: .now) / .seconds(1)
            let status = output.response?.statusCode.code ?? 0
            print("\(measured.bytes / mebibyte) MiB produced in \(Int(seconds)) s, status \(status)")
            print("produced ahead of the server: at most \(measured.ahead / 1024) KiB, the system's buffers included")
            let above = measured.most - idle
            print("memory: \(above / 1024) KiB above the \(idle / 1024) KiB before; at most 40960: ", terminator: "")
            print(above < limit ? "reached" : "MISSED")
            if measured.bytes != mebibytes * mebibyte || status != 204 {
                throw Benchmarks.Wrong(words: ["incomplete payload: \(output)"])
            }
            if above >= limit { throw Benchmarks.Wrong(words: ["too much memory for a slow server"]) }
        }

        /// The memory of this process in bytes.
        private static var resident: Int {
            let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
    }
#endif
