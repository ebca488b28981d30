import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct EventStreamEndpointFactoriesTests {
    private let input = Either<ConnectionError, Input>.get("https://api.example.com/events")
    private let sent = Recorder<Input>()

    private func all<S: AsyncSequence>(_ sequence: S) async -> [S.Element] where S.Failure == Never {
        var elements: [S.Element] = []
        for await element in sequence { elements.append(element) }
        return elements
    }

    /// Returns a connector that delivers a response in these pieces.
    private func giving(_ pieces: [String], of contentType: String, given: Recorder<String> = Recorder()) -> Connector {
        Connector { _ in
            let head = Response(statusCode: .ok, headers: ["Content-Type": contentType])
            return .open(head, pieces.map(\.utf8)) { given.append(String(decoding: $0, as: UTF8.self)) }
        }
    }

    @Test(
        "events are complete, wherever the bytes are cut, with any parameters of their media type",
        arguments: ["text/event-stream", "Text/Event-Stream; charset=utf-8", "text/event-stream;charset=iso-8859-1"]
    )
    func events(_ contentType: String) async {
        let connector = giving(["data: a\n", "\nid: 1\ndata: 日", "本\r", "\n\r\n", "data: c"], of: contentType)
        let events = await all(Endpoint.events(input).stream(via: connector))
        #expect(events == [.right(ServerSentEvent(data: "a")), .right(ServerSentEvent(data: "日本", id: "1"))])
    }

    @Test("events of a response that arrives whole are delivered nevertheless")
    func wholeResponse() async {
        let stub = Connector.stub(.text("data: a\n\n", headers: ["Content-Type": "text/event-stream"]))
        #expect(await all(Endpoint.events(input).stream(via: stub)) == [.right(ServerSentEvent(data: "a"))])
    }

    @Test("the request accepts events and disables caches, unless it has its own headers for that")
    func headers() async {
        let stub = Connector.stub(.status(.noContent), recording: sent)
        _ = await all(Endpoint.events(input).stream(via: stub))
        _ = await all(Endpoint.events(.get("https://a.example", headers: ["accept": "a/b"])).stream(via: stub))
        #expect(
            sent.elements.map(\.headers) == [
                ["Accept": "text/event-stream", "Cache-Control": "no-store"],
                ["Accept": "a/b", "Cache-Control": "no-store"],
            ]
        )
    }

    @Test("a payload of another type is malformed data that names the type, and no event of it is decoded")
    func otherType() async {
        let connector = giving(["data: a", "\n\n"], of: "text/html")
        let elements = await all(Endpoint.events(input).stream(via: connector))
        let headers: HTTPHeaders = ["Content-Type": "text/html"]
        let response = Response(statusCode: .ok, headers: headers, payload: Data("data: a\n\n".utf8))
        let reason = "text/html where text/event-stream is expected"
        #expect(elements == [.left(.right(.malformedData(response, debugInfo: reason)))])
    }

    @Test("another type, or none, is also malformed data if the response arrives whole", arguments: ["text/html", nil])
    func otherTypeOfWhole(_ contentType: String?) async {
        var response = Response(statusCode: .ok, payload: Data("data: a\n\n".utf8))
        response.headers["Content-Type"] = contentType
        let elements = await all(Endpoint.events(input).stream(via: .stub(.hasResponse(response))))
        #expect(elements.count == 1)
        guard case .malformedData(_, let debugInfo)? = elements.first?.failure else {
            Issue.record("\(elements)")
            return
        }
        #expect(debugInfo == "\(contentType ?? "no Content-Type") where text/event-stream is expected")
    }

    @Test("a response refused by an app's own rule keeps that failure")
    func rejected() async {
        let response = Response(statusCode: .ok, headers: ["Content-Type": "text/html"])
        let refusing = Connector.stub(.hasResponse(response)).wrapped(by: .validate { _ in "not now" })
        let elements = await all(Endpoint.events(input).stream(via: refusing))
        #expect(elements == [.left(.left(.rejected(response, reason: "not now")))])
    }

    @Test("204 is a stream without events")
    func noContent() async {
        #expect(await all(Endpoint.events(input).stream(via: .stub(.status(.noContent)))).isEmpty)
    }

    @Test("a refused response is one failure, with the API's problem if its type is known")
    func refused() async {
        struct FaultInjector: Decodable, Equatable {
            let message: String
        }
        let response = Response(statusCode: .forbidden, payload: Data(#"{"message":"no"}"#.utf8))
        let stub = Connector.stub(.hasResponse(response))
        #expect(await all(Endpoint.events(input).stream(via: stub)) == [.left(.right(.unexpectedStatusCode(response)))])
        let said = TransformError.problem(FaultInjector(message: "no"), response)
        #expect(
            await all(Endpoint.events(input, problem: FaultInjector.self).stream(via: stub)) == [.left(.right(said))]
        )
    }

    @Test("an event that is too long fails alone")
    func longEvent() async {
        let connector = giving(["data: abc\n\ndata: a\n\n"], of: "text/event-stream")
        let elements = await all(Endpoint.events(input, limit: 8).stream(via: connector))
        #expect(elements.map(\.right) == [nil, ServerSentEvent(data: "a")])
        guard case .malformedData(let response, let debugInfo)? = elements.first?.failure else {
            Issue.record("\(elements)")
            return
        }
        #expect(response.contentType == .eventStream)
        #expect(debugInfo == "an event is longer than 8 bytes")
    }

    @Test("an input that could not be built is one failure")
    func unbuilt() async {
        let error = ConnectionError.malformedURL(debugInfo: "no")
        #expect(await all(Endpoint.events(.left(error)).stream(via: .stub(.status(.ok)))) == [.left(.left(error))])
    }

    @Test("over a real socket: an event arrives before the next one is sent")
    func loopback() async throws {
        let isTaken = Latch()
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        // `URLSession` on Apple platforms holds the first 512 bytes back, to guess the type of a payload.
        let comment = ": \(String(repeating: "-", count: 512))\n\n"
        let script: [ServerScriptStep] = [
            .receiveRequest, .send("\(head)\(comment)data: a\n\n"), .wait(isTaken), .send("id: 2\ndata: b\n\n"),
            .close,
        ]
        let events = try await LoopbackServer.playing({ _ in script }) { server in
            var events: [ServerSentEvent?] = []
            for await errorOrEvent in Endpoint.events(.get(server.url.absoluteString)).stream(via: .patient) {
                events.append(errorOrEvent.right)
                isTaken.open()
            }
            return events
        }
        #expect(events == [ServerSentEvent(data: "a"), ServerSentEvent(data: "b", id: "2")])
    }
}
