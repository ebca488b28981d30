#if os(Linux)
    import Foundation
    import StartSmall
    import StartSmallTesting

    /// The memory use of a large payload for a reader that is slower than the network.
    enum SlowReader {
        private static let mebibyte = 1024 * 1024

        /// Sends `mebibytes` over a socket of this process to a reader of `pace` MiB a second.
        static func measure(mebibytes: Int = 1024, pace: Int = 10) async throws {
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(mebibytes * mebibyte)\r\n\r\n"),
                .sendRepeatedly(Data(count: 64 * 1024), times: mebibytes * 16),
            ]
            try await LoopbackServer.playing({ _ in steps }) { server in
                try await read(server.url, mebibytes, atMost: pace)
            }
        }

        private static func read(_ url: URL, _ mebibytes: Int, atMost pace: Int) async throws {
            let (idle, start) = (resident, ContinuousClock.now)
            var (bytes, most) = (0, idle)
            let output = await WebAPI.call(with: Input(url: url, delivery: .stream), via: .curl())
            while let chunk = try await output.response?.body?.next() {
                (bytes, most) = (bytes + chunk.count, max(most, resident))
                try await Task.sleep(until: start + .seconds(1) * (Double(bytes) / Double(pace * mebibyte)))
            }
            let seconds = start.duration(to: .now) / .seconds(1)
            print("\(bytes / mebibyte) MiB in \(Int(seconds)) s, status \(output.response?.statusCode.code ?? 0)")
            print(
                "memory: \((most - idle) / 1024) KiB above the \(idle / 1024) KiB before; at most 40960: ",
                terminator: ""
            )
            let isReached = most - idle < 40 * mebibyte
            print(isReached ? "reached" : "MISSED")
            if bytes != mebibytes * mebibyte { throw Benchmarks.Wrong(words: ["incomplete payload: \(output)"]) }
            if !isReached { throw Benchmarks.Wrong(words: ["too much memory for a slow reader"]) }
        }

        /// The memory of this process in bytes.
        private static var resident: Int {
            let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
        }
    }
#endif
