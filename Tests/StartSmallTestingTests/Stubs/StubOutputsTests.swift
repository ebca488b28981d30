import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct StubOutputsTests {
    private func response(_ status: HTTPStatus, _ mediaType: String, _ text: String) -> Output {
        .hasResponse(Response(statusCode: status, headers: ["Content-Type": mediaType], payload: Data(text.utf8)))
    }

    @Test("a text has the media type text/plain")
    func text() {
        #expect(Output.text("hé") == response(.ok, "text/plain; charset=utf-8", "hé"))
        #expect(Output.text("no", status: .forbidden) == response(.forbidden, "text/plain; charset=utf-8", "no"))
    }

    @Test("a JSON text is sent unchanged, valid or not", arguments: ["{}", "{"])
    func json(_ text: String) {
        #expect(Output.json(text) == response(.ok, "application/json", text))
        #expect(Output.json(text, status: .notFound) == response(.notFound, "application/json", text))
    }

    @Test("a value is encoded as JSON, a text too")
    func encoding() {
        #expect(Output.json(encoding: ["a": 1]) == response(.ok, "application/json", #"{"a":1}"#))
        #expect(Output.json(encoding: "a", status: .created) == response(.created, "application/json", #""a""#))
    }

    @Test("a value that can't be encoded is an error instead of a response")
    func unencodable() {
        #expect(Output.json(encoding: Double.nan).connectionError?.name == "malformedPayload")
    }

    @Test("bytes have the given media type, or application/octet-stream by default")
    func data() {
        let bytes = Data("a".utf8)
        #expect(Output.data(bytes) == response(.ok, "application/octet-stream", "a"))
        #expect(Output.data(bytes, mediaType: "image/png", status: .created) == response(.created, "image/png", "a"))
        #expect(Output.data(bytes, headers: ["ETag": "1"]).response?.headers["ETag"] == "1")
    }

    @Test("a response can have a status alone")
    func status() {
        #expect(Output.status(.notFound) == .hasResponse(Response(statusCode: .notFound)))
    }

    @Test("headers are added, and may replace the media type")
    func headers() {
        let headers: HTTPHeaders = ["ETag": "1", "Content-Type": "application/problem+json"]
        #expect(Output.json("{}", headers: headers).response?.headers == headers)
        #expect(Output.text("", headers: ["ETag": "1"]).response?.headers["ETag"] == "1")
        #expect(Output.status(.ok, headers: headers).response?.headers == headers)
    }
}
