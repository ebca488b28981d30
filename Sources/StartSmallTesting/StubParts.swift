public import Foundation
public import StartSmall

extension Connector {
    /// Stub that delivers its payload part by part, as a server does that goes on sending.
    ///
    /// ```swift
    /// let server = Connector.stub(parts: ["data: Hello\n\n", "data: [DONE]\n\n"])
    /// ```
    ///
    /// The next part is delivered when the one before is taken, and none after the call is cancelled or its consumer wants no
    /// more. Where the payload goes into memory, or the status is no success, it comes whole. Without a `Content-Type`, the
    /// response has the media type that the request's `Accept` names, if it names one.
    ///
    /// - Parameters:
    ///   - parts: the payload, cut anywhere; empty parts are left out.
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response.
    ///   - failure: what the call ends with after the last part, as where a connection is lost; nil for a whole response.
    ///   - sent: keeps the inputs.
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

    /// Stub that delivers a text in UTF-8 part by part, as a server does that goes on sending.
    ///
    /// - Parameters:
    ///   - parts: the payload, cut anywhere; empty parts are left out.
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response.
    ///   - failure: what the call ends with after the last part, as where a connection is lost; nil for a whole response.
    ///   - sent: keeps the inputs.
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

/// A response whose payload comes part by part.
struct PartialAnswer: Sendable {
    var parts: [Data]
    var status: HTTPStatus
    var headers: HTTPHeaders
    var failure: ConnectionError?

    /// The output of a call, whose parts are delivered if they are wanted.
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

    /// Whether an `Accept` names one media type, and no range of them (RFC 9110 12.5.1).
    private static func isOneType(_ accept: String) -> Bool {
        !accept.contains("*") && !accept.contains(",") && !accept.contains(";")
    }
}
