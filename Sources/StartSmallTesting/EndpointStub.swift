public import Foundation
public import StartSmall

/// An answer to the request of an ``StartSmall/Endpoint``, for ``StartSmall/Connector/stub(_:recording:unexpected:)``.
public struct EndpointStub: Sendable {
    /// What is asked for, or why it could not be built.
    public let input: Either<ConnectionError, Input>

    /// What is answered; a payload that is delivered part by part is whole here.
    public let output: Output

    /// The parts of the payload; nil if it is delivered whole.
    private let parts: PartialAnswer?

    init(input: Either<ConnectionError, Input>, output: Output) {
        (self.input, self.output, parts) = (input, output, nil)
    }

    /// A stub that delivers its payload part by part.
    init(_ input: Either<ConnectionError, Input>, _ parts: PartialAnswer) {
        let whole = Response(
            statusCode: parts.status,
            headers: parts.headers,
            payload: parts.parts.reduce(Data(), +)
        )
        (self.input, self.parts) = (input, parts)
        output = parts.failure.map(Output.noResponse) ?? .hasResponse(whole)
    }

    /// The output of a call of this stub.
    func answer(to input: Input) async -> Output {
        await parts?.output(for: input) ?? output
    }
}

extension Endpoint {
    /// An answer of one's own to this endpoint's request.
    public func stub(_ output: Output) -> EndpointStub {
        EndpointStub(input: input, output: output)
    }

    /// What the API would answer with this value: the endpoint's own transform reads it, so that the declaration that
    /// makes the client makes the fake too.
    ///
    /// A text is answered as plain text if the endpoint reads the same text from that, and else as JSON; so are bytes.
    /// Without an encoder, JSON is what the endpoint reads the same value from, by `==` and by what is written of it again: of
    /// what a plain encoder writes, and one with dates of ISO 8601 or in seconds or milliseconds since 1970, and with keys in
    /// snake case.
    ///
    /// - Parameters:
    ///   - value: the value that the call is to end with.
    ///   - status: a status that the endpoint accepts. Nil for the first that it does: 200, then the others from 201 to 599,
    ///     and from 100 to 199.
    ///   - headers: the header fields of the answer; one of them may be another `Content-Type`.
    ///   - encoder: writes JSON as the API does; the counterpart of the endpoint's decoder. Nil for one that is found.
    /// - Returns: the answer, or no response with `ConnectionError.malformedPayload` if the endpoint can't read what the
    ///   encoder writes, or does not accept the status.
    public func stub(
        _ value: Value,
        status: HTTPStatus? = nil,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder? = nil
    ) -> EndpointStub where Value: Encodable {
        let encoders = encoder.map { [$0] } ?? Self.usualEncoders
        func answers(_ status: HTTPStatus) -> [Output] {
            let json = encoders.map { Output.json(encoding: value, status: status, headers: headers, encoder: $0) }
            return switch value {
            case let text as String: [.text(text, status: status, headers: headers)] + json
            case let data as Data: [.data(data, status: status, headers: headers)] + json
            default: json
            }
        }
        let candidates = answers(status ?? acceptedStatuses(for: answers(.ok)).first ?? .ok)
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

    /// What the API would answer where there is nothing to say: a status, and header fields.
    public func stub(status: HTTPStatus = .noContent, headers: HTTPHeaders = [:]) -> EndpointStub {
        stub(.status(status, headers: headers))
    }
}
