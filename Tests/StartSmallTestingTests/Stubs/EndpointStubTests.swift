import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Testing

@Suite struct EndpointStubTests {
    private struct User: Codable, Hashable, Sendable {
        var login: String
        var publicRepos = 1
    }

    private let user = Endpoint.json(
        User.self,
        .get("https://a/users/{login}", ["login": "octocat"]),
        problem: ProblemDetails.self
    )
    private let octocat = User(login: "octocat")

    @Test("an endpoint decodes its own stub")
    func value() async {
        #expect(await user.fetch(via: .stub(user.stub(octocat))) == .right(octocat))
    }

    @Test("a stub has the format of the real API if its encoder is the counterpart of the endpoint's decoder")
    func encoder() async {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let user = Endpoint.json(User.self, .get("https://a/user"), decoder: decoder)
        let stub = user.stub(octocat, encoder: encoder)
        let text = stub.output.response.map { String(decoding: $0.payload, as: UTF8.self) } ?? ""
        #expect(text.contains("public_repos"))
        #expect(await user.fetch(via: .stub(stub)) == .right(octocat))
    }

    private struct Event: Codable, Hashable, Sendable {
        var createdAt = Date(timeIntervalSince1970: 1_700_000_000)
        var avatarURL = "https://b/"
    }

    /// The strategies of decoders, and the date as the APIs of these decoders write it.
    private static let decoders: [(JSONDecoder.KeyDecodingStrategy, JSONDecoder.DateDecodingStrategy, String)] = [
        (.useDefaultKeys, .deferredToDate, "721692800"), (.useDefaultKeys, .iso8601, "\"2023-11-14T22:13:20Z\""),
        (.useDefaultKeys, .secondsSince1970, "1700000000"), (.useDefaultKeys, .millisecondsSince1970, "1700000000000"),
        (.convertFromSnakeCase, .iso8601, "\"2023-11-14T22:13:20Z\""),
    ]

    @Test(
        "without an encoder, the stub finds one whose output the endpoint decodes to the same value",
        arguments: decoders
    )
    private func found(
        keys: JSONDecoder.KeyDecodingStrategy,
        dates: JSONDecoder.DateDecodingStrategy,
        date: String
    ) async {
        let decoder = JSONDecoder()
        (decoder.keyDecodingStrategy, decoder.dateDecodingStrategy) = (keys, dates)
        let event = Endpoint.json(Event.self, .get("https://a/event"), decoder: decoder)
        let stub = event.stub(Event())
        let text = stub.output.response.map { String(decoding: $0.payload, as: UTF8.self) } ?? ""
        #expect(text.contains(":\(date)"), "\(text)")
        #expect(await event.fetch(via: .stub(stub)) == .right(Event()))
    }

    /// A type that is not `Equatable`, so that only its encoded form shows whether two values are the same.
    private struct Note: Codable, Sendable {
        var date: Date
    }

    @Test("a value that is not equatable is compared by its encoded form", arguments: decoders)
    private func notEquatable(
        keys: JSONDecoder.KeyDecodingStrategy,
        dates: JSONDecoder.DateDecodingStrategy,
        date: String
    ) async throws {
        let decoder = JSONDecoder()
        (decoder.keyDecodingStrategy, decoder.dateDecodingStrategy) = (keys, dates)
        let note = Endpoint.json(Note.self, .get("https://a/note"), decoder: decoder)
        let value = Note(date: Date(timeIntervalSince1970: 1_700_000_000))
        #expect(try #require(await note.fetch(via: .stub(note.stub(value))).right).date == value.date)
    }

    /// A type whose `==` compares the names and ignores the dates.
    private struct Badge: Codable, Equatable, Sendable {
        var name = "octocat"
        var date = Date(timeIntervalSince1970: 1_700_000_000.123)
        static func == (left: Badge, right: Badge) -> Bool { left.name == right.name }
    }

