import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallCaching

struct CacheTests {
    private let store = TestStore()
    private let time = TestTime()
    private let sent = Recorder<Input>()

    private func connector(_ outputs: Output..., options: CacheOptions = CacheOptions()) -> Connector {
        Connector.stub(sequence: outputs, recording: sent).cached(store.store, time, options)
    }

    private static let lost = Output.noResponse(.connectionLost(.init(domain: "test", code: 1, text: "lost")))

    private func fresh(_ text: String = "one", _ seconds: Int = 60, _ headers: HTTPHeaders = [:]) -> Output {
        .text(
            text,
            headers: headers.merging(["Cache-Control": "max-age=\(seconds)", "Date": HTTPDate.text(time.date)])
        )
    }

    // Hits.

    @Test("a fresh response is the answer, with its age and its status (RFC 9111 4, 5.1; RFC 9211 2)")
    func hit() async {
        let connector = connector(fresh())
        #expect(await connector.output().statusText == "StartSmall; fwd=uri-miss; ttl=60; stored")
        time.pass(42.5)
        let output = await connector.output()
        #expect(output.text == "one" && output.response?.headers["Age"] == "42")
        #expect(output.statusText == "StartSmall; hit; ttl=17" && sent.elements.count == 1)
    }

    @Test("each answer is reported once, and no event and no key contains a credential or the URL's secrets")
    func events() async {
        let log = EventLog()
        let connector = Connector.stub(fresh("one", 60, ["Vary": "Authorization"])).cached(store.store, time)
            .wrapped(by: .listen(to: log.listener))
        let input = Input.get(["Authorization": "Bearer hunter2"], URL(string: "https://u:hunter2@api.example.com/a")!)
        _ = await (connector.output(input), connector.output(input))
        let details = log.events.compactMap { $0.reported(CacheStatus.self)?.description }
        #expect(details == ["StartSmall; fwd=uri-miss; ttl=60; stored", "StartSmall; hit; ttl=60"])
        #expect(store.keys.count == 1 && !"\(store.keys)".contains("hunter2"))
        #expect(!store.all.flatMap(\.variant.fields).contains { $0.value.contains("hunter2") })
    }

    @Test("a hit above the limit of the request ends as any payload above it")
    func payloadLimit() async {
        let connector = connector(fresh("12345"))
        _ = await connector.output()
        let limited = { (limit: Int) in Input.get().with { $0.payloadLimit = limit } }
        let output = await connector.output(limited(3))
        guard case .noResponse(.payloadTooLarge(let response, limit: 3)) = output else {
            Issue.record("\(output)")
            return
        }
        #expect(response.payload == Data("123".utf8))
        #expect(await connector.output(limited(5)).text == "12345")
        #expect(await connector.output(limited(-1)).response == nil)
    }

    @Test("only-if-cached is answered from the store, or with 504 (5.2.1.7)")
    func onlyIfCached() async {
        let connector = connector(fresh())
        let input = Input.get(["Cache-Control": "only-if-cached"])
        let output = await connector.output(input)
        #expect(output.response?.statusCode == .gatewayTimeout && sent.elements.isEmpty)
        #expect(output.statusText == "StartSmall; detail=only-if-cached")
        _ = await connector.output()
        #expect(await connector.output(input).text == "one")
    }

    @Test("a 404 makes the older response stale, even if its payload is broken, and is not stored then")
    func brokenNotFound() async {
        let missing = Response(statusCode: .notFound, headers: ["Cache-Control": "max-age=60"])
        let broken = Output.noResponse(
            .unreadablePayload(.init(domain: "test", code: 1, text: "broken", partial: missing))
        )
        let connector = connector(fresh("one"), broken, fresh("two"))
        _ = await connector.output()
        #expect(await connector.output(.get(["Cache-Control": "no-cache"])) == broken)
        #expect(await connector.output().text == "two" && sent.elements.count == 3)
    }

    // Validation.

    @Test("a stale response is validated, and is the answer with the fields of the 304 (4.3.3, 4.3.4)")
    func validated() async {
        let new: HTTPHeaders = ["ETag": "\"1\"", "Cache-Control": "max-age=5", "X": "new"]
        let connector = connector(fresh("one", 60, ["ETag": "\"1\"", "X": "old"]), .status(.notModified, headers: new))
        _ = await connector.output()
        time.pass(60)
        let output = await connector.output()
        #expect(sent.elements.last?.headers["If-None-Match"] == "\"1\"")
        #expect(output.text == "one" && output.response?.statusCode == .ok && output.response?.headers["X"] == "new")
        #expect(output.statusText == "StartSmall; fwd=stale; fwd-status=304; ttl=5; stored")
        #expect(await connector.output().statusText == "StartSmall; hit; ttl=5")
    }

    @Test("a 304 for an unknown version is not used: the request is repeated without conditions (4.3.4)")
    func unknownVersion() async {
        let other = Output.status(.notModified, headers: ["ETag": "\"other\""])
        let connector = connector(fresh("one", 60, ["ETag": "\"1\""]), other, fresh("two"))
        _ = await connector.output()
        time.pass(60)
        #expect(await connector.output().text == "two")
        #expect(sent.elements.map { $0.headers.contains("If-None-Match") } == [false, true, false])
    }

