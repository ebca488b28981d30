public import StartSmallCore
import StartSmallJSON
public import Foundation

/// An output for the request of an ``StartSmall/Endpoint``.
///
/// Pass stubs to ``StartSmall/Connector/stub(_:recording:unexpected:)``.
public struct EndpointStub: Sendable {
    /// The request, or the reason why the request could not be built.
    public let input: Either<ConnectionError, Input>

    /// The output of a call; a payload that is delivered in parts is complete here.
    public let output: Output

    /// The response whose payload is delivered in parts; nil if the payload is delivered as a whole.
    private let parts: ResponseInParts?

    init(_ input: Either<ConnectionError, Input>, _ output: Output) {
        (self.input, self.output, parts) = (input, output, nil)
    }

    init(_ input: Either<ConnectionError, Input>, _ parts: ResponseInParts) {
        (self.input, self.output, self.parts) = (input, parts.wholeOutput, parts)
    }

    func output(for input: Input) async -> Output { await parts?.output(for: input) ?? output }
}

extension Endpoint {
    /// Returns a stub of this endpoint with a custom output.
    public func stub(_ output: Output) -> EndpointStub { EndpointStub(input, output) }

    /// Returns a stub of this endpoint that responds with a value, encoded as JSON.
    ///
    /// A text is sent as plain text if the endpoint decodes the same text from it; bytes likewise.
    ///
    /// - Parameters:
    ///   - value: the value that the call returns.
    ///   - status: a status that the endpoint accepts.
    ///   - headers: the header fields of the response; one of them may be another `Content-Type`.
    ///   - encoder: an encoder that writes JSON as the API does, the counterpart of the endpoint's decoder.
    /// - Returns: the stub. Its output is no response with `ConnectionError.malformedPayload` if the endpoint can't
    ///   decode the encoder's output, or does not accept the status.
    public func stub(
        _ value: Value,
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> EndpointStub where Value: Encodable {
        if let text = value as? String {
            let plain = Output.text(text, status: status, headers: headers)
            if decoded(plain) as? String == text { return stub(plain) }
        }
        if let data = value as? Data {
            let plain = Output.data(data, status: status, headers: headers)
            if decoded(plain) as? Data == data { return stub(plain) }
        }
        let json = Output.json(encoding: value, status: status, headers: headers, encoder: encoder)
        guard let response = json.response, case .left(let failure) = transform(response) else { return stub(json) }
        return stub(.unreadable("the endpoint refuses its own stub, by its status or by its encoder: \(failure)"))
    }

    /// Returns a stub that refuses this endpoint's request with a problem.
    ///
    /// The endpoint decodes the problem as in the app. A custom failure of `mapFailure` can't be converted back into a
    /// response: the stub of such an endpoint takes the problem that the API reports, too, and the test verifies that
    /// the result is the intended failure.
    ///
    /// - Parameters:
    ///   - problem: the problem that the API reports, of the type that the endpoint was created with.
    ///   - status: a status that the endpoint does not accept.
    ///   - headers: the header fields of the response.
    ///   - encoder: an encoder that writes JSON as the API does; a plain decoder decodes the problem.
    /// - Returns: the stub. Its output is no response with `ConnectionError.malformedPayload` if the endpoint reads the
    ///   response as a value.
    public func stub(
        problem: some Encodable,
        status: HTTPStatus,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> EndpointStub {
        var headers = headers
        let mediaType = problem is ProblemDetails ? MediaType.problemJSON : .json
        headers.setIfAbsent("Content-Type", to: mediaType.rawValue)
        let output = Output.json(encoding: problem, status: status, headers: headers, encoder: encoder)
        if decoded(output) == nil { return stub(output) }
        return stub(.unreadable("\(status) is a success to the endpoint: use a status that the endpoint refuses"))
    }

    /// Returns the value that this endpoint decodes from an output; nil if it refuses the output.
    private func decoded(_ output: Output) -> Value? { output.response.flatMap { transform($0).right } }
}

extension Output {
    fileprivate static func unreadable(_ reason: String) -> Output { .noResponse(.malformedPayload(debugInfo: reason)) }
}
