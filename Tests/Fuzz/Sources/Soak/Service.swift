import Foundation
import StartSmall
import StartSmallTesting
import Synchronization

/// The tested API: texts by number, for requests with the current token.
final class Service: Sendable {
    /// The number of texts: few, so that counters by URL do not grow.
    static let texts = 50

    /// The number of answers after which the token expires.
    private static let answersPerToken = 500

    private let answers = Atomic(0)

    /// Returns the text of a number: up to 10 KiB, with a recognizable end.
    static func text(_ number: Int) -> String {
        String(repeating: "text \(number) ", count: 1 + number * 20) + "end"
    }

    /// Returns the number of received bytes, and whether the end is among them.
    private static func receipt(for payload: Payload) -> Output {
        guard case .data(let data) = payload.content else { return .status(.badRequest) }
        return .text("\(data.count), \(data.suffix(3) == Data("end".utf8) ? "end" : "and no more")")
    }

    private var token: String { "token-\(answers.load(ordering: .relaxed) / Self.answersPerToken)" }

    /// The service with faults: slow, overloaded, silent, and sometimes truncating.
    func connector(seed: UInt64) -> Connector {
        Connector.stub { [self] input in answer(input) }.wrapped(
            by: .chaos(
                .latency(.milliseconds(5), when: .probability(0.1)),
                .latency(.milliseconds(300), when: .probability(0.005)),
                .error(.noDataOrNoResponse(debugInfo: "closed without an answer"), when: .probability(0.03)),
                .status(.serviceUnavailable, when: .probability(0.05)),
                .status(.tooManyRequests, headers: ["Retry-After": "0"], when: .probability(0.02)),
                .truncated(toBytes: 10, when: .probability(0.02)),
                seed: seed
            )
        )
    }

    private func answer(_ input: Input) -> Output {
        if input.url.path() == "/token" { return .text(token) }
        guard input.headers["Authorization"] == "Bearer \(token)" else { return .status(.unauthorized) }
        answers.add(1, ordering: .relaxed)
        if input.url.path().hasPrefix("/moved/") {
            return .status(.found, headers: ["Location": "/texts/\(input.url.lastPathComponent)"])
        }
        if case .post(.some(let payload)) = input.methodAndPayload { return Self.receipt(for: payload) }
        guard let number = Int(input.url.lastPathComponent), number < Self.texts else { return .status(.notFound) }
        return .text(Self.text(number))
    }
}
