import StartSmall
import Testing

/// A kind of broken payload, as an engine reports it.
struct BrokenPayload: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let error: @Sendable (Response) -> ConnectionError

    /// The output of a call whose response has such a payload.
    func output(_ response: Response) -> Output { .noResponse(error(response)) }

    func output(_ status: HTTPStatus, headers: HTTPHeaders = [:]) -> Output {
        output(Response(statusCode: status, headers: headers))
    }

    /// All kinds.
    static let all: [BrokenPayload] =
        [
            ("ends early", ConnectionError.connectionLost), ("malformed chunk", ConnectionError.malformedResponse),
            ("mislabelled or unknown coding", ConnectionError.unreadablePayload),
            ("stalls", ConnectionError.timedOut), ("fails otherwise", ConnectionError.other),
        ].map { name, error in
            BrokenPayload(testDescription: name) { error(.init(domain: "stub", code: 1, text: name, partial: $0)) }
        } + [BrokenPayload(testDescription: "too large") { .payloadTooLarge($0, limit: 1) }]
}
