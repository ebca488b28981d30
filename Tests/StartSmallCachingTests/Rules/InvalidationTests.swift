import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallCaching

struct InvalidationTests {
    private static let target = "https://api.example.com/a"

    private func urls(_ output: Output, _ input: Input = .post()) -> [String] {
        Invalidation.urls(after: output, to: input)
    }

    @Test("only a response with 2xx or 3xx invalidates the target (RFC 9111 4.4)", arguments: 200...599)
    func statuses(_ code: Int) {
        #expect(urls(.status(.from(code: code))) == (code < 400 ? [Self.target] : []))
    }

    @Test("Location and Content-Location of the same origin are invalidated, too (4.4)")
    func locations() {
        let headers: HTTPHeaders = ["Location": "/b?c=1#d", "Content-Location": "HTTPS://API.example.com:443/e"]
        let expected = [Self.target, "https://api.example.com/b?c=1", "https://api.example.com/e"]
        #expect(urls(.status(.created, headers: headers)) == expected)
    }

    @Test(
        "another origin is never invalidated (4.4)",
        arguments: [
            "https://evil.example.com/b", "http://api.example.com/b", "https://api.example.com:8443/b",
            "https://api.example.com.evil/b", "//evil/b", "https://api.example.com@evil/b", "data:,", "https://", "",
            "https://[", "/%",
        ]
    )
    func otherOrigins(_ location: String) {
        let urls = urls(.status(.created, headers: ["Location": location, "Content-Location": location]))
        #expect(urls.first == Self.target && urls.allSatisfy { $0.hasPrefix("https://api.example.com/") })
    }

    @Test("a request that may have reached the server invalidates without a response, too")
    func noResponse() {
        let cause = ConnectionError.Cause(domain: "test", code: 1, text: "")
        let lost: [ConnectionError] = [.connectionLost(cause), .timedOut(cause), .cancelled, .malformedResponse(cause)]
        for error in lost { #expect(urls(.noResponse(error)) == [Self.target], "\(error)") }
        let unsent: [ConnectionError] = [
            .connectionRefused(cause), .hostNotFound(cause), .malformedURL(debugInfo: ""), .requestRefused(reason: ""),
        ]
        for error in unsent { #expect(urls(.noResponse(error)) == [], "\(error)") }
        let rejected = { (status: HTTPStatus) in
            Output.noResponse(.rejected(Response(statusCode: status), reason: "rule"))
        }
        #expect(urls(rejected(.ok)) == [Self.target] && urls(rejected(.conflict)) == [])
    }

    /// The outputs of calls whose response has a broken payload.
    private func broken(_ response: Response) -> [Output] {
        let cause = ConnectionError.Cause(domain: "test", code: 1, text: "", partial: response)
        return [
            .connectionLost(cause), .malformedResponse(cause), .unreadablePayload(cause),
            .payloadTooLarge(response, limit: 1),
        ].map { .noResponse($0) }
    }

    @Test("a broken payload does not change what an error or a redirect invalidates, or replaces", arguments: 300...599)
    func brokenPayloads(_ code: Int) {
        let response = Response(statusCode: .from(code: code), headers: ["Location": "/b"])
        let whole = Output.hasResponse(response)
        for output in broken(response) {
            #expect(urls(output) == urls(whole), "\(output)")
            #expect(output.isServerFailure == whole.isServerFailure, "\(output)")
        }
    }

    @Test("a rejection by a rule of the app is no failure of the server")
    func rejectedFailure() {
        let response = Response(statusCode: .serviceUnavailable)
        #expect(!Output.noResponse(.rejected(response, reason: "rule")).isServerFailure)
    }

    @Test("the query items of an input are part of the target")
    func queries() {
        var input = Input.post()
        input.queries = [URLQueryItem(name: "b", value: "ü")]
        #expect(urls(.status(.ok), input) == [Self.target + "?b=%C3%BC"])
    }
}
