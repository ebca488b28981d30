import Foundation
import StartSmall

/// A response whose payload is delivered in parts.
struct ChunkedResponse: Sendable {
    var parts: [Data]
    var status: HTTPStatus
    var headers: HTTPHeaders
    var failure: ConnectionError?

    /// Returns the output of a call, with a body of the parts for a stream.
    ///
    /// The parts are delivered to a consumer, if the call has one.
    func output(for input: Input) async -> Output {
        var head = Response(statusCode: status, headers: headers)
        let accepted = input.headers["Accept"].flatMap { Self.isOneType($0) ? $0 : nil }
        if let accepted { head.headers.setIfAbsent("Content-Type", to: accepted) }
        if input.destination == .stream, status.isSuccess { return .open(head, parts, then: failure) }
        guard let consumer = input.destination.consumer, status.isSuccess else {
            var whole = head
            whole.payload = parts.reduce(Data(), +)
            return failure.map(Output.noResponse) ?? .hasResponse(whole)
        }
        let chunks = parts.filter { !$0.isEmpty }.map { PayloadConsumer.Part.chunk($0) }
        for part in [.head(head)] + chunks {
            if Task.isCancelled { return .noResponse(.cancelled) }
            if let refusal = await consumer.receive(part) { return .noResponse(refusal) }
        }
        return failure.map(Output.noResponse) ?? .hasResponse(head)
    }

    /// Returns whether an `Accept` names one media type, and no range of media types (RFC 9110 12.5.1).
    private static func isOneType(_ accept: String) -> Bool {
        !accept.contains("*") && !accept.contains(",") && !accept.contains(";")
    }
}
