import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@Suite struct StubConnectorTests {
    private let input = Sample.input("http://127.0.0.1/a?b=c&token=hunter2")

    @Test("a fixed stub gives every input the same response", .parity("B9"))
    func fixed() async {
        for output in [Output.status(.ok), .noResponse(.engineUnavailable(debugInfo: "a"))] {
            let stub = Connector.stub(output)
            for _ in 0..<2 { #expect(await WebAPI.call(with: input, via: stub) == output) }
        }
    }

    @Test("the function of a stub decides by the input")
    func function() async {
        let stub = Connector.stub { .status($0.methodAndPayload == .get ? .ok : .notFound) }
        #expect(await WebAPI.call(with: input, via: stub) == .status(.ok))
        #expect(await WebAPI.call(with: Sample.input("http://a/", .head), via: stub) == .status(.notFound))
    }

    @Test("a sequence has one output for each call, and an error after them")
    func sequence() async {
        let unexpected = Recorder<Input>()
        let stub = Connector.stub(sequence: [.status(.accepted), .status(.ok)], unexpected: unexpected)
        #expect(await WebAPI.call(with: input, via: stub) == .status(.accepted))
        #expect(await WebAPI.call(with: input, via: stub) == .status(.ok))
        #expect(unexpected.elements == [])
        let error = await WebAPI.call(with: input, via: stub).connectionError
        #expect(error?.name == "noDataOrNoResponse" && unexpected.elements == [input])
        #expect(error?.debugInfo.contains("GET http://127.0.0.1/a?b=c&token=<redacted>") == true)
        #expect(error?.debugInfo.contains("call 3 of a stub with 2 outputs") == true)
    }

    @Test("of many concurrent calls, each gets another output of a sequence")
    func concurrent() async {
        let codes = Array(200..<300)
        let stub = Connector.stub(sequence: codes.map { .status(.from(code: $0)) })
        let got = await withTaskGroup(of: Int?.self) { group in
            for _ in codes { group.addTask { await WebAPI.call(with: input, via: stub).response?.statusCode.code } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(got.compactMap { $0 }.sorted() == codes)
    }

    @Test(
        "a route is a method and a path, and an unknown one is an error that names the routes",
        arguments: [
            ("http://127.0.0.1/a?b=c", .get, .ok), ("http://example.com/a", .get, .ok),
            ("http://127.0.0.1/a", .post(payload: nil), .created), ("http://127.0.0.1", .get, .found),
            ("http://127.0.0.1/", .get, .found), ("http://127.0.0.1/%2F", .get, .accepted),
            ("http://127.0.0.1/b", .get, nil),
        ] as [(String, HTTPMethodAndPayload, HTTPStatus?)]
    )
    func routes(url: String, methodAndPayload: HTTPMethodAndPayload, status: HTTPStatus?) async {
        let (input, unexpected) = (Sample.input(url, methodAndPayload), Recorder<Input>())
        let routes = ["GET /a": HTTPStatus.ok, "POST /a": .created, "GET /": .found, "GET /%2F": .accepted]
        let stub = Connector.stub(routes: routes.mapValues { .status($0) }, unexpected: unexpected)
        let output = await WebAPI.call(with: input, via: stub)
        #expect(output.response?.statusCode == status && unexpected.elements == (status == nil ? [input] : []))
        if let error = output.connectionError {
            let known = "the stub's routes are GET /, GET /%2F, GET /a, POST /a"
            #expect(error.name == "noDataOrNoResponse")
            #expect(error.debugInfo == "unexpected request GET http://127.0.0.1/b: \(known)")
        }
    }

    @Test("a stub of any kind records what it was sent")
    func recording() async {
        let sent = Recorder<Input>()
        let stubs: [Connector] = [
            .stub(.status(.ok), recording: sent), .stub(recording: sent) { _ in .status(.ok) },
            .stub(sequence: [], recording: sent), .stub(routes: [:], recording: sent),
        ]
        for stub in stubs { _ = await WebAPI.call(with: input, via: stub) }
        #expect(sent.elements == [input, input, input, input])
    }
}

struct StubOutputsTests {
    private static func response(_ status: HTTPStatus, _ mediaType: String, _ text: String) -> Output {
        .hasResponse(Response(statusCode: status, headers: ["Content-Type": mediaType], payload: Data(text.utf8)))
    }

    @Test(
        "the output of a stub has the media type of its content, and the given status",
        arguments: [
            (.text("hé"), response(.ok, "text/plain; charset=utf-8", "hé")),
            (.text("no", status: .forbidden), response(.forbidden, "text/plain; charset=utf-8", "no")),
            (.json("{"), response(.ok, "application/json", "{")),
            (.json("{}", status: .notFound), response(.notFound, "application/json", "{}")),
            (.json(encoding: ["a": 1]), response(.ok, "application/json", #"{"a":1}"#)),
            (.json(encoding: "a", status: .created), response(.created, "application/json", #""a""#)),
            (.data(Data("a".utf8)), response(.ok, "application/octet-stream", "a")),
            (.data(Data("a".utf8), mediaType: "image/png", status: .created), response(.created, "image/png", "a")),
            (.status(.notFound), .hasResponse(Response(statusCode: .notFound))),
        ] as [(Output, Output)]
    )
    func outputs(output: Output, expected: Output) {
        #expect(output == expected)
    }

    @Test("a value that can't be encoded is an error instead of a response")
    func unencodable() {
        #expect(Output.json(encoding: Double.nan).connectionError?.name == "malformedPayload")
    }

    @Test("headers are added, and may replace the media type")
    func headers() {
        let headers: HTTPHeaders = ["ETag": "1", "Content-Type": "application/problem+json"]
        for output in [Output.json("{}", headers: headers), .status(.ok, headers: headers)] {
            #expect(output.response?.headers == headers)
        }
        for output in [Output.text("", headers: ["ETag": "1"]), .data(Data(), headers: ["ETag": "1"])] {
            #expect(output.response?.headers["ETag"] == "1")
        }
    }
}
