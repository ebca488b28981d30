#if os(Linux)
    import AsyncHTTPClient
    import Foundation
    import GitHubAPI
    import NIOCore
    import NIOFoundationCompat
    import NIOSSL

    extension Engine {
        /// AsyncHTTPClient with at most this number of connections to a host, or with its default of 8 if it is nil.
        static func asyncHTTPClient(_ order: Order, connections: Int?) -> Engine {
            var configuration = HTTPClient.Configuration()
            if let connections {
                configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
            }
            if let caFile = order.caFile {
                configuration.tlsConfiguration = .makeClientConfiguration()
                configuration.tlsConfiguration?.trustRoots = .file(caFile.path)
            }
            configuration.httpVersion = order.multiplexes ? .automatic : .http1Only
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            let decodes = order.engine.decodes
            let user = HTTPClientRequest(url: order.user.absoluteString)
            let large = HTTPClientRequest(url: order.large.absoluteString)
            return Engine(
                user: {
                    let response = try await client.execute(user, timeout: .seconds(60)).checked
                    let body = try await response.body.collect(upTo: 1 << 20)
                    if decodes {
                        _ = try JSONDecoder().decode(GitHubUser.self, from: body)
                    } else if body.readableBytes == 0 {
                        throw WrongAnswer(what: "no payload")
                    }
                },
                downloadToMemory: {
                    let response = try await client.execute(large, timeout: .seconds(60)).checked
                    return try await response.body.collect(upTo: Nginx.largeBytes).readableBytes
                },
                downloadToFile: { place in
                    let delegate = try FileDownloadDelegate(path: place.path)
                    let request = try HTTPClient.Request(url: order.large)
                    _ = try await client.execute(request: request, delegate: delegate).get()
                },
                upload: { file in
                    var request = HTTPClientRequest(url: order.upload.absoluteString)
                    request.method = .POST
                    request.body = .stream(FileChunks(file: file), length: .known(Int64(Nginx.largeBytes)))
                    let response = try await client.execute(request, timeout: .seconds(60)).checked
                    return Int(String(buffer: try await response.body.collect(upTo: 1024))) ?? 0
                },
                end: { try await client.shutdown() }
            )
        }
    }

    extension HTTPClientResponse {
        fileprivate var checked: HTTPClientResponse {
            get throws {
                if status != .ok { throw WrongAnswer(what: "status \(status)") }
                return self
            }
        }
    }

    /// A file in chunks of 64 KiB, the size that StartSmall reads.
    private struct FileChunks: AsyncSequence, Sendable {
        let file: URL

        struct Iterator: AsyncIteratorProtocol {
            let file: FileHandle

            func next() async throws -> ByteBuffer? {
                let data = try file.read(upToCount: 64 << 10)
                return data.flatMap { $0.isEmpty ? nil : ByteBuffer(data: $0) }
            }
        }

        func makeAsyncIterator() -> Iterator {
            Iterator(file: FileHandle(forReadingAtPath: file.path) ?? .nullDevice)
        }
    }
#endif
