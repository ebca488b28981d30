import Foundation
import Testing

@testable import StartSmallCore
@testable import StartSmallURLSession

@Suite struct URLSessionExchangeTests {
    private let start = SuspendingClock.now
    private let head = Response(statusCode: .ok, headers: ["A": "b"])

    @Test("head and payload become the response")
    func whole() {
        var exchange = exchange()
        exchange.received(head: head, at: start)
        #expect(exchange.received(Data("he".utf8), at: start) == nil)
        #expect(exchange.received(Data("llo".utf8), at: start) == nil)
        #expect(exchange.output(error: nil) == .hasResponse(response("hello")))
    }

    @Test(
        "a head of 1xx is not the response, except 101, after which no other head follows",
        arguments: [HTTPStatus.continue, .switchingProtocols, .processing, .earlyHints]
    )
    func interim(status: HTTPStatus) {
        var exchange = exchange()
        let first = Response(statusCode: status)
        #expect(exchange.received(head: first, at: start) == nil)
        if status == .switchingProtocols { return #expect(exchange.output(error: nil) == .hasResponse(first)) }
        #expect(exchange.output(error: nil).connectionError?.name == "noDataOrNoResponse")
        #expect(exchange.received(head: head, at: start) == nil)
        #expect(exchange.output(error: nil) == .hasResponse(head))
    }

    @Test("a second head ends the call as an unreadable payload, with the part that arrived, and gives no second head")
    func severalHeads() {
        for deliversParts in [false, true] {
            var exchange = URLSessionExchange(
                payloadLimit: nil,
                deliversParts: deliversParts,
                idleTimeout: .seconds(15),
                now: start
            )
            #expect(exchange.received(head: head, at: start) == nil)
            #expect(exchange.received(Data("he".utf8), at: start) == nil)
            let error = exchange.received(head: Response(statusCode: .ok), at: start)?.connectionError
            #expect(error?.name == "unreadablePayload")
            #expect(error?.cause?.partial == (deliversParts ? head : response("he")))
            _ = exchange.takePart(at: start)
            if case .head? = exchange.takePart(at: start) { Issue.record("a second head for the reader") }
        }
    }

    @Test("a connection lost before the response is stale only if it was used before")
    func stale() {
        let lost = NSError(domain: NSURLErrorDomain, code: NSURLErrorNetworkConnectionLost)
        var exchange = exchange()
        #expect(!exchange.isStale(lost))
        exchange.transferState.measured = RequestTimings(total: .zero, reusedConnection: false)
        #expect(!exchange.isStale(lost))
        exchange.transferState.measured = RequestTimings(total: .zero, reusedConnection: true)
        #expect(exchange.isStale(lost))
        #expect(!exchange.isStale(nil))
        #expect(!exchange.isStale(NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut)))
        #expect(!exchange.isStale(NSError(domain: "other", code: NSURLErrorNetworkConnectionLost)))
        exchange.received(head: head, at: start)
        #expect(!exchange.isStale(lost))
    }

    @Test("an error keeps the part that had arrived")
    func partial() {
        var exchange = exchange()
        exchange.received(head: head, at: start)
        _ = exchange.received(Data("hel".utf8), at: start)
        let error = exchange.output(error: URLErrorStub(), final: head).connectionError
        #expect(error?.cause?.partial == response("hel"))
    }

    @Test("a head that was never announced is the response, and the part of an error, as that of a redirect on Linux")
    func final() {
        #expect(exchange().output(error: nil, final: head) == .hasResponse(head))
        let error = exchange().output(error: URLErrorStub(), final: head).connectionError
        #expect(error?.cause?.partial == head)
    }

    @Test("the payload may reach its limit, and not one byte more: a part is cut there", arguments: [0, 1, 4])
    func limit(limit: Int) {
        for rest in ["", "abcd"] {
            var exchange = exchange(limit: limit)
            exchange.received(head: head, at: start)
            let first = rest.isEmpty ? "abcd".prefix(limit) : ""
            #expect(exchange.received(Data(first.utf8), at: start) == nil)
            #expect(
                exchange.received(Data("\(rest)!".utf8), at: start)
                    == .noResponse(.payloadTooLarge(response(String("abcd".prefix(limit))), limit: limit))
            )
        }
    }

    @Test("each activity restarts the idle timeout")
    func idle() {
        var exchange = exchange(idle: .seconds(2))
        #expect(exchange.deadline == start + .seconds(2))
        exchange.sent(at: start + .seconds(1))
        #expect(exchange.deadline == start + .seconds(3))
        exchange.received(head: head, at: start + .seconds(2))
        #expect(exchange.deadline == start + .seconds(4))
        _ = exchange.received(Data("a".utf8), at: start + .seconds(3))
        #expect(exchange.deadline == start + .seconds(5))
    }

