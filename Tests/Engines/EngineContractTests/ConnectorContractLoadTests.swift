import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

extension ConnectorContract {
    /// Many calls, large payloads, and reused connections.
    @Suite("contract of engines: load") struct LoadTests {
        private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

        @Test(
            "a payload may reach the limit, and over it is payloadTooLarge, with all bytes up to it",
            arguments: EngineUnderTest.all,
            [-1, 0, 1, 2]
        )
        func limit(engine: EngineUnderTest, limit: Int) async throws {
            let output = try await engine.output(of: Self.ok, limit: limit)
            if limit == 2 { return #expect(output.response?.payload == Data("hi".utf8)) }
            guard case .noResponse(.payloadTooLarge(let response, limit)) = output else { throw Unexpected(output) }
            #expect(response.statusCode == .ok)
            #expect(response.payload == Data("hi".utf8.prefix(max(0, limit))))
        }

        @Test("an endless payload ends at the limit, and its connection with it", arguments: EngineUnderTest.all)
        func endless(engine: EngineUnderTest) async throws {
            let block = Data(count: 64 * 1024)
            let output = try await engine.output(
                of: [.send("HTTP/1.1 200 OK\r\n\r\n"), .sendRepeatedly(block, times: 1_000_000)],
                limit: 1_000_000
            )
            guard case .noResponse(.payloadTooLarge(let response, _)) = output else { throw Unexpected(output) }
            #expect(response.payload.count == 1_000_000)
        }

        @Test("the limit of a decompression bomb applies after decompression", arguments: EngineUnderTest.all)
        func bomb(engine: EngineUnderTest) async throws {
            let bomb = try #require(Data(base64Encoded: gzippedMebibyteOfZeros))
            let output = try await engine.output(
                of: [
                    .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"),
                    .sendBytes(Array(bomb)),
                ],
                limit: 100_000
            )
            guard case .noResponse(.payloadTooLarge(let response, _)) = output else { throw Unexpected(output) }
            #expect(response.payload.isSame(as: Data(count: 100_000)))
        }

        @Test("each of many payloads over the limit ends at its limit", arguments: EngineUnderTest.all)
        func manyOverLimit(engine: EngineUnderTest) async throws {
            let connector = engine.connector().wrapped(by: .limitPayload(bytes: 10))
            let names = try await LoopbackServer.serving(.echoingTarget) { server in
                await withTaskGroup { group in
                    for number in 0..<500 {
                        let input = Input(url: server.url.appending(path: "a-long-path-\(number)"))
                        group.addTask { await WebAPI.call(with: input, via: connector).connectionError?.name ?? "none" }
                    }
                    return await group.reduce(into: Set<String>()) { $0.insert($1) }
                }
            }
            #expect(names == ["payloadTooLarge"])
        }

        @Test(
            "one connection carries all calls whose payloads were read and sent to their ends",
            arguments: EngineUnderTest.ofSharedConnections
        )
        func keepAlive(engine: EngineUnderTest) async throws {
            let connections = Recorder<Int>()
            let contents: [Payload.Content?] = [
                nil, nil, .stream(PayloadStream { try await $0.write(Data("hello".utf8)) }), nil,
                .data(Data("hi".utf8)), .stream(PayloadStream(length: 6) { try await $0.write(Data("world!".utf8)) }),
            ]
            let exchange: [ServerScriptStep] = [.receiveRequest, .send(Self.ok)]
            try await LoopbackServer.playing({
                connections.append($0)
                return Array(repeating: exchange, count: contents.count).flatMap(\.self)
            }) { server in
                let connector = engine.connector()
                for (number, content) in contents.enumerated() {
                    let put = content.map { HTTPMethodAndPayload.put(payload: Payload($0, mediaType: nil)) }
                    let delivery = number.isMultiple(of: 2) ? Delivery.memory : .stream
                    let input = Input(url: server.url, methodAndPayload: put ?? .get, delivery: delivery)
                    let payload = try await WebAPI.call(with: input, via: connector).response?.wholePayload()
                    #expect(payload == Data("hi".utf8))
                }
                let bodies = server.received.elements.map { String(decoding: RawMessage($0).body, as: UTF8.self) }
                #expect(bodies == ["", "", "5\r\nhello\r\n0\r\n\r\n", "", "hi", "world!"])
            }
            #expect(connections.elements == [0])
        }

        @Test("connections end with the connector", arguments: EngineUnderTest.all)
        func release(engine: EngineUnderTest) async throws {
            let closed = Latch()
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.ok), .waitForClose, .open(closed)] }) {
                server in
                _ = await WebAPI.call(with: Input(url: server.url), via: engine.connector())
                await closed.wait()
            }
        }

        @Test(
            "a request with an Idempotency-Key is retried on a closed connection, whatever the method",
            arguments: EngineUnderTest.all
        )
        func staleWithKey(engine: EngineUnderTest) async throws {
            let first: [ServerScriptStep] = [.receiveRequest, .send(Self.ok), .receiveHead, .close]
            try await LoopbackServer.playing({ $0 == 0 ? first : [.receiveRequest, .send(Self.ok)] }) { server in
                let connector = engine.connector(idle: .seconds(5))
                _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                let input = Input(
                    url: server.url,
                    headers: ["Idempotency-Key": "1"],
                    methodAndPayload: .post(payload: .hello)
                )
                #expect(await WebAPI.call(with: input, via: connector).response != nil)
            }
        }
    }
}

extension Connector {
    /// A server that answers with the path of the request.
    fileprivate static let echoingTarget = stub { input in
        .hasResponse(Response(statusCode: .ok, payload: Data(input.url.path(percentEncoded: true).utf8)))
    }
}

extension Payload {
    fileprivate static let hello = Payload(.data(Data("hello".utf8)), mediaType: .text)
}
