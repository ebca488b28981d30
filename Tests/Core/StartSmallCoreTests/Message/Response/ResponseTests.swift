import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct ResponseTests {
    @Test("a response is compared and hashed by its status, headers, payload and URL", .parity("A4"))
    func parts() {
        let response = Response(statusCode: .ok, headers: ["A": "1"], payload: Data([1]))
        #expect(Response(statusCode: .ok) == Response(statusCode: .ok, headers: [:], payload: Data(), redirections: []))
        #expect(
            Set([response, Response(statusCode: .from(code: 200), headers: ["a": "1"], payload: Data([1]))]).count == 1
        )
        #expect(response != Response(statusCode: .ok, headers: ["A": "1"], payload: Data([2])))
        #expect(Response(statusCode: .ok, url: Fixture.url) != Response(statusCode: .ok))
    }

    @Test("a response is described on one line, without its payload and with its redirections")
    func description() {
        let response = Response(
            statusCode: .notFound,
            headers: ["Content-Type": "text/plain", "Set-Cookie": "hunter2", "X": "a\r\nb"],
            payload: Data("hunter2".utf8),
            redirections: [
                Redirection(
                    from: URL(string: "https://u:hunter2@h/a")!,
                    statusCode: .found,
                    to: URL(string: "https://h/b")!
                )
            ]
        )
        #expect(
            response.description
                == #"404 Not Found [Content-Type: text/plain, 2 more], 7 bytes, "#
                + "after 302 Found: https://<redacted>@h/a → https://h/b"
        )
        #expect(Response(statusCode: .ok, url: URL(string: "https://u:hunter2@h/")).description == "200 OK, 0 bytes")
        let located = Response(statusCode: .found, headers: ["Location": "https://h/?token=hunter2"])
        #expect(!located.description.contains("hunter2"))
        #expect(located.description(redacting: .none).contains("hunter2"))
    }

    @Test("a response with a body has no payload, shows no byte of it, and equals only a response with the same body")
    func body() {
        var (one, other) = (Response(statusCode: .ok), Response(statusCode: .ok))
        one.content = .body(ResponseBody(Data("hunter2".utf8)))
        other.content = .body(ResponseBody(Data("hunter2".utf8)))
        let copy = one
        #expect(one.payload == Data())
        #expect(one == copy && one != other && one != Response(statusCode: .ok))
        #expect(Set([one, copy, other]).count == 2)
        #expect(one.description == "200 OK, a body")
        for shown: Any in [one, one.content, Output.hasResponse(one)] {
            var dumped = ""
            dump(shown, to: &dumped)
            #expect(!dumped.contains("hunter2") && dumped.contains("a body"), "\(dumped)")
        }
    }

    @Test("a delivered payload has a size and no bytes, in memory and in any other form", arguments: [1, 1_000])
    func delivered(_ count: Int) async throws {
        let head = Response(statusCode: .ok, headers: ["A": "1"])
        var response = head.delivering(count)
        #expect(response.content == .delivered(bytes: count) && response.payload.isEmpty && response.body == nil)
        #expect(response.description == "200 OK [1 more], \(count) bytes delivered")
        #expect(response != head && response.head == head && head.delivering(0) == head)
        let whole = Response(statusCode: .ok, payload: Data([1]))
        #expect(whole.delivering(count) == whole)
        for delivery in [Delivery.memory, .stream] {
            let output = await WebAPI.call(
                with: Fixture.input.with { $0.delivery = delivery },
                via: .stub(.hasResponse(response))
            )
            #expect(try await output.response?.wholePayload() == Data())
        }
        response.payload.append(2)
        #expect(response.content == .data(Data([2])))
    }

    @Test("a payload that is set replaces the body, which ends then")
    func replacedBody() {
        let ends = Recorder<ResponseBody.End>()
        var response = Response(statusCode: .ok)
        response.content = .body(ResponseBody(Data("old".utf8)))
        response.body?.onEnd { ends.append($0) }
        response.payload = Data("new".utf8)
        response.payload.append(Data("er".utf8))
        #expect(response.payload == Data("newer".utf8))
        #expect(response.body == nil)
        #expect(ends.elements == [.discarded])
    }

    @Test("a change of a copy does not reach the response, and a payload that has no copy grows in place")
    func changes() {
        let response = Response(statusCode: .ok, headers: ["A": "1"], payload: Data("a".utf8))
        var copy = response
        copy.statusCode = .created
        copy.headers["A"] = "2"
        copy.trailers["B"] = "3"
        copy.payload.append(Data("b".utf8))
        #expect(response == Response(statusCode: .ok, headers: ["A": "1"], payload: Data("a".utf8)))
        #expect(
            copy == Response(statusCode: .created, headers: ["A": "2"], payload: Data("ab".utf8), trailers: ["B": "3"])
        )
        var growing = Response(statusCode: .ok, payload: Data(capacity: 100_000))
        growing.payload.append(Data(count: 1_000))
        let start = growing.payload.withUnsafeBytes(\.baseAddress)
        for _ in 0..<90 { growing.payload.append(Data(count: 1_000)) }
        #expect(growing.payload.withUnsafeBytes(\.baseAddress) == start)
    }

    @Test("a body ends with the last reference to its response, although a head, an error and an event are kept")
    func released() {
        let ends = Recorder<ResponseBody.End>()
        var response: Response? = Response(statusCode: .ok)
        response?.content = .body(ResponseBody { Data("a".utf8) })
        response?.body?.onEnd { ends.append($0) }
        let head = response?.head
        let error = head.map { ConnectionError.refused(TestRefusal(), after: $0) }
        let event = head.map { Event.receivedHead($0) }
        #expect(ends.elements.isEmpty)
        response = nil
        #expect(ends.elements == [.discarded] && head != nil && error != nil && event != nil)
    }
}
