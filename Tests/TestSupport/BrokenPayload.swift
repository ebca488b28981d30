package import StartSmall
import Testing

/// A kind of broken payload, as an engine reports it.
package struct BrokenPayload: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    package let error: @Sendable (Response) -> ConnectionError

    /// The output of a call whose response has such a payload.
    package func output(_ response: Response) -> Output { .noResponse(error(response)) }

    package func output(_ status: HTTPStatus, headers: HTTPHeaders = [:]) -> Output {
        output(Response(statusCode: status, headers: headers))
    }

    /// All kinds.
    package static let all: [BrokenPayload] =
        [
            ("ends early", ConnectionError.connectionLost), ("malformed chunk", ConnectionError.malformedResponse),
            ("mislabelled or unknown coding", ConnectionError.unreadablePayload),
            ("stalls", ConnectionError.timedOut), ("fails otherwise", ConnectionError.other),
        ].map { name, error in
            BrokenPayload(testDescription: name) { error(.init(domain: "stub", code: 1, text: name, partial: $0)) }
        } + [BrokenPayload(testDescription: "too large") { .payloadTooLarge($0, limit: 1) }]
}
