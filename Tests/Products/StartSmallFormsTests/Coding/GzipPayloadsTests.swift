import Foundation
import StartSmall
import StartSmallAuth
import StartSmallForms
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallForms

@Suite(.timeLimit(.minutes(1))) struct GzipPayloadsTests {
    private let sent = Recorder<Input>()
    private static let text = Data(String(repeating: "start small ", count: 200).utf8)
    private static let refusal = Output.status(.unsupportedMediaType)

    private func post(_ data: Data = text, mediaType: MediaType? = .text, to url: URL = Fixture.url) -> Input {
        Input(url: url, methodAndPayload: .post(payload: Payload(.data(data), mediaType: mediaType)))
    }

    private func app(_ answers: Output..., wrapper: Wrapper = .gzipPayloads()) -> Connector {
        .stub(sequence: answers, recording: sent).wrapped(by: wrapper)
    }

    /// Whether each request that was sent was compressed.
    private var isCoded: [Bool] { sent.elements.map { $0.headers["Content-Encoding"] == "gzip" } }

    @Test("a payload is sent in gzip, with its method, type and other fields")
    func coded() async throws {
        let input = post().with { $0.headers["A"] = "b" }
        _ = await WebAPI.call(with: input, via: app(.status(.ok)))
        let request = try #require(sent.elements.first)
        #expect(request.headers == ["A": "b", "Content-Encoding": "gzip"])
        #expect(request.methodAndPayload.method == "POST")
        #expect(request.sentPayload?.mediaType == .text)
        #expect(request.methodAndPayload.body == Gzip.encoded(Self.text))
    }

    @Test(
        "the size from which a payload is compressed is the default one or that of the app",
        arguments: [1_024, 10_000]
    )
    func size(least: Int) async {
        for count in [least - 1, least] {
            let payload = Data(repeating: 0x61, count: count)
            _ = await WebAPI.call(with: post(payload), via: app(.status(.ok), wrapper: .gzipPayloads(from: least)))
        }
        #expect(isCoded == [false, true])
    }

    @Test(
        "a request whose bytes are described stays as it is",
        arguments: [
            "Content-Encoding", "Content-Range", "Content-Digest", "Repr-Digest", "content-length", "Digest",
            "Content-MD5", "x-amz-content-sha256",
        ]
    )
    func described(field: String) async {
        let input = post().with { $0.headers[field] = "identity" }
        _ = await WebAPI.call(with: input, via: app(.status(.ok)))
        #expect(sent.elements == [input])
    }

    @Test("the payload of a PUT, which a server stores, stays as it is, unless the app names the method")
    func methods() async {
        let put = post().with { $0.methodAndPayload = .put(payload: $0.methodAndPayload.payload) }
        for wrapper in [Wrapper.gzipPayloads(), .gzipPayloads(methods: ["PUT"])] {
            _ = await WebAPI.call(with: put, via: app(.status(.ok), wrapper: wrapper))
        }
        #expect(isCoded == [false, true])
    }

    @Test("what is not in memory, has no payload, or has no origin stays as it is")
    func others() async throws {
        let stream = try #require(Either<ConnectionError, Payload>.writer { _ in }.right)
        let file = Payload(.file(URL(filePath: "/nowhere")), mediaType: nil)
        let relative = try #require(URL(string: "/a"))
        let inputs = [
            Fixture.input, Input(url: Fixture.url, methodAndPayload: .post(payload: nil)),
            Input(url: Fixture.url, methodAndPayload: .post(payload: stream)),
            Input(url: Fixture.url, methodAndPayload: .post(payload: file)), post(to: relative),
        ]
        for input in inputs { _ = await WebAPI.call(with: input, via: app(.status(.ok))) }
        #expect(sent.elements == inputs)
    }

    @Test(
        "a request for a token is never compressed",
        arguments: [
            ("grant_type=password&a=", MediaType.form), (#"{"grant_type":"password","a":""#, .json),
            ("a=b&grant%5Ftype=x&c=", .form),
        ]
    )
    func token(start: String, type: MediaType) async {
        let payload = Data(start.utf8) + Self.text
        _ = await WebAPI.call(with: post(payload, mediaType: type), via: app(.status(.ok)))
        #expect(isCoded == [false])
    }

    @Test("no request of a refresh is compressed, in whatever form it has its credentials")
    func refresh() async {
        let sent = sent
        let engine = Connector.stub(recording: sent) { $0.url == Fixture.url ? .status(.unauthorized) : .status(.ok) }
            .wrapped(by: .gzipPayloads())
        let (url, text) = (URL(string: "https://auth.example.com/token")!, Self.text)
        let store = TokenStore(load: { AccessToken("old") }, save: { _ in })
        let app = engine.wrapped(
            by: .refreshToken(in: store) { _, _ in
                let input = Input(url: url, methodAndPayload: .post(payload: Payload(.data(text), mediaType: .text)))
                _ = await WebAPI.call(with: input, via: engine)
                return Fetched<TransformError<Never>, AccessToken>.right(AccessToken("new"))
            }
        )
        _ = await WebAPI.call(with: post(), via: app)
        #expect(sent.elements.map { $0.url == url } == [false, true, false])
        #expect(isCoded == [true, false, true])
    }

    @Test("after a 415, the request is sent once more as it was, and later ones to this origin are not compressed")
    func refused() async {
        let app = app(Self.refusal, .status(.ok), .status(.created), .status(.accepted))
        #expect(await WebAPI.call(with: post(), via: app) == .status(.ok))
        #expect(await WebAPI.call(with: post(), via: app) == .status(.created))
        let other = URL(string: "https://other.example.com/things")!
        #expect(await WebAPI.call(with: post(to: other), via: app) == .status(.accepted))
        #expect(isCoded == [true, false, false, true])
        #expect(sent.elements[1] == post())
    }

    @Test("a 415 to both requests is returned, and a 415 to a plain request is not repeated")
    func refusedTwice() async {
        let app = app(Self.refusal, Self.refusal, Self.refusal)
        #expect(await WebAPI.call(with: post(), via: app) == Self.refusal)
        #expect(await WebAPI.call(with: post(Data("a".utf8)), via: app) == Self.refusal)
        #expect(isCoded == [true, false, false])
    }

    @Test("an attempt after a 415 is not compressed")
    func retried() async {
        let input = post().with { $0.headers["Idempotency-Key"] = "\"a\"" }
        let app = app(.status(.serviceUnavailable), Self.refusal, .status(.serviceUnavailable), .status(.ok))
            .wrapped(by: .retry(clock: ManualClock(), random: { 0 }))
        #expect(await WebAPI.call(with: input, via: app) == .status(.ok))
        #expect(isCoded == [true, true, false, false])
    }

    @Test("a redirect keeps the coding with its payload, and drops it with that", arguments: [307, 303])
    func redirected(status: Int) async {
        let moved = Output.status(.from(code: status), headers: ["Location": "/b"])
        let app = Connector.stub(sequence: [moved, Self.refusal, .status(.ok), .status(.ok)], recording: sent)
            .wrapped(by: .gzipPayloads(), .redirect())
        _ = await WebAPI.call(with: post(), via: app)
        #expect(isCoded == (status == 307 ? [true, true, false] : [true, false, false]))
    }

    @Test("a cancelled call sends nothing more after a 415")
    func cancelled() async {
        let app = Connector.stub(recording: sent) { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return Self.refusal
        }
        .wrapped(by: .gzipPayloads())
        _ = await Task { [self] in await WebAPI.call(with: post(), via: app) }.value
        #expect(isCoded == [true])
    }

    @Test("of many origins that refuse, 256 are remembered, and the latest one is among them")
    func bound() async {
        let sent = sent
        let app = Connector.stub(recording: sent) {
            .status($0.headers.contains("Content-Encoding") ? .unsupportedMediaType : .ok)
        }
        .wrapped(by: .gzipPayloads())
        let urls = (1...300).compactMap { URL(string: "https://h\($0).example.com/") }
        for url in urls { _ = await WebAPI.call(with: post(to: url), via: app) }
        #expect(sent.elements.count == 600)
        let last = urls.suffix(1)
        for url in last { _ = await WebAPI.call(with: post(to: url), via: app) }
        #expect(sent.elements.count == 601)
        for url in urls.dropLast() { _ = await WebAPI.call(with: post(to: url), via: app) }
        #expect(sent.elements.count > 601 + 299)
    }

    @Test("a call shows the compressed request in a dry run")
    func dryRun() async {
        #expect(await app().dryRun(post()).request?.headers["Content-Encoding"] == "gzip")
    }
}
