import StartSmallCore
import StartSmallForms
import Foundation

extension ConnectorLaw {
    /// Laws on requests: each part of a request arrives, and nothing else.
    static let ofRequests = [
        ConnectorLaw(.methods, "every method arrives, with its payload") { trial in
            for sent in methods {
                let arrived = try await trial.request(sent).arrived
                trial.expect("the method", arrived.map(\.methodAndPayload.method), [sent.method])
                let got = arrived.first?.methodAndPayload.body ?? Data()
                trial.expect("the payload of \(sent.method)", got, sent.body ?? Data())
                guard let mediaType = sent.payload?.mediaType?.rawValue else { continue }
                trial.expect("Content-Type", arrived.first?.headers["Content-Type"], mediaType)
            }
        },
        ConnectorLaw(.targets, "the path and the query of the URL arrive unchanged, without its fragment") { trial in
            trial.expect("the target", try await trial.request("/a?b#c").arrived.map { $0.url.target }, ["/a?b"])
            for target in targets {
                let arrived = try await trial.request(target).arrived.map { $0.url.target }
                trial.expect("the target", arrived, [target.hasPrefix("/") ? target : "/" + target])
            }
        },
        ConnectorLaw(.queries, "query items arrive once, percent-encoded, after those of the URL") { trial in
            let items = [
                URLQueryItem(name: "a b", value: "1+2=3&4"), URLQueryItem(name: "bare", value: nil),
                URLQueryItem(name: "empty", value: ""), URLQueryItem(name: "a b", value: "ü"),
            ]
            let arrived = try await trial.request("/?first=%20", queries: items).arrived.map { $0.url.target }
            trial.expect("the target", arrived, ["/?first=%20&a%20b=1%2B2%3D3%264&bare&empty=&a%20b=%C3%BC"])
        },
        ConnectorLaw(.requestHeaders, "header fields arrive, those of one name in order, possibly joined") { trial in
            let headers: HTTPHeaders = [
                "Accept": "text/plain;q=0.5, */*", "X-Space": "a  b", "x-lower": "Mixed: Case", "X-UTF8": "あ",
                "User-Agent": "me/1", "Accept-Language": "ja", "If-None-Match": "\"a\"", "Authorization": "Bearer t",
                "X-A": "1", "x-a": "2",
            ]
            let arrived = try await trial.request(headers: headers).arrived.first?.headers ?? [:]
            for name in Set(headers.fields.map { $0.name.lowercased() }).sorted() {
                let (got, sent) = (arrived.values(of: name), headers.values(of: name))
                trial.expect(name, got.joined(separator: ", "), sent.joined(separator: ", "))
            }
        },
        ConnectorLaw(.userInfo, "user information becomes Basic credentials (RFC 7617), and is removed from the URL") {
            trial in
            let arrived = Recorder<Input>()
            try await LoopbackServer.serving(.stub(.status(.noContent), recording: arrived)) { server in
                guard let url = URL(string: "http://me:p%40ss@127.0.0.1:\(server.port)/") else { return }
                _ = await WebAPI.call(with: Input(url: url), via: trial.connector)
            }
            let expected = "Basic " + Data("me:p@ss".utf8).base64EncodedString()
            trial.expect("Authorization", arrived.elements.map { $0.headers["Authorization"] ?? "none" }, [expected])
            trial.expect("the target", arrived.elements.map { $0.url.target }, ["/"])
        },
        ConnectorLaw(.requestPayload, "every byte of a payload arrives, none for an empty one") { trial in
            for count in [0, 1, 256, 65_537, 1_048_576] {
                let payload = HTTPMethodAndPayload.put(payload: Payload(.data(bytes(count)), mediaType: .octetStream))
                let arrived = try await trial.request(payload).arrived
                trial.expectBytes("the payload", arrived.first.map { $0.methodAndPayload.body ?? Data() }, bytes(count))
            }
        },
        ConnectorLaw(.injection, "header fields that would break the message are not sent") { trial in
            for headers: HTTPHeaders in [["A": "b\r\nC: d"], ["A b": "c"], ["Content-Length": "7"]] {
                let (arrived, output) = try await trial.request(headers: headers)
                trial.expect("requests with such a header", arrived.count, 0)
                trial.expect("the error", output.connectionError?.name, "malformedHeader")
            }
        },
        ConnectorLaw(.fileUpload, "a file or a form with files arrives byte by byte, with length and type") { trial in
            try await checkUpload(trial) { file in Payload(.file(file), mediaType: "image/png") }
            try await checkUpload(trial) { file in
                let form: MultipartForm = [
                    .text("a", "é"), .file("b", file), .data("c", Data([0, 1])), .file("d", file),
                ]
                return Payload(.multipart(form), mediaType: form.mediaType)
            }
        },
    ]

