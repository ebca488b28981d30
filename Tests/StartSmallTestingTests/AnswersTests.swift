import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct AnswersTests {
    private func response(_ status: HTTPStatus, _ mediaType: String, _ text: String) -> Output {
        .hasResponse(Response(statusCode: status, headers: ["Content-Type": mediaType], payload: Data(text.utf8)))
    }

    @Test("a text says that it is one")
    func text() {
        #expect(Output.text("hé") == response(.ok, "text/plain; charset=utf-8", "hé"))
        #expect(Output.text("no", status: .forbidden) == response(.forbidden, "text/plain; charset=utf-8", "no"))
    }

    @Test("a text of JSON is sent as it is, legal or not", arguments: ["{}", "{"])
    func json(_ text: String) {
        #expect(Output.json(text) == response(.ok, "application/json", text))
        #expect(Output.json(text, status: .notFound) == response(.notFound, "application/json", text))
    }

    @Test("a value is encoded, a text too")
    func encoding() {
        #expect(Output.json(encoding: ["a": 1]) == response(.ok, "application/json", #"{"a":1}"#))
        #expect(Output.json(encoding: "a", status: .created) == response(.created, "application/json", #""a""#))
    }

    @Test("a value that can't be encoded is no response, and says so")
    func unencodable() {
        #expect(Output.json(encoding: Double.nan).connectionError?.name == "malformedPayload")
    }

    @Test("bytes say of which type they are, and else that nothing is known of them")
    func data() {
        let bytes = Data("a".utf8)
        #expect(Output.data(bytes) == response(.ok, "application/octet-stream", "a"))
        #expect(Output.data(bytes, mediaType: "image/png", status: .created) == response(.created, "image/png", "a"))
        #expect(Output.data(bytes, headers: ["ETag": "1"]).response?.headers["ETag"] == "1")
    }

    @Test("a status alone")
    func status() {
        #expect(Output.status(.notFound) == .hasResponse(Response(statusCode: .notFound)))
    }

    @Test("headers are added, and may say another media type")
    func headers() {
        let headers: HTTPHeaders = ["ETag": "1", "Content-Type": "application/problem+json"]
        #expect(Output.json("{}", headers: headers).response?.headers == headers)
        #expect(Output.text("", headers: ["ETag": "1"]).response?.headers["ETag"] == "1")
        #expect(Output.status(.ok, headers: headers).response?.headers == headers)
    }
}
