import Foundation
import StartSmall

/// A response whose payload is delivered in parts.
struct ChunkedResponse: Sendable {
    var parts: [Data]
    var status: HTTPStatus
    var headers: HTTPHeaders
    var failure: ConnectionError?

    /// Returns the output of a call, with a body of the parts for a stream.
    func output(for input: Input) -> Output {
        var head = Response(statusCode: status, headers: headers)
        let accepted = input.headers["Accept"].flatMap { Self.isOneType($0) ? $0 : nil }
        if let accepted { head.headers.setIfAbsent("Content-Type", to: accepted) }
        if input.delivery == .stream, status.isSuccess { return .open(head, parts, then: failure) }
        head.payload = parts.reduce(Data(), +)
        return failure.map(Output.noResponse) ?? .hasResponse(head)
    }

    /// Returns whether an `Accept` names one media type, and no range of media types (RFC 9110 12.5.1).
    private static func isOneType(_ accept: String) -> Bool {
        !accept.contains("*") && !accept.contains(",") && !accept.contains(";")
    }
}
