#if os(Linux)
    import Foundation
    import Glibc
    import StartSmall
    import StartSmallDownloads
    import StartSmallTesting
    import TestSupport
    import Testing

    @Suite("downloads over the engine for Linux") struct CurlDownloadTests {
        /// Continues at once, as often as needed.
        private static let resuming = Wrapper.resumeDownloads(Backoff { $0.number < 100 ? .zero : nil })

        /// Retries until there is a response.
        private static let again = Wrapper { input, next in
            for _ in 0..<100 {
                let output = await next(input)
                if output.response != nil { return output }
            }
            return .noResponse(.cancelled)
        }

        @Test("a download that is cut at any byte leaves the whole file, or an error and the earlier file")
        func cutAnywhere() async throws {
            let content = "abcdefghijklmnopqrst"
            let whole = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 20\r\n\r\n\(content)"
            let head = whole.utf8.count - 20
            for cut in 0...whole.utf8.count {
                let offset = max(0, cut - head)
                let rest = content.dropFirst(offset)
                let fields = "ETag: \"v1\"\r\nContent-Length: \(rest.count)"
                let part =
                    "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(offset)-19/*\r\n\(fields)\r\n\r\n\(rest)"
                let first: [ServerScriptStep] = [.receiveRequest, .sendBytes(Array(whole.utf8.prefix(cut))), .close]
                let second: [ServerScriptStep] = [.receiveRequest, .send(offset == 0 ? whole : part), .close]
                let resuming = Connector.curl().wrapped(by: Self.again, Self.resuming)
                for (connector, isWhole) in [(.curl(), cut == whole.utf8.count), (resuming, true)] {
                    try await LoopbackServer.playing({ $0 == 0 ? first : second }) { server async throws in
                        let download = try await Download(Input(url: server.url), replacing: "old", via: connector)
                        #expect(download.isComplete == isWhole, "\(cut)")
                        #expect(download.text == (isWhole ? content : "old") && download.isAlone, "\(cut)")
                    }
                }
            }
        }

        /// The disk is full after 1 MiB: a limit on the size of files, in a separate process.
        @Test("a full disk ends the call, and harms neither the existing file nor the engine")
        func fullDisk() async {
            await #expect(processExitsWith: .success) {
                signal(SIGXFSZ, SIG_IGN)
                let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
                var (usual, limit) = (rlimit(), rlimit())
                getrlimit(resource, &usual)
                (limit.rlim_cur, limit.rlim_max) = (1024 * 1024, usual.rlim_max)
                setrlimit(resource, &limit)
                // The counters of coverage are written at the end of the process.
                defer { setrlimit(resource, &usual) }
                try await withFolder { folder async throws in
                    let file = folder.appendingPathComponent("f")
                    try Data("old".utf8).write(to: file)
                    let content = Data.pattern(count: 3_000_000)
                    let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(content.count)\r\n\r\n"
                    let steps: [ServerScriptStep] = [.receiveRequest, .send(head), .sendBytes(Array(content)), .close]
                    try await LoopbackServer.playing({ _ in steps }) { server in
                        let connector = Connector.curl()
                        for downloading in [connector, connector.wrapped(by: Self.resuming)] {
                            let error = await Endpoint.download(.get(server.url.absoluteString), to: file)
                                .fetch(via: downloading).left?.left
                            guard error?.name == "unwritableDestination" else {
                                throw Unexpected("\(String(describing: error))")
                            }
                        }
                        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                        guard names == ["f"], try Data(contentsOf: file) == Data("old".utf8) else {
                            throw Unexpected(names)
                        }
                        let next = await WebAPI.call(with: Input(url: server.url), via: connector)
                        guard next.response?.payload == content else { throw Unexpected(next) }
                    }
                }
            }
        }
    }
#endif
