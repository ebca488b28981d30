#if os(Linux)
    import Foundation
    import ParityTrait
    import StartSmall
    import StartSmallTesting
    import Testing

    /// Each test runs in its own process, so that its memory can be measured.
    @Suite("memory of the engine for Linux", .timeLimit(.minutes(2))) struct CurlStreamTests {
        @Test("256 MiB to a slow reader use less than 40 MiB of memory") func slowReader() async {
            await #expect(processExitsWith: .success) {
                let steps: [ServerScriptStep] = [
                    .send("HTTP/1.1 200 OK\r\nContent-Length: \(256 * mebibyte)\r\n\r\n"),
                    .sendRepeatedly(Data(count: 64 * 1024), times: 4096),
                ]
                try await expectBounded(256, steps)
            }
        }

        @Test("256 MiB to a file use less than 40 MiB of memory") func file() async {
            await #expect(processExitsWith: .success) {
                let steps: [ServerScriptStep] = [
                    .receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: \(256 * mebibyte)\r\n\r\n"),
                    .sendRepeatedly(Data(count: 64 * 1024), times: 4096),
                ]
                try await expectFile(256, steps)
            }
        }

        @Test(
            "256 MiB in 200 bytes of br use less than 40 MiB of memory, to a file and to a slow reader",
            .exhaustive
        )
        func brotli() async {
            await #expect(processExitsWith: .success) {
                let bytes = try #require(Data(base64Encoded: CodedPayload.brotliOf256MiBOfZeros))
                let length = "Content-Length: \(bytes.count)"
                let steps: [ServerScriptStep] = [
                    .send("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\(length)\r\n\r\n"), .sendBytes(Array(bytes)),
                ]
                try await expectFile(256, [.receiveRequest] + steps)
                try await expectBounded(256, steps)
            }
        }

        @Test("a gzip bomb to a slow reader uses less than 40 MiB of memory") func bomb() async {
            await #expect(processExitsWith: .success) {
                // The beginning of a stream in which each zero byte means a kilobyte of zeros, without an end.
                let start = try #require(Data(base64Encoded: String(gzippedMebibyteOfZeros.prefix(36))))
                let steps: [ServerScriptStep] = [
                    .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"),
                    .sendBytes(Array(start)), .sendRepeatedly(Data(count: 64 * 1024), times: 4),
                ]
                try await expectBounded(128, steps)
            }
        }
    }

    private let mebibyte = 1024 * 1024

    /// Downloads so many mebibytes to a file.
    private func expectFile(_ mebibytes: Int, _ steps: [ServerScriptStep]) async throws {
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("f")
            try await LoopbackServer.playing({ _ in steps }) { server in
                let memory = Recorder<Int>()
                memory.append(Resident.mebibytes)
                let watching = Listener { (_: Event) in memory.append(Resident.mebibytes) }
                let connector = Connector.curl().wrapped(by: .listen(to: watching))
                let fetched = await Endpoint.download(.get(server.url.absoluteString), to: file)
                    .fetch(via: connector)
                memory.append(Resident.mebibytes)
                let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
                guard fetched.right != nil, size == mebibytes * mebibyte else { throw Unexpected(fetched) }
                try memory.expectGrowth(below: 40)
            }
        }
    }

    /// Reads so many mebibytes as a stream, and makes other calls after each of the first chunks.
    private func expectBounded(_ mebibytes: Int, _ steps: [ServerScriptStep]) async throws {
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        let small = Array(repeating: [ServerScriptStep.receiveRequest, .send(ok)], count: 1000).flatMap(\.self)
        try await LoopbackServer.playing({ $0 == 0 ? [.receiveRequest] + steps : small }) { server in
            let (connector, memory) = (Connector.curl(), Recorder<Int>())
            memory.append(Resident.mebibytes)
            let output = await WebAPI.call(with: Input(url: server.url, delivery: .stream), via: connector)
            let body = try #require(output.response?.body)
            var (size, chunks, end) = (0, 0, "complete")
            do {
                while let chunk = try await body.next() {
                    (size, chunks) = (size + chunk.count, chunks + 1)
                    if chunks <= 20 {
                        for _ in 0..<50 { _ = await WebAPI.call(with: Input(url: server.url), via: connector) }
                    }
                    memory.append(Resident.mebibytes)
                }
            } catch {
                // The bomb has no end.
                end = "\(error)"
            }
            guard size >= mebibytes * mebibyte else { throw Unexpected("\(size) bytes, \(end)") }
            try memory.expectGrowth(below: 40)
        }
    }

    /// The memory of this process.
    private enum Resident {
        static var mebibytes: Int {
            let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
            return (pages?.dropFirst().first.flatMap { Int($0) } ?? .max / 4096) * 4096 / mebibyte
        }
    }

    extension Recorder<Int> {
        fileprivate func expectGrowth(below limit: Int) throws {
            guard let first = elements.first, let most = elements.max(), most - first < limit else {
                let words = "\(elements.first ?? 0) MiB before, \(elements.max() ?? 0) at most"
                FileHandle.standardError.write(Data(words.utf8))
                throw Unexpected(words)
            }
        }
    }
#endif
