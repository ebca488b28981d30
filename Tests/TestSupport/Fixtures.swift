package import Foundation
import StartSmall
package import StartSmallCore
package import Testing

/// Requests and responses that most tests share, so that each test shows only its own subject.
package enum Fixture {
    package static let url = URL(string: "https://api.example.com/things")!
    package static let input = Input(url: url)
    package static let endpoint = Endpoint.text(.right(input))
    package static let ok = Response(
        statusCode: .ok,
        headers: ["Content-Type": "text/plain"],
        payload: Data("hello".utf8)
    )
    package static let lost = ConnectionError.connectionLost(.init(domain: "stub", code: 1, text: "lost"))

    /// The error of a connection that is lost after the head of a response, and some bytes that were read.
    package static func lost(after head: Response, reading count: Int = 0) -> ConnectionError {
        .connectionLost(.init(domain: "stub", code: 1, text: "lost", partial: head.delivering(count)))
    }
}

extension Response {
    /// Returns the payload in memory, or reads the rest of the body.
    package func wholePayload() async throws(ConnectionError) -> Data {
        guard let body else { return payload }
        var bytes = Data()
        while let chunk = try await body.next() { bytes += chunk }
        return bytes
    }
}

/// A response whose body was read, as far as it arrived.
package struct ReadOutput: Sendable {
    package let head: Response?
    package private(set) var chunks: [Data] = []

    /// The error of the call or of its body.
    package private(set) var error: ConnectionError?

    package var payload: Data { chunks.reduce(Data(), +) }
    package var text: String { String(decoding: payload, as: UTF8.self) }

    package init(_ output: Output) async {
        (head, error) = (output.response, output.connectionError)
        do throws(ConnectionError) {
            while let chunk = try await head?.body?.next() { chunks.append(chunk) }
        } catch {
            self.error = error
        }
    }
}

extension [Event] {
    package var progress: [StartSmallCore.TransferProgress] {
        compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
    }
}

extension Connector {
    /// The platform's engine with time limits that are long enough for a crowded machine.
    package static var patient: Connector {
        EngineUnderTest.all[0].connector(idle: .seconds(600), connect: .seconds(600))
    }
}

/// Returns all elements of a sequence.
package func all<S: AsyncSequence>(_ sequence: S) async -> [S.Element] where S.Failure == Never {
    var elements: [S.Element] = []
    for await element in sequence { elements.append(element) }
    return elements
}

/// Waits until a condition holds that another task brings about, and records an issue if the condition never holds.
package func eventually(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
    for _ in 0..<10_000_000 {
        if condition() { return }
        await Task.yield()
    }
    Issue.record("the condition never held", sourceLocation: sourceLocation)
}
