#if os(Linux)
    import Foundation
    import ParityTrait
    import StartSmall
    import StartSmallTesting
    import Testing

    /// Each test runs in its own process, so that its memory can be measured.
    @Suite("memory of the engine for Linux", .timeLimit(.minutes(2))) struct CurlStreamTests {
        @Test("256 MiB to a slow consumer use less than 40 MiB of memory") func slowConsumer() async {
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
            "256 MiB in 200 bytes of br use less than 40 MiB of memory, to a file and to a slow consumer",
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

        @Test("a gzip bomb to a slow consumer uses less than 40 MiB of memory") func bomb() async {
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

    /// Has a consumer receive so many mebibytes, and makes another call after each of its first chunks.
    private func expectBounded(_ mebibytes: Int, _ steps: [ServerScriptStep]) async throws {
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        let small = Array(repeating: [ServerScriptStep.receiveRequest, .send(ok)], count: 1000).flatMap(\.self)
        try await LoopbackServer.playing({ $0 == 0 ? [.receiveRequest] + steps : small }) { server in
            let (connector, memory, taken) = (Connector.curl(), Recorder<Int>(), Recorder<Int>())
            memory.append(Resident.mebibytes)
            let consumer = PayloadConsumer { part in
                guard case .chunk(let data) = part else { return }
                taken.append(data.count)
                if taken.elements.count <= 20 {
                    for _ in 0..<50 { _ = await WebAPI.call(with: Input(url: server.url), via: connector) }
                }
                memory.append(Resident.mebibytes)
            }
            let input = Input(url: server.url, destination: .consumer(consumer))
            let output = await WebAPI.call(with: input, via: connector)
            let size = taken.elements.reduce(0, +)
            guard size >= mebibytes * mebibyte else { throw Unexpected("\(size) bytes, \(output)") }
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
