import Foundation
import StartSmall
import StartSmallJSON
import StartSmallForms
import TestSupport
import Testing

private let secret = "hunter2"

/// Returns one of each value that may contain a credential, with a credential in each.
private func holders() throws -> [any Sendable] {
    let url = try #require(URL(string: "https://user:hunter2@h/?token=hunter2#key=hunter2"))
    let headers: HTTPHeaders = [
        "Authorization": "Bearer hunter2", "Cookie": "a=hunter2", "Location": "https://h/?code=hunter2",
        "Authorization: hunter2": "",
    ]
    let form = MultipartForm([.text("password", secret)], boundary: "b")
    let payloads: [Payload] = [
        Payload(.data(Data(secret.utf8)), mediaType: .text), Payload(.multipart(form), mediaType: form.mediaType),
    ]
    let requests = payloads.map {
        Request(
            url: url,
            queries: [URLQueryItem(name: "api_key", value: secret)],
            headers: headers,
            methodAndPayload: .post(payload: $0)
        )
    }
    let response = Response(
        statusCode: .ok,
        headers: headers,
        payload: Data(secret.utf8),
        redirections: [Redirection(from: url, statusCode: .found, to: url)]
    )
    let cause = ConnectionError.Cause(domain: "d", code: 1, text: "can't reach \(url)", partial: response)
    let wire = ValidatedRequest.from(Request(url: url, headers: ["Cookie": secret]))
    return [
        requests[0], requests[1], response, headers, headers.fields[0], headers.fields[3], response.redirections[0],
        Output.hasResponse(response), Output.noResponse(.timedOut(cause)), cause, payloads[0], payloads[1], form,
        form.parts[0], wire, try #require(wire.right), requests[0].methodAndPayload,
        Either<
            ConnectionError,
            Request
        >.right(requests[0]), ConnectionError.payloadTooLarge(response, limit: 1),
        ConnectionError.tooManyRedirects(response, limit: 1), TransformError<Never>.unexpectedStatusCode(response),
        TransformError<Never>.malformedData(response, debugInfo: "x"),
        try URITemplate("https://user:hunter2@h/{x}?token=hunter2"), Event.started(requests[0]),
        Event.received(response), Event.reported(response.redirections[0]), Event.noResponse(.connectionLost(cause)),
        Endpoint<Never, Response>.response(.right(requests[0])),
        MediaType.Parameter("token", secret), JSONValue.object(["token": .string(secret), "a": .string("b\nc")]),
        RequestIdentity(headers),
        Either<ConnectionError, Authorization>.bearer(secret), Queries([URLQueryItem(name: "token", value: secret)]),
        ProblemDetails(
            title: "no\n",
            detail: "see https://a/?access_token=hunter2",
            extensions: ["token": .string(secret)]
        ),
    ]
}

struct RequestTests {
    @Test("no description or dump of a value shows its credentials")
    func redaction() throws {
        let bytes = Array(secret.utf8).map { "- \($0)\n" }
        for value in try holders() {
            var dumped = ""
            dump(value, to: &dumped)
            #expect(!dumped.contains(secret))
            #expect(!bytes.allSatisfy { dumped.contains($0) }, "the bytes of a payload are dumped: \(type(of: value))")
            for text in ["\(value)", String(reflecting: value), String(describing: value), "\([value])"] {
                #expect(!text.contains(secret), "\(type(of: value))")
                #expect(!text.contains { $0.isNewline })
            }
        }
    }

    @Test("the four parts are labelled, in this order, and the last three are optional", .parity("A1"))
    func parts() {
        let input = Input(
            url: URL(string: "https://h/")!,
            queries: [URLQueryItem(name: "a", value: "1")],
            headers: ["A": "1"],
            methodAndPayload: .head
        )
        #expect(input.methodAndPayload == .head)
        #expect(
            Set([Input(url: input.url, headers: ["A": "1"]), Input(url: input.url, headers: ["a": "1"])]).count == 1
        )
        #expect(Input(url: input.url) == Input(url: input.url, queries: [], headers: [:], methodAndPayload: .get))
    }

    @Test("a request is described on one line, with all its parts", .parity("D16"))
    func description() {
        let request = Request(
            url: URL(string: "https://h/p?b=2")!,
            queries: [URLQueryItem(name: "a", value: "1")],
            headers: ["Accept": "text/plain"],
            methodAndPayload: .put(payload: Payload(.data(Data([1, 2])), mediaType: .octetStream))
        )
        #expect(
            request.description == "PUT https://h/p?b=2&a=1 [Accept: text/plain], 2 bytes of application/octet-stream"
        )
        #expect(Request(url: request.url).description == "GET https://h/p?b=2")
        let broken = Request(
            url: URL(string: "https://u:hunter2@h/")!,
            headers: ["A\r\nB": "1\r\n2"],
            methodAndPayload: .custom(method: "A\nB", payload: Payload(.data(Data()), mediaType: "a\nb"))
        )
        #expect(!broken.description.contains { $0.isNewline })
        #expect(broken.description(redacting: .none).contains("https://u:hunter2@h/"))
    }
}
