public import Foundation
public import StartSmall

/// An output for the request of an ``StartSmall/Endpoint``.
///
/// Pass stubs to ``StartSmall/Connector/stub(_:recording:unexpected:)``.
public struct EndpointStub: Sendable {
    /// The request, or the reason why the request could not be built.
    public let input: Either<ConnectionError, Input>

    /// The output of a call; a payload that is delivered in parts is complete here.
    public let output: Output

    /// The response whose payload is delivered in parts; nil if the payload is delivered as a whole.
    private let chunkedResponse: ChunkedResponse?

    init(input: Either<ConnectionError, Input>, output: Output) {
        (self.input, self.output, chunkedResponse) = (input, output, nil)
    }

    /// Creates a stub that delivers its payload in parts.
    init(_ input: Either<ConnectionError, Input>, _ chunkedResponse: ChunkedResponse) {
        let whole = Response(
            statusCode: chunkedResponse.status,
            headers: chunkedResponse.headers,
            payload: chunkedResponse.parts.reduce(Data(), +)
        )
        (self.input, self.chunkedResponse) = (input, chunkedResponse)
        output = chunkedResponse.failure.map(Output.noResponse) ?? .hasResponse(whole)
    }

    /// Returns the output of a call of this stub.
    func output(for input: Input) -> Output {
        chunkedResponse?.output(for: input) ?? output
    }
}

extension Endpoint {
    /// Returns a stub of this endpoint with a custom output.
    public func stub(_ output: Output) -> EndpointStub {
        EndpointStub(input: input, output: output)
    }

    /// Returns a stub of this endpoint that responds with an encoded value.
    ///
    /// The endpoint's own transform decodes the value, so that the declaration that makes the client makes the fake
    /// too.
    ///
    /// A text is sent as plain text if the endpoint decodes the same text from plain text, and otherwise as JSON; bytes
    /// likewise. Without an encoder, the stub selects JSON from which the endpoint decodes the same value, as compared
    /// by `==` and by encoding the decoded value again. The candidates are the output of a plain encoder, and of
    /// encoders with dates in ISO 8601 or in seconds or milliseconds since 1970, and with keys in snake case.
    ///
    /// - Parameters:
    ///   - value: the value that the call returns.
    ///   - status: a status that the endpoint accepts. Nil for the first accepted one: 200, then the others from 201 to
    ///     599, and from 100 to 199.
    ///   - headers: the header fields of the response; one of them may be another `Content-Type`.
    ///   - encoder: an encoder that writes JSON as the API does, the counterpart of the endpoint's decoder. Nil to
    ///     select one automatically.
    /// - Returns: the stub. Its output is no response with `ConnectionError.malformedPayload` if the endpoint can't
    ///   decode the encoder's output, or does not accept the status.
    public func stub(
        _ value: Value,
        status: HTTPStatus? = nil,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder? = nil
    ) -> EndpointStub where Value: Encodable {
        let encoders = encoder.map { [$0] } ?? Self.usualEncoders
        func outputs(_ status: HTTPStatus) -> [Output] {
            let json = encoders.map { Output.json(encoding: value, status: status, headers: headers, encoder: $0) }
            return switch value {
            case let text as String: [.text(text, status: status, headers: headers)] + json
            case let data as Data: [.data(data, status: status, headers: headers)] + json
            default: json
            }
        }
        let candidates = outputs(status ?? acceptedStatuses(for: outputs(.ok)).first ?? .ok)
        let readable = candidates.compactMap { output in
            output.response.flatMap { transform($0).right }.map { read in
                (output: output, isEqual: Self.isEqual(read, value), isWrittenAlike: Self.isWrittenAlike(read, value))
            }
        }
        let same =
            readable.first { $0.isEqual != false && $0.isWrittenAlike } ?? readable.first { $0.isEqual == true }
            ?? readable.first { $0.isWrittenAlike } ?? readable.first
        return stub(same?.output ?? unreadable(candidates, value))
    }

    /// Returns a stub of this endpoint that responds with a status and header fields, but no payload.
    ///
    /// - Parameters:
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response.
    public func stub(status: HTTPStatus = .noContent, headers: HTTPHeaders = [:]) -> EndpointStub {
        stub(.status(status, headers: headers))
    }
}
