#if os(Linux) && !APPLE_BRANCH
    import Foundation
    import FoundationNetworking
    @testable import StartSmall
    import StartSmallTesting
    import Testing

    @Suite(.timeLimit(.minutes(1))) struct URLSessionPayloadStreamTests {
        @Test("the stream gives the payload, and then its end", arguments: [1, 1000, 65_536, 200_000])
        func stream(size: Int) async throws {
            try withFile(.pattern(count: 100_000)) { file in
                let pipe = URLSessionPayloadPipe(try PayloadSource(.file(file)))
                let stream = URLSessionPayloadStream(pipe)
                #expect(stream.streamStatus == .notOpen)
                stream.open()
                #expect(stream.streamStatus == .open)
                var bytes = Data()
                var buffer = [UInt8](repeating: 0, count: size)
                while stream.hasBytesAvailable {
                    let count = stream.read(&buffer, maxLength: size)
                    guard count > 0 else { throw Unexpected(count) }
                    bytes += buffer.prefix(count)
                }
                #expect(bytes.isSame(as: .pattern(count: 100_000)))
                #expect(pipe.end() == nil)
            }
        }

        @Test("the read of an unreadable payload returns -1, and the reason is kept")
        func failure() async throws {
            try withFile(Data(count: 1000)) { file in
                let pipe = URLSessionPayloadPipe(try PayloadSource(.file(file)))
                truncate(file.path, 10)
                var buffer = [UInt8](repeating: 0, count: 100)
                let count = URLSessionPayloadStream(pipe).read(&buffer, maxLength: 100)
                #expect(count == -1)
                #expect(pipe.end()?.name == "malformedPayload")
            }
        }

        @Test("after the end of a call no file is open, and a read by Foundation returns -1")
        func ended() async throws {
            try withFile(Data(count: 1000)) { file in
                let pipe = URLSessionPayloadPipe(try PayloadSource(.file(file)))
                var buffer = [UInt8](repeating: 0, count: 100)
                let stream = URLSessionPayloadStream(pipe)
                #expect(stream.read(&buffer, maxLength: 100) == 100)
                #expect(openFiles(under: file.deletingLastPathComponent()) == 1)
                #expect(pipe.end() == nil)
                #expect(openFiles(under: file.deletingLastPathComponent()) == 0)
                #expect(stream.read(&buffer, maxLength: 100) == -1)
            }
        }

        @Test("a request keeps its type or gets none, and has a length instead of chunks")
        func fields() async throws {
            try withFile(Data(count: 10)) { file in
                let pipe = URLSessionPayloadPipe(try PayloadSource(.file(file)))
                var request = URLRequest(url: URL(filePath: "/"))
                let bare = request.carrying(pipe, count: 10)
                #expect(bare.value(forHTTPHeaderField: "Content-Length") == "10")
                #expect(bare.value(forHTTPHeaderField: "Transfer-Encoding") == " ")
                #expect(bare.value(forHTTPHeaderField: "Content-Type") == " ")
                request.setValue("image/png", forHTTPHeaderField: "Content-Type")
                let typed = request.carrying(pipe, count: 10)
                #expect(typed.value(forHTTPHeaderField: "Content-Type") == "image/png")
            }
        }

        @Test("an empty file that has grown is an error, though nothing of it is read")
        func grown() async throws {
            try withFile(Data()) { file in
                let source = try PayloadSource(.file(file))
                #expect(URLSessionPayloadPipe(source).failureOfNothing() == nil)
                try Data([1]).write(to: file)
                #expect(URLSessionPayloadPipe(source).failureOfNothing()?.name == "malformedPayload")
            }
        }

        @Test("a server that repeatedly breaks off uploads causes errors, and leaves no file open")
        func brokenOff() async throws {
            try await withFile(Data(count: 8 * 1024 * 1024)) { file in
                let put = HTTPMethodAndPayload.post(payload: Payload(.file(file), mediaType: nil))
                try await LoopbackServer.playing({ _ in [.receiveHead, .reset] }) { server in
                    let connector = Connector.urlSession()
                    for _ in 0..<50 {
                        let input = Input(url: server.url, methodAndPayload: put)
                        let output = await WebAPI.call(with: input, via: connector)
                        #expect(output.connectionError?.name == "connectionLost")
                    }
                }
                #expect(openFiles(under: file.deletingLastPathComponent()) == 0)
            }
        }
    }
#endif
