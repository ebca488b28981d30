import Foundation
import StartSmall
import Testing

private typealias Build = Either<ConnectionError, Input>

struct BuildersOfPayloadsTests {
    private static let url = "https://a.example/{x}"
    private static let payload = Payload(.data(Data("a".utf8)), mediaType: "a/b")

    @Test(
        "a payload that is at hand is carried by every method that carries one",
        arguments: [
            (Build.post(url, ["x": "1"], queries: queries, headers: headers, payload: payload), "POST"),
            (.put(url, ["x": "1"], queries: queries, headers: headers, payload: payload), "PUT"),
            (.patch(url, ["x": "1"], queries: queries, headers: headers, payload: payload), "PATCH"),
            (.delete(url, ["x": "1"], queries: queries, headers: headers, payload: payload), "DELETE"),
            (.options(url, ["x": "1"], queries: queries, headers: headers, payload: payload), "OPTIONS"),
            (.custom("PURGE", url, ["x": "1"], queries: queries, headers: headers, payload: payload), "PURGE"),
        ]
    )
    private func carried(_ input: Build, _ method: String) {
        let expected = Input(
            url: URL(string: "https://a.example/1")!,
            queries: Self.queries,
            headers: Self.headers,
            methodAndPayload: HTTPMethodAndPayload(method: method, payload: Self.payload)
        )
        #expect(input == .right(expected))
    }

    @Test("a leading dot still means a payload that may not come to be, and nil means none")
    func unambiguous() {
        let payload: Payload? = Build.post(Self.url, ["x": "1"], payload: .text("a")).right?.methodAndPayload.payload
        #expect(payload == Payload(.data(Data("a".utf8)), mediaType: .text))
        #expect(Build.post(Self.url, ["x": "1"], payload: nil) == .post(Self.url, ["x": "1"]))
        #expect(Build.post(Self.url, ["x": "1"], payload: .json(Double.nan)).left?.name == "malformedPayload")
    }

    private static let queries = [URLQueryItem(name: "q", value: "1")]
    private static let headers: HTTPHeaders = ["A": "1"]
}
