import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// What most tests send and get, so that each shows only what it is about.
enum Fixture {
    static let url = URL(string: "https://api.example.com/things")!
    static let input = Input(url: url)
    static let endpoint = Endpoint.text(.right(input))
    static let ok = Response(statusCode: .ok, headers: ["Content-Type": "text/plain"], payload: Data("hello".utf8))
    static let lost = ConnectionError.connectionLost(.init(domain: "stub", code: 1, text: "lost"))
}

extension Connector {
    /// The platform's engine, which waits as long as a crowded machine makes it.
    static var patient: Connector {
        EngineUnderTest.all[0].connector(idle: .seconds(600), connect: .seconds(600))
    }
}

/// Goes on as soon as a condition holds that another task brings about.
func eventually(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
    for _ in 0..<10_000_000 {
        if condition() { return }
        await Task.yield()
    }
    Issue.record("it never came", sourceLocation: sourceLocation)
}
