import Foundation
import StartSmall
import StartSmallURLSession
import TestSupport
import Testing

/// The four tests of document C, through a stubbed `URLProtocol` under a real `URLSession`.
@Suite(.timeLimit(.minutes(1))) struct StubbedURLProtocolTests {
    private struct User: Codable, Equatable {
        let id: Int
    }

    private func fetched(_ status: Int, _ body: String) async -> Fetched<TransformError<Never>, User> {
        await Endpoint.json(User.self, .get("https://stub.test/\(status)/{body}" as String, ["body": body]))
            .fetch(via: .stubbed)
    }

    @Test("a status of 2xx succeeds", .parity("C9"))
    func success() async {
        let user = await fetched(200, "{\"id\":1}")
        #expect(user.right == User(id: 1))
    }

    @Test("a status of 403 fails with the status and the data", .parity("C9"))
    func refusal() async {
        let user = await fetched(403, "no")
        guard case .right(.unexpectedStatusCode(let response)) = user.left else {
            Issue.record("unexpected: \(user)")
            return
        }
        #expect(response.statusCode == .forbidden)
        #expect(response.payload == Data("no".utf8))
    }

    @Test("a payload that can't be decoded is a parsing error", .parity("C9"))
    func malformed() async {
        let user = await fetched(200, "<html>")
        guard case .right(.malformedData(let response, _)) = user.left else {
            Issue.record("unexpected: \(user)")
            return
        }
        #expect(response.payload == Data("<html>".utf8))
    }

    @Test("an empty payload succeeds if none is expected", .parity("C9"))
    func empty() async {
        let nothing = await Endpoint.empty(.delete("https://stub.test/204/")).fetch(via: .stubbed)
        #expect(nothing.right != nil)
    }
}

extension Connector {
    fileprivate static let stubbed = urlSession(configuration: .stubbed)
}

extension URLSessionConfiguration {
    fileprivate static var stubbed: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [StubProtocol.self]
        return configuration
    }
}

/// Answers `https://stub.test/STATUS/BODY` with that status and body.
private final class StubProtocol: URLProtocol {
    override static func canInit(with request: URLRequest) -> Bool {
        request.url?.host == "stub.test"
    }

    override static func canonicalRequest(for request: URLRequest) -> URLRequest {
        request
    }

    override func startLoading() {
        let parts = request.url?.path(percentEncoded: false).split(separator: "/", maxSplits: 1) ?? []
        guard let url = request.url, let status = parts.first.flatMap({ Int($0) }),
            let head = HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: head, cacheStoragePolicy: .notAllowed)
        if parts.count > 1 { client?.urlProtocol(self, didLoad: Data(parts[1].utf8)) }
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