    @Test("a server that answers 304 without being asked gets no further request")
    func unaskedNotModified() async {
        let output = await connector(.status(.notModified)).output()
        #expect(output.response?.statusCode == .notModified && store.all.isEmpty && sent.elements.count == 1)
    }

    // Errors.

    @Test(
        "a stale response replaces an error where stale-if-error allows (RFC 5861 4)",
        arguments: [500, 502, 503, 504, 0]
    )
    func staleIfError(_ code: Int) async {
        let failure = code == 0 ? Self.lost : .text("failed", status: .from(code: code))
        let connector = connector(
            fresh("one", 60, ["X": "1"]),
            failure,
            options: CacheOptions(staleIfError: .seconds(9))
        )
        _ = await connector.output()
        time.pass(65)
        let output = await connector.output()
        #expect(output.text == "one" && output.response?.headers["Age"] == "65")
        let forwarded = code == 0 ? "" : "; fwd-status=\(code)"
        #expect(output.statusText == "StartSmall; fwd=stale\(forwarded); ttl=-5; detail=stale-if-error")
    }

    @Test("an older response is not used after a newer one that is not stored, not even after an error (4, 4.4)")
    func invalidatedIsNotUsed() async {
        let options = CacheOptions(staleIfError: .seconds(9))
        let newer = Output.text("new", headers: ["Cache-Control": "no-store"])
        let connector = connector(fresh(), newer, Self.lost, options: options)
        _ = await connector.output()
        _ = await connector.output(.get(["Cache-Control": "no-cache"]))
        #expect(await connector.output() == Self.lost)
    }

    // Storing.

    @Test("variants are stored side by side, 32 at most (4.1)")
    func variants() async {
        let connector = Connector.stub(recording: sent) { [self] in
            fresh($0.headers["Accept"] ?? "", 60, ["Vary": "Accept"])
        }.cached(store.store, time)
        for round in 0..<2 {
            for number in 0..<CacheStore.maximumVariants {
                let output = await connector.output(.get(["Accept": "\(number)"]))
                #expect(output.text == "\(number)" && output.cacheStatus?.isHit == (round == 1))
            }
        }
        _ = await connector.output(.get(["Accept": "one more"]))
        #expect(store.all.count == 1)
    }

    @Test("inside of .redirect, each URL has its own response; outside, none is stored")
    func redirects() async {
        let moved = Output.status(.movedPermanently, headers: ["Location": "/b", "Cache-Control": "max-age=60"])
        let stub = Connector.stub(recording: sent) { [self] in $0.url.path() == "/a" ? moved : fresh($0.url.path()) }
        let inside = stub.cached(store.store, time).wrapped(by: .redirect())
        for _ in 0..<2 { #expect(await inside.output().text == "/b") }
        #expect(sent.elements.count == 2 && store.keys.count == 2)
        let other = TestStore()
        let outside = stub.wrapped(by: .redirect()).cached(other.store, time)
        #expect(await outside.output().cacheStatus?.detail == "redirected" && other.keys.isEmpty)
    }

    // Invalidation.

    @Test("an unsafe method removes what is stored for all identities, and its Location (4.4)")
    func invalidation() async {
        let connector = Connector.stub(recording: sent) { [self] in
            $0.methodAndPayload == .get ? fresh() : .status(.created, headers: ["Location": "/b"])
        }.cached(store.store, time)
        let (a, b) = (URL.test, URL(string: "https://api.example.com/b")!)
        for url in [a, b] { for user in ["1", "2"] { _ = await connector.output(.get(["Cookie": user], url)) } }
        #expect(store.keys.count == 4)
        #expect(await connector.output(.post(["Cookie": "3"])).statusText == "StartSmall; fwd=method")
        #expect(store.keys.isEmpty && store.removed == ["https://api.example.com/a", "https://api.example.com/b"])
    }

    @Test("a stream gets the body of the server itself, and nothing of it is stored, nor is it answered from the store")
    func streams() async throws {
        let bodies = Recorder<ResponseBody>()
        let opening = Connector { [fields = fresh().response?.headers ?? [:]] input in
            let output = Output.open(Response(statusCode: .ok, headers: fields), ["new".utf8])
            if let body = output.response?.body { bodies.append(body) }
            return input.delivery == .stream ? output : .text("old", headers: fields)
        }
        let connector = opening.cached(store.store, time)
        _ = await connector.output()
        for count in 2...3 {
            let output = await connector.output(.get().with { $0.delivery = .stream })
            #expect(output.response?.body == bodies.elements.last && bodies.elements.count == count)
            #expect(output.cacheStatus == nil)
            #expect(try await output.response?.body?.next() == Data("new".utf8))
        }
        #expect(store.all.count == 1)
        #expect(await connector.output().text == "old")
    }

    @Test("an unsafe method whose payload is a stream invalidates as soon as its head arrives")
    func invalidationByBodies() async {
        let opening = Connector { [answer = fresh()] input in
            input.delivery == .stream ? .open(Response(statusCode: .ok), ["a".utf8], silent: true) : answer
        }
        let connector = opening.cached(store.store, time)
        _ = await connector.output()
        #expect(store.all.count == 1)
        let output = await connector.output(.post().with { $0.delivery = .stream })
        #expect(store.keys.isEmpty)
        output.discard()
    }
}