    @Test("while another limit counts until the head, the idle timeout begins with the head")
    func limitedUntilHead() {
        var exchange = exchange(idle: .seconds(2), isLimitedUntilHead: true)
        exchange.sent(at: start)
        exchange.received(head: Response(statusCode: .continue), at: start)
        #expect(exchange.deadline == nil)
        #expect(exchange.output(expiredAt: start + .seconds(1_000)) == nil)
        exchange.received(head: head, at: start + .seconds(20))
        #expect(exchange.deadline == start + .seconds(22))
    }

    @Test("the payload of a redirect that is followed is given up after a short time, and at a small size")
    func redirect() {
        let found = Response(statusCode: .found, headers: ["Location": "/next"])
        for (head, isGivenUp) in [(found, true), (Response(statusCode: .found), false), (head, false)] {
            var exchange = URLSessionExchange(payloadLimit: nil, followsRedirects: true, idleTimeout: nil, now: start)
            exchange.received(head: head, at: start)
            _ = exchange.received(Data("note".utf8), at: start + .milliseconds(99))
            #expect(exchange.output(expiredAt: start + .milliseconds(99)) == nil)
            var noted = head
            noted.payload = Data("note".utf8)
            #expect(exchange.output(expiredAt: start + .milliseconds(100)) == (isGivenUp ? .hasResponse(noted) : nil))
            let rest = exchange.received(Data(count: 64 * 1024 - 3), at: start)
            #expect((rest?.response?.payload.count == 64 * 1024) == isGivenUp)
        }
    }

    @Test("a call times out at its deadline, and not before")
    func expiry() {
        var exchange = exchange(idle: .milliseconds(300))
        exchange.received(head: head, at: start)
        #expect(exchange.output(expiredAt: start + .milliseconds(299)) == nil)
        let error = exchange.output(expiredAt: start + .milliseconds(300))?.connectionError
        #expect(error?.name == "timedOut")
        #expect(error?.cause?.partial == head)
    }

    @Test("a reader gets the head, then the payload, and the response has no payload")
    func parts() {
        var exchange = exchange(deliversParts: true)
        #expect(taken(from: &exchange) == [])
        exchange.received(head: head, at: start)
        #expect(taken(from: &exchange) == [.head(head)])
        _ = exchange.received(Data("he".utf8), at: start)
        _ = exchange.received(Data("llo".utf8), at: start)
        #expect(taken(from: &exchange) == [.chunk(Data("hello".utf8))])
        #expect(exchange.output(error: nil) == .hasResponse(head))
    }

    @Test("the bytes that wait for a reader may reach the limit, and not one byte more, whatever was taken before")
    func limitOfWaiting() {
        var exchange = exchange(limit: 3, deliversParts: true)
        exchange.received(head: head, at: start)
        for _ in 0..<3 {
            #expect(exchange.received(Data("abc".utf8), at: start) == nil)
            _ = taken(from: &exchange)
        }
        #expect(exchange.received(Data("abc".utf8), at: start) == nil)
        #expect(exchange.received(Data("d".utf8), at: start) == .noResponse(.payloadTooLarge(head, limit: 3)))
        #expect(taken(from: &exchange) == [.chunk(Data("abc".utf8))])
    }

    @Test("while a reader is behind there is no deadline, and then the idle timeout restarts")
    func paused() {
        var exchange = exchange(idle: .seconds(2), deliversParts: true)
        exchange.received(head: head, at: start)
        _ = exchange.takePart(at: start)
        _ = exchange.received(Data(count: URLSessionExchange.fullBytes), at: start)
        #expect(exchange.isFull)
        #expect(exchange.deadline == nil)
        _ = exchange.takePart(at: start + .seconds(60))
        #expect(!exchange.isFull)
        #expect(exchange.deadline == start + .seconds(62))
    }

    private func taken(from exchange: inout URLSessionExchange) -> [URLSessionExchange.Part] {
        var parts: [URLSessionExchange.Part] = []
        while let part = exchange.takePart(at: start) { parts.append(part) }
        return parts
    }

    private func exchange(
        idle: Duration? = .seconds(15),
        limit: Int? = nil,
        deliversParts: Bool = false,
        isLimitedUntilHead: Bool = false
    ) -> URLSessionExchange {
        URLSessionExchange(
            payloadLimit: limit,
            deliversParts: deliversParts,
            isLimitedUntilHead: isLimitedUntilHead,
            idleTimeout: idle,
            now: start
        )
    }

    private func response(_ payload: String) -> Response {
        var response = head
        response.payload = Data(payload.utf8)
        return response
    }
}

private struct URLErrorStub: Error {}
