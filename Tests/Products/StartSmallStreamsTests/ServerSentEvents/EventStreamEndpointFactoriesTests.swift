import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import TestSupport
import Testing

struct EventStreamEndpointFactoriesTests {
    private let input = Either<ConnectionError, Input>.get("https://api.example.com/events")
    private let sent = Recorder<Input>()

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
