import Foundation
import StartSmall

/// What most tests send and get, so that each shows only what it is about.
enum Fixture {
    static let url = URL(string: "https://api.example.com/things")!
    static let input = Input(url: url)
    static let endpoint = Endpoint.text(.right(input))
    static let ok = Response(statusCode: .ok, headers: ["Content-Type": "text/plain"], payload: Data("hello".utf8))
    static let lost = ConnectionError.connectionLost(.init(domain: "stub", code: 1, text: "lost"))
}
