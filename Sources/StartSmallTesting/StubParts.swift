public import Foundation
public import StartSmall

extension Connector {
    /// Returns a stub that delivers its payload in parts, like a server that keeps sending.
    ///
    /// ```swift
    /// let server = Connector.stub(parts: ["data: Hello\n\n", "data: [DONE]\n\n"])
    /// ```
    ///
    /// The stub delivers the next part when the consumer has taken the previous one, and delivers none after the call
    /// is cancelled or the consumer stops. The payload is delivered as a whole if it goes into memory, or if the status
    /// is no success. Without a `Content-Type`, the response has the media type that the request's `Accept` names, if
    /// it names one.
    ///
    /// - Parameters:
    ///   - parts: the payload, cut anywhere; empty parts are omitted.
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response.
    ///   - failure: the error that ends the call after the last part, such as a lost connection; nil for a complete
    ///     response.
    ///   - sent: records the inputs.
    public static func stub(
        parts: some Sequence<Data>,
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        failingWith failure: ConnectionError? = nil,
        recording sent: Recorder<Input>? = nil
    ) -> Connector {
        let answer = PartialAnswer(parts: Array(parts), status: status, headers: headers, failure: failure)
        return stub(recording: sent) { input in await answer.output(for: input) }
    }

    /// Returns a stub that delivers a UTF-8 text in parts, like a server that keeps sending.
    ///
    /// - Parameters:
    ///   - parts: the payload, cut anywhere; empty parts are omitted.
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response.
    ///   - failure: the error that ends the call after the last part, such as a lost connection; nil for a complete
    ///     response.
    ///   - sent: records the inputs.
    public static func stub(
        parts: [String],
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        failingWith failure: ConnectionError? = nil,
        recording sent: Recorder<Input>? = nil
    ) -> Connector {
        let parts = parts.map { Data($0.utf8) }
        return stub(parts: parts, status: status, headers: headers, failingWith: failure, recording: sent)
    }
}

/// A response whose payload is delivered in parts.
struct PartialAnswer: Sendable {
    var parts: [Data]
    var status: HTTPStatus
    var headers: HTTPHeaders
    var failure: ConnectionError?

    /// Returns the output of a call, and delivers the parts if the call has a consumer.
    func output(for input: Input) async -> Output {
        var head = Response(statusCode: status, headers: headers)
        let accepted = input.headers["Accept"].flatMap { Self.isOneType($0) ? $0 : nil }
        if let accepted { head.headers.setIfAbsent("Content-Type", to: accepted) }
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
