#if os(Linux) && !APPLE_BRANCH
    import Foundation
    import StartSmall
    @testable import StartSmallURLSession
    import StartSmallTesting
    import TestSupport
    import Testing

    extension ConnectorContract {
        /// What Foundation on Linux needs for payloads that are read while they are sent, one test at a time: the queue
        /// that all sessions share waits for them.
        @Suite(.timeLimit(.minutes(1))) struct URLSessionUploadTests {
            @Test("a stream with a length is sent with this length instead of chunks")
            func fields() async throws {
                for (length, field) in [(10, " "), (nil, nil)] as [(Int?, String?)] {
                    let pipe = URLSessionPayloadPipe(PayloadStream(length: length) { _ in })
                    _ = pipe.task(for: URLRequest(url: URL(filePath: "/")), length: length) { request in
                        #expect(request.value(forHTTPHeaderField: "Content-Length") == length.map { "\($0)" })
                        #expect(request.value(forHTTPHeaderField: "Transfer-Encoding") == field)
                        return URLSession.shared.dataTask(with: request)
                    }
                    _ = pipe.end()
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
                            #expect(await WebAPI.call(with: input, via: connector).connectionError != nil)
                        }
                    }
                    while openFiles(under: file.deletingLastPathComponent()) > 0, !Task.isCancelled {
                        await Task.yield()
                    }
                }
            }
        }
    }
#endif
