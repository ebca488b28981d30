#if os(Linux)
    import Foundation
    import StartSmallTesting
    import TestSupport
    import Testing

    import StartSmall
    @testable import StartSmallCore

    @Suite("behaviour of the engine for Linux beyond the contract") struct CurlExchangeTests {
        private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

        @Test(
            "a request on a connection that the server closes or resets unanswered is retried only if that is safe",
            arguments: [
                (HTTPMethodAndPayload.get, [:], 3), (.head, [:], 3), (.put(payload: .large), [:], 3),
                (.delete(payload: nil), [:], 3), (.post(payload: nil), [:], 2), (.post(payload: .small), [:], 2),
                (.patch(payload: .small), [:], 2), (.post(payload: .small), ["Idempotency-Key": "1"], 3),
            ] as [(HTTPMethodAndPayload, HTTPHeaders, Int)]
        )
        func sentAnew(methodAndPayload: HTTPMethodAndPayload, headers: HTTPHeaders, requests: Int) async throws {
            for end in [ServerScriptStep.close, .reset] {
                let first: [ServerScriptStep] = [.receiveRequest, .send(Self.ok), .receiveRequest, end]
                try await LoopbackServer.playing({ $0 == 0 ? first : [.receiveRequest, .send(Self.ok)] }) { server in
                    let connector = Connector.curl()
                    _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                    let input = Input(url: server.url, headers: headers, methodAndPayload: methodAndPayload)
                    let output = await WebAPI.call(with: input, via: connector)
                    #expect(server.received.elements.count == requests)
                    #expect((output.response != nil) == (requests == 3), "\(output)")
                    if requests == 2 { #expect(output.connectionError?.name == "connectionLost") }
                    let bodies = server.received.elements.dropFirst().map { RawMessage($0).body }
                    #expect(bodies.allSatisfy { $0 == methodAndPayload.body ?? Data() })
                }
            }
        }

        /// The payloads for which libcurl asks, and one for which it does not.
        private static let asked = [
            HTTPMethodAndPayload.put(payload: .huge), .post(payload: .huge),
            .put(payload: Payload(.stream(PayloadStream { try await $0.write(Data("hello".utf8)) }), mediaType: nil)),
            .post(payload: .small),
        ]

        @Test(
            "after 417, the request is sent once more, without Expect and on another connection (RFC 9110 10.1.1)",
            arguments: asked,
            [true, false]
        )
        func expectationFailed(methodAndPayload: HTTPMethodAndPayload, refusesAlways: Bool) async throws {
            let refusal = "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno"
            let steps: [ServerScriptStep] = [.receiveHead, .send(refusal), .receiveRequest, .close]
            let last: [ServerScriptStep] = [
                .receiveHead, .send("HTTP/1.1 100 Continue\r\n\r\n"), .receiveRequest,
                .send(refusesAlways ? refusal : Self.ok),
            ]
            let isAsked = methodAndPayload != Self.asked.last
            // A connection that ended after its response would lose a second `POST` that is sent meanwhile.
            let server = try await LoopbackServer.playing({ $0 == 0 && isAsked ? steps : last + last }) { server in
                let connector = Connector.curl()
                // A handle that is used again asks again.
                for delivery in refusesAlways ? [Delivery.memory, .stream] : [.stream, .memory] {
                    var input = Input(url: server.url, methodAndPayload: methodAndPayload, delivery: delivery)
                    input.headers = ["Expect": "100-Continue"]
                    let response = await WebAPI.call(with: input, via: connector).response
                    #expect(response?.statusCode == (refusesAlways ? .expectationFailed : .ok))
                    let payload = try await response?.wholePayload()
                    #expect(payload == Data((refusesAlways ? "no" : "hi").utf8))
                    #expect(response?.headers.values(of: "Content-Length") == ["2"] && response?.trailers == [:])
                }
                return server
            }
            let asked = server.received.elements.map { RawMessage($0).headers["Expect"] == "100-continue" }
            #expect(asked.filter { $0 }.count == (isAsked ? 2 : 0))
            #expect(asked.filter { !$0 }.count == (isAsked ? 1 : 2))
        }

        @Test("after 417, the payload of the error that follows has its limit, too")
        func endlessErrorAfterExpectation() async throws {
            let refusal = "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno"
            let busy = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 100000000\r\n\r\n"
            let kibibyte = Data(repeating: UInt8(ascii: "x"), count: 1024)
            let first: [ServerScriptStep] = [.receiveHead, .send(refusal), .receiveRequest, .close]
            let last: [ServerScriptStep] = [.receiveRequest, .send(busy), .sendRepeatedly(kibibyte, times: 97_656)]
            try await LoopbackServer.playing({ $0 == 0 ? first : last }) { server in
                let headers: HTTPHeaders = ["Expect": "100-continue"]
                let input = Input(url: server.url, headers: headers, methodAndPayload: .put(payload: .huge))
                let output = await WebAPI.call(with: input, via: .curl())
                #expect(output.response?.statusCode == .serviceUnavailable)
                #expect(output.connectionError?.name == "payloadTooLarge")
                #expect(output.response?.payload.count ?? 0 <= ErrorPayloadLimit.defaultBytes)
            }
            #expect(ErrorPayloadLimit.defaultBytes == 1 << 20)
        }

        @Test("a payload in a requested coding that libcurl does not know is returned undecoded")
        func unknownCoding() async throws {
            let answer = "HTTP/1.1 200 OK\r\nContent-Encoding: x-own\r\nContent-Length: 2\r\n\r\nhi"
            let steps: [ServerScriptStep] = [.receiveRequest, .send(answer)]
            try await LoopbackServer.playing({ _ in steps + steps + steps + steps }) { server in
                let connector = Connector.curl()
                for asked in ["x-own", "X-Own;q=1, compress", "x-own, gzip", ""] {
                    let headers: HTTPHeaders = asked.isEmpty ? [:] : ["Accept-Encoding": asked]
                    let output = await WebAPI.call(with: Input(url: server.url, headers: headers), via: connector)
                    if asked.isEmpty || asked.contains("gzip") {
                        #expect(output.connectionError?.name == "unreadablePayload", "\(output)")
                    } else {
                        #expect(output.response?.payload == Data("hi".utf8), "\(output)")
                    }
                }
            }
        }

        @Test("fields that libcurl would add or interpret are sent as given") func ownFields()
            async throws
        {
            let headers: HTTPHeaders = [
                "Expect": "", "accept": "", "User-Agent": "me", "Content-Length": "5", "Accept-Encoding": "identity",
                "Host": "example.com", "X-A": " padded ", "X-Semicolon;": "",
            ]
            let legal = HTTPHeaders(headers.fields.filter { !$0.name.contains(";") })
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.ok)] }) { server in
                let input = Input(url: server.url, headers: legal, methodAndPayload: .post(payload: .small))
                _ = await WebAPI.call(with: input, via: .curl())
                let message = RawMessage(try #require(server.received.elements.first))
                for field in legal.fields {
                    let value = field.value.trimmingCharacters(in: .whitespaces)
                    #expect(message.headers.values(of: field.name) == [value])
                }
                #expect(message.headers["Content-Type"] == nil)
            }
        }
    }

    extension Payload {
        /// More bytes than are sent without asking.
        fileprivate static let huge = Payload(.data(Data(count: (1 << 20) + 1)), mediaType: nil)

        fileprivate static let small = Payload(.data(Data("hello".utf8)), mediaType: nil)

        /// More bytes than are copied.
        fileprivate static let large = Payload(.data(Data.pattern(count: 200_000).dropFirst(7)), mediaType: nil)
    }
#endif