    /// Laws on responses: each part of a response is returned unchanged.
    static let ofResponses = [
        ConnectorLaw(.statuses, "every status is returned with its payload, redirects and refusals too") { trial in
            for code in [200, 201, 206, 299, 301, 302, 303, 307, 308, 400, 401, 403, 404, 407, 418, 429, 500, 503, 599]
            {
                let head =
                    "HTTP/1.1 \(code) Some Words\r\nLocation: /elsewhere\r\nWWW-Authenticate: Basic realm=\"a\"\r\n"
                let response = try await trial.response(to: head + "Content-Length: 2\r\n\r\nhi").response
                trial.expect("the status", response?.statusCode.code, code)
                trial.expect("the payload of \(code)", response?.payload, Data("hi".utf8))
            }
        },
        ConnectorLaw(.responseHeaders, "header fields are returned, those of one name in order, and two cookies as two")
        { trial in
            let output = try await trial.response(
                to: "HTTP/1.1 200 OK\r\nx-lower: a\r\nX-Colon: a:b, c\r\nX-Space: \t a b \t \r\nX-Empty:\r\n"
                    + "X-A: 1\r\nX-B: b\r\nX-A: 2\r\nSet-Cookie: a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT\r\n"
                    + "Set-Cookie: b=2\r\nContent-Length: 0\r\n\r\n"
            )
            let headers = output.response?.headers ?? [:]
            for (name, value) in [("X-Lower", "a"), ("X-Colon", "a:b, c"), ("X-Space", "a b"), ("X-Empty", "")] {
                trial.expect(name, headers[name], value)
            }
            trial.expect("X-A", headers.values(of: "X-A").joined(separator: ", "), "1, 2")
            let cookies = ["a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT", "b=2"]
            trial.expect("Set-Cookie", headers.values(of: "Set-Cookie"), cookies)
        },
        ConnectorLaw(.interim, "heads of 1xx are not the response (RFC 9110 15.2)") { trial in
            let output = try await trial.response(
                to: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\nhi"
            )
            trial.expect("the status", output.response?.statusCode, .ok)
            trial.expect("A", output.response?.headers["A"], "b")
            trial.expect("Link", output.response?.headers["Link"], nil)
            trial.expect("the payload", output.response?.payload, Data("hi".utf8))
        },
        ConnectorLaw(.framing, "the payload is complete for each kind of framing, and none for HEAD (RFC 9112 6.3)") {
            trial in
            for (framing, payload) in framings {
                let output = try await trial.response(to: framing)
                trial.expect("the payload", output.response?.payload, Data(payload.utf8))
            }
            let response = try await trial.response(to: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", .head).response
            trial.expect("Content-Length", response?.headers["Content-Length"], "5")
            trial.expect("the payload", response?.payload, Data())
        },
        ConnectorLaw(.responsePayload, "a payload of 1 MiB is returned, and read from a body in order") { trial in
            let block = bytes(65_536)
            let whole = Data(repeatElement(block, count: 16).joined())
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(whole.count)\r\n\r\n"
            let steps: [ServerScriptStep] = [.sendRepeatedly(block, times: 16), .close]
            trial.expectBytes("the payload", try await trial.response(to: head, then: steps).response?.payload, whole)
            let all = [ServerScriptStep.receiveRequest, .send(head)] + steps
            let streamed = try await LoopbackServer.playing({ _ in all }) { server in
                try await trial.stream(from: server).response?.body?.bytes()
            }
            trial.expectBytes("the body", streamed, whole)
        },
        ConnectorLaw(.forgetting, "cookies and cacheable responses are not stored") { trial in
            let arrived = Recorder<Input>()
            let output = Output.text("hi", headers: ["Set-Cookie": "a=1; Path=/", "Cache-Control": "max-age=600"])
            try await LoopbackServer.serving(.stub(output, recording: arrived)) { server in
                for _ in 0..<2 { _ = await WebAPI.call(with: Input(url: server.url), via: trial.connector) }
            }
            let cookies = arrived.elements.map { $0.headers["Cookie"] ?? "none" }
            trial.expect("the cookies of two requests", cookies, ["none", "none"])
        },
        ConnectorLaw(.trailers, "fields after the payload are trailers, known at the end of a body (RFC 9110 6.5)") {
            trial in
            let response = try await trial.response(to: withTrailer).response
            trial.expect("the payload", response?.payload, Data("hi".utf8))
            trial.expect("X-T", response?.trailers["X-T"], "1")
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(withTrailer), .close] }) { server in
                let body = await trial.stream(from: server).response?.body
                trial.expect("the trailers before the end", body?.trailers, [:])
                trial.expect("the bytes of the body", try await body?.bytes(), Data("hi".utf8))
                trial.expect("X-T", body?.trailers["X-T"], "1")
            }
        },
    ]

    private static let withTrailer =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\nhi\r\n0\r\nX-T: 1\r\n\r\n"

    private static let payload = Payload(.data(Data("hello".utf8)), mediaType: .text)

    private static let methods: [HTTPMethodAndPayload] = [
        .get, .head, .post(payload: nil), .put(payload: nil), .delete(payload: nil), .options(payload: nil),
        .patch(payload: nil), .post(payload: payload), .put(payload: payload), .delete(payload: payload),
        .options(payload: payload), .patch(payload: payload), .custom(method: "PURGE", payload: nil),
        .custom(method: "REPORT", payload: payload),
    ]

    private static let targets = [
        "", "/", "/a/b/", "/a%20b", "/a%2Fb", "/%E3%81%82", "/%25", "/a;b=c,d", "/~-._!$&'()*+,;=:@", "//a//b", "/?",
        "/?a", "/?a=", "/?a=b%20c+d%2B&a=e", "/?a=/?:@", "/a?b=%E3%81%82",
    ]

    private static let framings = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "hello"),
        ("HTTP/1.1 200 OK\r\n\r\nhello", "hello"), ("HTTP/1.0 200 OK\r\n\r\nhello", "hello"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""), ("HTTP/1.1 200 OK\r\n\r\n", ""),
        ("HTTP/1.1 204 No Content\r\n\r\n", ""), ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", ""),
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", ""),
    ]

    /// Returns bytes in which each part differs from the others.
    private static func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }) }

    /// Sends payloads with a file that is empty, or has a size around the limit of a single read.
    private static func checkUpload(_ trial: ConnectorTrial, _ payload: (URL) -> Payload) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "ConnectorLaw-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        for size in [0, 1, 65_536, 65_537, 1_000_000] {
            try bytes(size).write(to: file)
            let payload = payload(file)
            let (arrived, sent) = (
                try await trial.request(.put(payload: payload)).arrived, try payload.content.allBytes()
            )
            trial.expect("requests", arrived.count, 1)
            trial.expectBytes("the payload", arrived.first.map { $0.methodAndPayload.body ?? Data() }, sent)
            let headers = arrived.first?.headers
            trial.expect("Content-Type", headers?["Content-Type"], payload.mediaType?.rawValue)
            trial.expect("Content-Length", headers?["Content-Length"], "\(sent.count)")
        }
    }
}

extension URL {
    /// The target of a request line: the part of the URL after the authority.
    fileprivate var target: String {
        let text = absoluteString
        guard let start = text.firstRange(of: "://")?.upperBound else { return text }
        return String(text[start...].drop { $0 != "/" && $0 != "?" })
    }
}

extension ConnectorTrial {
    fileprivate func request(_ methodAndPayload: HTTPMethodAndPayload) async throws -> (
        arrived: [Input], output: Output
    ) { try await request("/a", methodAndPayload) }
}