    @Test("members that == ignores keep their values too, but for the precision that a date loses when it is encoded")
    func ignoredMembers() async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let badge = Endpoint.json(Badge.self, .get("https://a/badge"), decoder: decoder)
        let read = try #require(await badge.fetch(via: .stub(badge.stub(Badge()))).right)
        #expect(abs(read.date.timeIntervalSince(Badge().date)) < 0.001)
    }

    @Test("a decoder that accepts only snake-case names gets snake-case names")
    func snakeCase() async {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .custom { path in
            let name = path.last?.stringValue ?? ""
            return SnakeKey(stringValue: name == "public_repos" ? "publicRepos" : name == "login" ? name : "unknown")
        }
        let user = Endpoint.json(User.self, .get("https://a/user"), decoder: decoder)
        #expect(await user.fetch(via: .stub(user.stub(octocat))) == .right(octocat))
    }

    private struct SnakeKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    @Test("an encoder that does not match the decoder is an error")
    func wrongEncoder() async {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let error = await user.fetch(via: .stub(user.stub(octocat, encoder: encoder))).connectionError
        #expect(error?.name == "malformedPayload")
        #expect(error?.debugInfo.contains("publicRepos") == true)
    }

    @Test("stubs of texts, bytes and empty payloads have the form that the endpoint expects")
    func otherKinds() async {
        let input = Either<ConnectionError, Input>.get("https://a/")
        let text = Endpoint.text(input)
        #expect(await text.fetch(via: .stub(text.stub("hi"))) == .right("hi"))
        let json = Endpoint.json(String.self, input)
        #expect(await json.fetch(via: .stub(json.stub("hi"))) == .right("hi"))
        let data = Endpoint.data(input)
        #expect(await data.fetch(via: .stub(data.stub(Data([0, 0xFF])))) == .right(Data([0, 0xFF])))
        let empty = Endpoint.empty(input)
        #expect(await empty.fetch(via: .stub(empty.stub())).right != nil)
    }

    @Test(
        "a text that is itself valid JSON is decoded as the same text",
        arguments: ["\"abc\"", "null", "7", "", "{}"]
    )
    func textsOfJSON(text: String) async {
        let input = Either<ConnectionError, Input>.get("https://a/")
        let json = Endpoint.json(String.self, input)
        #expect(await json.fetch(via: .stub(json.stub(text))) == .right(text))
        let optional = Endpoint.json(String?.self, input)
        #expect(await optional.fetch(via: .stub(optional.stub(text))) == .right(text))
        let plain = Endpoint.text(input)
        #expect(await plain.fetch(via: .stub(plain.stub(text))) == .right(text))
        let bytes = Endpoint.json(Data.self, input)
        #expect(await bytes.fetch(via: .stub(bytes.stub(Data(text.utf8)))) == .right(Data(text.utf8)))
    }

    @Test(
        "without a status, a stub has the first accepted one in a fixed order",
        arguments: [(HTTPStatus.created, 201), (.from(code: 299), 299), (.notFound, 404), (.from(code: 102), 102)]
    )
    func acceptedStatus(_ status: HTTPStatus, _ code: Int) async {
        let user = Endpoint.json(User.self, .get("https://a/user"), accepting: .only(status))
        let stub = user.stub(octocat)
        #expect(stub.output.response?.statusCode.code == code)
        #expect(await user.fetch(via: .stub(stub)) == .right(octocat))
        #expect(self.user.stub(octocat).output.response?.statusCode == .ok)
    }

    @Test(
        "a status that the endpoint does not accept is an error with the accepted statuses and the value",
        .exhaustive,
        arguments: [
            (AcceptedStatuses.success, HTTPStatus.notFound, "404 Not Found, but 200–299,"),
            (.only(.created, .ok, .notModified), .notFound, "404 Not Found, but 200–201, 304,"),
            (.only(.created), .ok, "200 OK, but 201,"),
            (AcceptedStatuses { _ in false }, .ok, "200 OK, nor any other status,"),
        ]
    )
    func unacceptedStatus(accepting: AcceptedStatuses, status: HTTPStatus, text: String) {
        let input = Either<ConnectionError, Input>.get("https://a/user")
        let user = Endpoint.json(User.self, input, problem: User.self, accepting: accepting)
        let reasons = [user.stub(octocat, status: status)] + (accepting.contains(.ok) ? [] : [user.stub(octocat)])
        let expected = "the endpoint does not accept \(text) for the value User(login: \"octocat\", publicRepos: 1)"
        #expect(reasons.first?.output.connectionError?.debugInfo == expected)
        #expect(reasons.allSatisfy { $0.output.response != nil || $0.output.connectionError?.debugInfo == expected })
    }

    @Test("with a mapped failure, too, an unaccepted status is an error, and an accepted one is found")
    func unacceptedStatusOfMappedFailure() async {
        let created = Endpoint.json(User.self, .get("https://a/user"), accepting: .only(.created))
            .mapFailure { AppError.status($0.response.statusCode) }
        #expect(await created.fetch(via: .stub(created.stub(octocat))) == .right(octocat))
        let error = created.stub(octocat, status: .ok).output.connectionError
        #expect(error?.debugInfo.contains("does not accept 200 OK, but 201, for the value User(") == true)
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let unreadable = created.stub(octocat, status: .created, encoder: encoder).output.connectionError
        #expect(unreadable?.debugInfo.contains("can't read its own stub") == true)
    }

    private enum AppError: Error, Equatable {
        case status(HTTPStatus)
    }

    @Test("the error of an unaccepted status shows the value without credentials and shortened")
    func shownValue() {
        let text = Endpoint.text(.get("https://a/"))
        let secret = text.stub("https://a/?token=s3cr3t", status: .notFound).output.connectionError
        #expect(secret?.debugInfo.contains("s3cr3t") == false)
        let long = text.stub(String(repeating: "a", count: 10_000), status: .notFound).output.connectionError
        #expect(long.map { $0.debugInfo.count < 400 } == true)
    }

    @Test("a stub of a value, a problem or a status alone has the given header fields")
    func headers() async {
        let headers: HTTPHeaders = ["ETag": "\"v1\"", "Content-Type": "application/vnd.a+json"]
        let outputs = [
            user.stub(octocat, headers: headers), user.stub(status: .notModified, headers: headers),
            user.stub(problem: ProblemDetails(title: "a"), status: .notFound, headers: headers),
        ].map(\.output)
        #expect(outputs.map { $0.response?.headers } == [headers, headers, headers])
    }

    @Test("stubs of several endpoints form a fake API, which reports unknown requests")
    func api() async {
        let list = Endpoint.json([User].self, .get("https://a/users", queries: ["page": "1", "size": "2"]))
        let unexpected = Recorder<Input>()
        let api = Connector.stub(user.stub(octocat), list.stub([octocat]), unexpected: unexpected)
        #expect(await list.fetch(via: api) == .right([octocat]))
        #expect(await user.fetch(via: api) == .right(octocat))
        #expect(await WebAPI.call(with: Sample.input("https://a/users?size=2&page=1"), via: api).response != nil)
        let other = Sample.input("https://a/users?page=2&size=2")
        let error = await WebAPI.call(with: other, via: api).connectionError
        #expect(error?.debugInfo.contains("stubbed → requested: query: − page=1; query: + page=2") == true)
        #expect(unexpected.elements == [other])
    }
}
