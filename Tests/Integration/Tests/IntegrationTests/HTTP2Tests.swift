import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Many calls to one host over shared connections.
@Suite("HTTP/2", .timeLimit(.minutes(1)))
struct HTTP2Tests {
    private static let calls = 100

    @Test(
        "100 concurrent calls to one TLS host use one connection, and each gets its own response",
        arguments: Engine.withCAFile
    )
    func oneConnection(engine: Engine) async throws {
        try await Certificates.made { certificates in
            try await TestServer.running(.http2OverTLS(certificates.good.server)) { server in
                // The server answers no request before all have arrived.
                let responses = try await engine.use(caFile: certificates.caFile) { connector in
                    try await Self.atOnce("/barrier/\(Self.calls)/", server, connector)
                }
                #expect(responses.map(\.payload) == (0..<Self.calls).map { Data("\($0)".utf8) })
                #expect(responses.allSatisfy { $0.headers["X-HTTP-Version"] == "2" })
                #expect(server.accepted.elements.count == 1)
            }
        }
    }

    @Test("100 concurrent payloads arrive whole on one connection, though POST may not be repeated")
    func uploads() async throws {
        try await Certificates.made { certificates in
            try await TestServer.running(.http2OverTLS(certificates.good.server)) { server in
                let connector = Connector.curl(options: ConnectionOptions(proxy: .none, caFile: certificates.caFile))
                await withTaskGroup(of: Void.self) { group in
                    for index in 0..<Self.calls {
                        group.addTask {
                            let bytes = Routes.bytes(2000 * index)
                            let payload = Payload(.data(bytes), mediaType: .octetStream)
                            let input = Input(url: server.url("/echo"), methodAndPayload: .post(payload: payload))
                            let output = await WebAPI.call(with: input, via: connector)
                            let isWhole = output.response?.payload == bytes
                            #expect(isWhole, "\(index): \(output)")
                        }
                    }
                }
                #expect(server.accepted.elements.count == 1)
            }
        }
    }

    @Test("cancelled calls do not affect later ones")
    func manyCancelled() async throws {
        try await Certificates.made { certificates in
            try await TestServer.running(.http2OverTLS(certificates.good.server)) { server in
                let connector = Connector.curl(options: ConnectionOptions(proxy: .none, caFile: certificates.caFile))
                let bytes = Routes.bytes(300_000)
                let post = HTTPMethodAndPayload.post(payload: Payload(.data(bytes), mediaType: .octetStream))
                let input = Input(url: server.url("/echo"), methodAndPayload: post)
                // Less than 200 in total, the number from which SwiftNIO assumes an attack (CVE-2023-44487).
                for round in 0..<18 {
                    let calls = (0..<10).map { _ in Task { await WebAPI.call(with: input, via: connector) } }
                    for _ in 0..<round * 10 { await Task.yield() }
                    for call in calls { call.cancel() }
                    for call in calls {
                        let output = await call.value
                        let isWhole = output.response?.payload == bytes
                        #expect(isWhole || output == .noResponse(.cancelled), "\(output)")
                    }
                    let later = await WebAPI.call(with: input, via: connector)
                    let isWhole = later.response?.payload == bytes
                    #expect(isWhole, "\(later)")
                }
            }
        }
    }

    @Test("HTTP/1.1 is used on request, with one connection for each concurrent call")
    func http1() async throws {
        try await Certificates.made { certificates in
            try await TestServer.running(.http2OverTLS(certificates.good.server)) { server in
                let options = ConnectionOptions(httpVersion: .http1_1, proxy: .none, caFile: certificates.caFile)
                let responses = try await Self.atOnce("/barrier/10/", count: 10, server, .curl(options: options))
                #expect(responses.allSatisfy { $0.headers["X-HTTP-Version"] == "1.1" })
                #expect(server.accepted.elements.count == 10)
            }
        }
    }

    @Test("a body that nobody reads delays neither large nor small payloads of its host, and is read in the end")
    func slowReader() async throws {
        try await Certificates.made { certificates in
            try await TestServer.running(.http2OverTLS(certificates.good.server)) { server in
                let connector = Connector.curl(options: ConnectionOptions(proxy: .none, caFile: certificates.caFile))
                // Opens a connection that a stream could share.
                _ = await WebAPI.call(with: Input(url: server.url("/hello")), via: connector)
                let input = Input(url: server.url("/zeros/33554432"), delivery: .stream)
                let slow = try #require(await WebAPI.call(with: input, via: connector).response?.body)
                let first = try #require(try await slow.next()).count
                // Meanwhile, more waits for this reader than its window holds.
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<3 {
                        group.addTask {
                            let output = await WebAPI.call(with: input, via: connector)
                            return try await Self.bytes(of: try #require(output.response?.body, "\(output)"))
                        }
                    }
                    for try await bytes in group { #expect(bytes == 33_554_432) }
                }
                let others = try await Self.atOnce("/barrier/20/", count: 20, server, connector)
                #expect(others.map(\.payload) == (0..<20).map { Data("\($0)".utf8) })
                #expect(try await first + Self.bytes(of: slow) == 33_554_432)
            }
        }
    }

    /// Reads a body to its end, and returns the number of its bytes.
    private static func bytes(of body: ResponseBody) async throws -> Int {
        var count = 0
        while let chunk = try await body.next() { count += chunk.count }
        return count
    }

    /// The responses of many concurrent calls, in their order.
    private static func atOnce(
        _ path: String,
        count: Int = calls,
        _ server: TestServer,
        _ connector: Connector
    ) async throws -> [Response] {
        let outputs = await withTaskGroup(of: (Int, Output).self) { group in
            for index in 0..<count {
                group.addTask {
                    (index, await WebAPI.call(with: Input(url: server.url("\(path)\(index)")), via: connector))
                }
            }
            return await group.reduce(into: Array<Output?>(repeating: nil, count: count)) { $0[$1.0] = $1.1 }
        }
        return try outputs.map { try #require($0?.response, "\(String(describing: $0))") }
    }
}
