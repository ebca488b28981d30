import Foundation
import StartSmall
import StartSmallDownloads
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallForms
@testable import StartSmallSupport

@Suite(.timeLimit(.minutes(1))) struct ContentDigestTests {
    private let sent = Recorder<Input>()

    // By `printf hello | openssl dgst -sha256 -binary | base64`, and without any bytes.
    private static let hello = "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:"
    private static let empty = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"

    private func app(_ answers: Output..., isDecoding: Bool? = false, inside: Wrapper = .all([])) -> Connector {
        .stub(sequence: answers, recording: sent).decodingPayloads { _ in isDecoding }
            .wrapped(by: .contentDigest(), inside)
    }

    private func answer(
        _ digest: String?,
        _ payload: String = "hello",
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:]
    ) -> Output {
        var headers = headers
        if let digest { headers.append("Content-Digest", digest) }
        return .hasResponse(Response(statusCode: status, headers: headers, payload: Data(payload.utf8)))
    }

    // MARK: requests

    @Test("the digest of a payload in memory is sent, also of an empty one")
    func sent() async {
        for (text, expected) in [("hello", Self.hello), ("", Self.empty)] {
            let input = Input(url: Fixture.url, methodAndPayload: .put(payload: Either.text(text).right))
            _ = await WebAPI.call(with: input, via: app(.status(.ok)))
            #expect(
                sent.elements.last?.with { $0.delivery = .memory }
                    == input.with { $0.headers["Content-Digest"] = expected }
            )
        }
    }

    @Test("a digest of the app, and a payload that is not in memory, stay as they are")
    func unchanged() async throws {
        let stream = try #require(Either<ConnectionError, Payload>.writer { _ in }.right)
        let inputs = [
            Fixture.input, Input(url: Fixture.url, methodAndPayload: .post(payload: nil)),
            Input(url: Fixture.url, methodAndPayload: .put(payload: stream)),
            Input(
                url: Fixture.url,
                headers: ["content-digest": "md5=:AAAA:"],
                methodAndPayload: .put(payload: Either.text("hello").right)
            ),
            // A short secret could be found by its digest.
            Input(url: Fixture.url, methodAndPayload: .post(payload: Either.form(["grant_type": "password"]).right)),
        ]
        for input in inputs { _ = await WebAPI.call(with: input, via: app(.status(.ok))) }
        #expect(sent.elements.map { $0.with { $0.delivery = .memory } } == inputs)
    }

    @Test("the digest is that of the compressed payload")
    func compressed() async throws {
        let text = String(repeating: "start small ", count: 200)
        let input = Input(url: Fixture.url, methodAndPayload: .post(payload: Either.text(text).right))
        let engine = Connector.stub(.status(.ok), recording: sent)
        _ = await WebAPI.call(with: input, via: engine.wrapped(by: .gzipPayloads(), .contentDigest()))
        let request = try #require(sent.elements.first)
        var hash = SHA256Hash()
        hash.add(try #require(request.methodAndPayload.body))
        #expect(request.headers["Content-Encoding"] == "gzip")
        #expect(request.headers["Content-Digest"] == "sha-256=:\(Data(hash.digest).base64EncodedString()):")
    }

    // MARK: responses

    private static let other = "sha-256=:\(Data(count: 32).base64EncodedString()):"

    @Test(
        "a payload must have its digest, if there is one that can be read",
        arguments: [
            (nil, true), (hello, true), (other, false), (empty, false), ("", true),
            // Other algorithms, of which one is wrong; only the SHA-256 counts.
            ("md5=:AAAA:", true), ("sha-512=:AAAA:, \(hello)", true), ("sha-512=:AAAA:, \(other)", false),
            ("\(hello);a=b, md5=:AAAA:", true), ("unixsum=:AA==:,\(other);q=1", false),
            // A digest of another length.
            ("sha-256=:AAAA:", false), ("sha-256=::", false),
            // Of two, the last one.
            ("\(other), \(hello)", true), ("\(hello), \(other)", false),
            // No dictionary of byte sequences.
            ("SHA-256=\(other.dropFirst(8))", true), ("sha-256=\"a\"", true), ("sha-256", true), ("\(other),", true),
            ("sha-256=:***:", true), ("sha-256=:AAAA", true), ("\(other)x", true), (",\(other)", true),
            // Longer than is read.
            ("\(other), " + String(repeating: "a=:AAAA:, ", count: 100) + "b=:AAAA:", true),
        ] as [(String?, Bool)]
    )
    func table(field: String?, isAccepted: Bool) async {
        let answer = answer(field)
        let output = await WebAPI.call(with: Fixture.input, via: app(answer))
        #expect((output == answer) == isAccepted)
        if isAccepted { return }
        #expect(output.connectionError?.name == "unreadablePayload")
        #expect(output.connectionError?.response?.payload == Data("hello".utf8))
    }

    @Test("two fields are one dictionary")
    func twoFields() async {
        let answer = answer("md5=:AAAA:", headers: ["Content-Digest": Self.other])
        #expect(await WebAPI.call(with: Fixture.input, via: app(answer)).connectionError?.name == "unreadablePayload")
    }

    @Test("a response to HEAD and a 304 have no payload to check; an empty payload and a part have a digest")
    func statuses() async {
        let head = Input(url: Fixture.url, methodAndPayload: .head)
        let rows: [(Input, Output, Bool)] = [
            (head, answer(Self.hello, ""), true), (Fixture.input, answer(Self.hello, "", status: .notModified), true),
            (Fixture.input, answer(Self.hello, "", status: .noContent), false),
            (Fixture.input, answer(Self.empty, "", status: .noContent), true),
            (Fixture.input, answer(Self.hello, status: .partialContent), true),
            (Fixture.input, answer(Self.other, status: .partialContent), false),
            (Fixture.input, answer(Self.hello, status: .notFound), true),
            (Fixture.input, answer(Self.other, status: .notFound), false),
        ]
        for (input, answer, isAccepted) in rows {
            let output = await WebAPI.call(with: input, via: app(answer))
            #expect((output == answer) == isAccepted, "\(answer)")
        }
    }

    @Test(
        "coded bytes are checked only where the engine does not decode them",
        arguments: [true, false, nil] as [Bool?]
    )
    func decoded(isDecoding: Bool?) async {
        for (coding, isChecked) in [("gzip", isDecoding == false), ("identity", true)] {
            let answer = answer(Self.other, headers: ["Content-Encoding": coding])
            let output = await WebAPI.call(with: Fixture.input, via: app(answer, isDecoding: isDecoding))
            #expect((output != answer) == isChecked, "\(coding)")
        }
    }

    @Test("a digest after the payload is not checked, and hides none before it")
    func trailers() async {
        let trailers: HTTPHeaders = ["Content-Digest": Self.other]
        for (digest, isAccepted) in [(nil, true), (Self.hello, true), (Self.other, false)] {
            let output = answer(digest).mapResponse { response in
                var response = response
                response.trailers = trailers
                return response
            }
            #expect((await WebAPI.call(with: Fixture.input, via: app(output)) == output) == isAccepted)
        }
    }

    @Test("a stream ends with the error in place of its end, and without one if its reader ends it earlier")
    func stream() async throws {
        let input = Fixture.input.with { $0.delivery = .stream }
        let read = await ReadOutput(await WebAPI.call(with: input, via: app(answer(Self.other))))
        #expect(read.text == "hello" && read.error?.name == "unreadablePayload")
        let good = await ReadOutput(await WebAPI.call(with: input, via: app(answer(Self.hello))))
        #expect(good.text == "hello" && good.error == nil)
        let body = try #require(await WebAPI.call(with: input, via: app(answer(Self.other))).response?.body)
        _ = try await body.next()
        body.finish()
        #expect(try await body.next() == nil)
    }

    @Test("a file with other bytes does not appear")
    func file() async throws {
        for (digest, isThere) in [(Self.other, false), (Self.hello, true)] {
            let url = FileManager.default.temporaryDirectory.appending(path: "ContentDigest-\(UUID())")
            defer { try? FileManager.default.removeItem(at: url) }
            let input = Fixture.input.with { $0.delivery = .file(url) }
            _ = await WebAPI.call(with: input, via: app(answer(digest)))
            #expect(FileManager.default.fileExists(atPath: url.path) == isThere)
        }
    }

    @Test("a payload that breaks off keeps its own error, at each cut")
    func cut() async {
        for count in 0..<5 {
            let digest = Self.hello
            let engine = Connector { _ in
                let rest = Recorder<Data>()
                var response = Response(statusCode: .ok, headers: ["Content-Digest": digest])
                response.content = .body(
                    ResponseBody(pulling: { () async throws(ConnectionError) -> Data? in
                        if !rest.elements.isEmpty || count == 0 { throw Fixture.lost }
                        rest.append(Data())
                        return Data("hello".utf8.prefix(count))
                    })
                )
                return .hasResponse(response)
            }
            let output = await WebAPI.call(with: Fixture.input, via: engine.wrapped(by: .contentDigest()))
            #expect(output.connectionError?.name == "connectionLost")
        }
    }

    @Test("a broken payload hides no redirect, and no status that is retried")
    func broken() async {
        let moved = answer(Self.other, status: .found, headers: ["Location": "/b"])
        let busy = answer(Self.other, status: .serviceUnavailable, headers: ["Retry-After": "0"])
        let app = app(moved, busy, moved, answer(Self.hello)).wrapped(by: .retry(random: { 0 }), .redirect())
        #expect(await WebAPI.call(with: Fixture.input, via: app).response?.payload == Data("hello".utf8))
        #expect(sent.elements.count == 4)
    }

    @Test("a resumed download is checked part by part")
    func resumed() async {
        let app = app(answer(Self.hello), answer(Self.other)).wrapped(by: .resumeDownloads())
        #expect(await WebAPI.call(with: Fixture.input, via: app).response?.payload == Data("hello".utf8))
        #expect(await WebAPI.call(with: Fixture.input, via: app).connectionError?.name == "unreadablePayload")
    }

    @Test("calls of one connector do not share a digest")
    func twice() async {
        let app = app(answer(Self.other), answer(nil), answer(Self.hello), answer(Self.empty, ""))
        let names = [
            await WebAPI.call(with: Fixture.input, via: app), await WebAPI.call(with: Fixture.input, via: app),
            await WebAPI.call(with: Fixture.input, via: app), await WebAPI.call(with: Fixture.input, via: app),
        ].map { $0.connectionError?.name }
        #expect(names == ["unreadablePayload", nil, nil, nil])
    }

    @Test("over sockets, coded bytes are skipped unless the engine leaves them as they are")
    func wire() async throws {
        let coded = try #require(Gzip.encoded(Data(repeating: 0x61, count: 1_000)))
        let head =
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\nContent-Digest: \(Self.other)\r\n"
            + "Content-Length: \(coded.count)\r\n\r\n"
        try await LoopbackServer.playing({ _ in [.receiveRequest, .send(head), .sendBytes(Array(coded))] }) { server in
            for (decompression, expected) in [
                (ConnectionOptions.Decompression.automatic, nil), (.none, "unreadablePayload"),
            ] {
                let options = ConnectionOptions(
                    connectTimeout: nil,
                    idleTimeout: nil,
                    decompression: decompression
                )
                let app = Connector.engine(options: options).wrapped(by: .contentDigest())
                let output = await WebAPI.call(with: Input(url: server.url), via: app)
                #expect(output.connectionError?.name == expected, "\(output)")
            }
        }
    }
}
