import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct ConditionalResultTests {
    private let tag = ETag(opaque: "a")!
    private let user = Endpoint.text(.get("https://api.example.com/user"))

    @Test("another version has its tag and its date, for the next request")
    func modified() async throws {
        let date = Date(timeIntervalSince1970: 784_111_777)
        let headers: HTTPHeaders = ["ETag": "\"b\"", "Last-Modified": HTTPDate.text(date)]
        let sent = Recorder<Input>()
        let stub = Connector.stub(.text("new", headers: headers), recording: sent)
        let fetched = await user.ifNoneMatch(tag).fetch(via: stub)
        let validators = CacheValidators(etag: ETag(opaque: "b"), lastModified: date)
        #expect(fetched == .right(.modified("new", validators)))
        #expect(fetched.right?.modified == "new")
        _ = await user.ifChanged(from: validators).fetch(via: stub)
        let next = try #require(sent.elements.last)
        #expect(next.headers["If-None-Match"] == "\"b\"")
        #expect(next.headers["If-Modified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test("without a version, no condition is sent, and an unexpected 304 is refused")
    func first() async {
        let sent = Recorder<Input>()
        let response = Response(statusCode: .notModified)
        let stub = Connector.stub(.hasResponse(response), recording: sent)
        for endpoint in [user.ifNoneMatch(nil), user.ifModifiedSince(nil), user.ifChanged(from: nil)] {
            #expect(await endpoint.fetch(via: stub).failure == .unexpectedStatusCode(response))
        }
        #expect(sent.elements.allSatisfy { $0.headers.fields.isEmpty })
    }

    @Test("a 304 is a value if the request named a version, in the endpoint or in its builder")
    func notModified() async {
        let sent = Recorder<Input>()
        let stub = Connector.stub(.status(.notModified, headers: ["ETag": "\"a\""]), recording: sent)
        #expect(await user.ifNoneMatch(tag).map { $0.map(\.count) }.fetch(via: stub) == .right(.notModified))
        #expect(sent.elements.first?.headers["If-None-Match"] == "\"a\"")
        let built = Endpoint.text(.get("https://api.example.com/user").ifModifiedSince(Date(timeIntervalSince1970: 0)))
        #expect(await built.ifNoneMatch(nil).fetch(via: stub) == .right(.notModified))
        #expect(await built.fetch(via: stub).failure != nil)
        #expect(ConditionalResult<String>.notModified.modified == nil)
        let gone = Response(statusCode: .gone)
        let refused = await user.ifNoneMatch(tag).fetch(via: .stub(.hasResponse(gone)))
        #expect(refused.failure == .unexpectedStatusCode(gone))
    }

    @Test("listeners observe a requested 304 as a success, and an unexpected one as refused")
    func events() async {
        let log = EventLog()
        let stub = Connector.stub(.status(.notModified)).wrapped(by: .listen(to: log.listener))
        _ = await user.ifNoneMatch(tag).fetch(via: stub)
        #expect(log.names == ["started", "received", "transformed", "succeeded", "ended"])
        _ = await user.ifNoneMatch(nil).fetch(via: stub)
        #expect(log.names.suffix(5) == ["started", "received", "rejected", "failed", "ended"])
    }

    @Test("a conditional change sends its condition, and is decoded as before")
    func changes() async {
        let sent = Recorder<Input>()
        let stub = Connector.stub(.text("new"), recording: sent)
        let change = Endpoint.text(.put("https://api.example.com/user", payload: .text("new")))
        #expect(await change.ifMatch(tag).fetch(via: stub) == .right("new"))
        #expect(sent.elements.map(\.headers) == [["If-Match": "\"a\""]])
    }

    @Test("validators are encoded as JSON, and decoding invalid JSON is an error")
    func codable() throws {
        let validators = CacheValidators(
            etag: ETag(opaque: "a", isWeak: true),
            lastModified: Date(timeIntervalSince1970: 5)
        )
        let json = try JSONEncoder().encode(validators)
        #expect(try JSONDecoder().decode(CacheValidators.self, from: json) == validators)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(CacheValidators.self, from: Data(#"{"etag":"*"}"#.utf8))
        }
    }
}
