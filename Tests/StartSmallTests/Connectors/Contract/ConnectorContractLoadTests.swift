import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Testing

extension ConnectorContract {
    /// Many calls, large payloads, and reused connections.
    @Suite("contract of engines: load") struct LoadTests {
        private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

        @Test("a payload may reach the limit", arguments: EngineUnderTest.all)
        func atLimit(engine: EngineUnderTest) async throws {
            let output = try await engine.output(of: Self.ok, limit: 2)
            #expect(output.response?.payload == Data("hi".utf8))
        }

        @Test(
            "a payload over the limit: payloadTooLarge, with all bytes up to it",
            arguments: EngineUnderTest.all,
            [-1, 0, 1]
        )
        func overLimit(engine: EngineUnderTest, limit: Int) async throws {
            let output = try await engine.output(of: Self.ok, limit: limit)
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
            "a connection is reused after a payload that was read to its end",
            arguments: EngineUnderTest.ofSharedConnections,
            [Delivery.memory, .stream]
        )
        func keepAlive(engine: EngineUnderTest, delivery: Delivery) async throws {
            let connections = Recorder<Int>()
            let steps: [ServerScriptStep] = [.receiveRequest, .send(Self.ok)]
            try await LoopbackServer.playing({
                connections.append($0)
                return steps + steps + steps
            }) { server in
                let connector = engine.connector()
                for _ in 0..<3 {
                    let input = Input(url: server.url, delivery: delivery)
                    let output = await WebAPI.call(with: input, via: connector)
                    let payload = try await output.response?.wholePayload()
                    #expect(payload == Data("hi".utf8))
                }
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
            "a request on a connection that the server has closed is retried, or fails with connectionLost",
            arguments: EngineUnderTest.ofSharedConnections.filter { $0.defects[.errorNames] == nil },
            [HTTPMethodAndPayload.get, .put(payload: .hello), .delete(payload: .hello), .post(payload: .hello)]
        )
        func stale(engine: EngineUnderTest, methodAndPayload: HTTPMethodAndPayload) async throws {
            for end in [ServerScriptStep.close, .reset] {
                let first: [ServerScriptStep] = [.receiveRequest, .send(Self.ok), .receiveHead, end]
                try await LoopbackServer.playing({ $0 == 0 ? first : [.receiveRequest, .send(Self.ok)] }) { server in
                    let connector = engine.connector(idle: .seconds(5))
                    _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                    let input = Input(url: server.url, methodAndPayload: methodAndPayload)
                    let output = await WebAPI.call(with: input, via: connector)
                    let name = output.connectionError?.name ?? "hasResponse"
                    // A request with a payload may have been processed (RFC 9110 9.2.2), or its payload may not be
                    // available any more.
                    #expect(name == "hasResponse" || (methodAndPayload.payload != nil && name == "connectionLost"))
                    if name == "hasResponse" {
                        let bodies = server.received.elements.dropFirst().map { RawMessage($0).body }
                        #expect(bodies.contains(methodAndPayload.body ?? Data()))
                    }
                }
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

        @Test("1,000 concurrent calls succeed", arguments: EngineUnderTest.all)
        func many(engine: EngineUnderTest) async throws {
            try await expectEachItsOwn(via: engine.connector())
        }

        @Test("1,000 concurrent calls succeed through the standard connector")
        func manyStandard() async throws {
            try await expectEachItsOwn(via: .standard)
        }

        @Test(
            "each of many calls cancelled at random moments ends once, and other calls go on",
            arguments: EngineUnderTest.all
        )
        func cancelStorm(engine: EngineUnderTest) async throws {
            DescriptorLimit.raised
            try await engine.check(.cancelStorm) {
                let connector = engine.connector()
                try await LoopbackServer.serving(.echoingTarget) { server in
                    let ends = await withTaskGroup { group in
                        for number in 0..<(isExhaustive ? 2000 : 500) {
                            let input = Input(url: server.url.appending(path: "\(number)"))
                            group.addTask {
                                let call = Task { await WebAPI.call(with: input, via: connector) }
                                for _ in 0..<Int.random(in: 0..<200) { await Task.yield() }
                                call.cancel()
                                return await call.value.connectionError?.name ?? "hasResponse"
                            }
                        }
                        return await group.reduce(into: []) { $0.append($1) }
                    }
                    #expect(ends.count == (isExhaustive ? 2000 : 500))
                    #expect(Set(ends).isSubset(of: ["cancelled", "hasResponse"]))
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    #expect(output.response?.payload == Data("/".utf8), "\(output)")
                }
            }
        }

        private func expectEachItsOwn(via connector: Connector) async throws {
            DescriptorLimit.raised
            let count = try await LoopbackServer.serving(.echoingTarget) { server in
                await withTaskGroup { group in
                    for number in 0..<1000 {
                        let input = Input(url: server.url.appending(path: "\(number)"))
                        group.addTask {
                            let output = await WebAPI.call(with: input, via: connector)
                            return output.response?.payload == Data("/\(number)".utf8) ? 1 : 0
                        }
                    }
                    return await group.reduce(0, +)
                }
            }
            #expect(count == 1000)
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

/// 1 MiB of zeros in some 1,000 bytes of gzip.
let gzippedMebibyteOfZeros =
    "H4sIAAAAAAACA+3BMQEAAADCoPVPbQhfo" + String(repeating: "A", count: 1355) + "PgMc6jinAAAQAA=="
