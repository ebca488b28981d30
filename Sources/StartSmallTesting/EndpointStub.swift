public import Foundation
public import StartSmall

/// An answer to the request of an ``StartSmall/Endpoint``, for ``StartSmall/Connector/stub(_:recording:unexpected:)``.
public struct EndpointStub: Sendable {
    /// What is asked for, or why it could not be built.
    public let input: Either<ConnectionError, Input>

    /// What is answered.
    public let output: Output
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
    ///   - status: an accepted one.
    ///   - encoder: writes JSON as the API does; the counterpart of the endpoint's decoder. Nil for one that is found.
    /// - Returns: the answer, or no response with
    ///   `ConnectionError.malformedPayload` if the endpoint can't read what the encoder writes.
    public func stub(
        _ value: Value,
        status: HTTPStatus = .ok,
        encoder: JSONEncoder? = nil
    ) -> EndpointStub where Value: Encodable {
        let encoders = encoder.map { [$0] } ?? Self.usualEncoders
        let json = encoders.map { Output.json(encoding: value, status: status, encoder: $0) }
        let candidates: [Output] =
            switch value {
            case let text as String: [.text(text, status: status)] + json
            case let data as Data: [.data(data, status: status)] + json
            default: json
            }
        let readable = candidates.compactMap { output in
            output.response.flatMap { transform($0).right }.map { read in
                (output: output, isEqual: Self.isEqual(read, value), isWrittenAlike: Self.isWrittenAlike(read, value))
            }
        }
        let same =
            readable.first { $0.isEqual != false && $0.isWrittenAlike } ?? readable.first { $0.isEqual == true }
            ?? readable.first { $0.isWrittenAlike } ?? readable.first
        return stub(same?.output ?? candidates.lazy.compactMap(reads).first ?? candidates[0])
    }

    /// Encoders of the forms in which APIs write names and dates, the plain one first.
    private static var usualEncoders: [JSONEncoder] {
        let keys: [JSONEncoder.KeyEncodingStrategy] = [.useDefaultKeys, .convertToSnakeCase]
        let dates: [JSONEncoder.DateEncodingStrategy] = [
            .deferredToDate, .iso8601, .secondsSince1970, .millisecondsSince1970,
        ]
        return keys.flatMap { keys in
            dates.map { dates in
                let encoder = JSONEncoder()
                (encoder.keyEncodingStrategy, encoder.dateEncodingStrategy) = (keys, dates)
                return encoder
            }
        }
    }

    /// Whether two values are equal, as they say themselves; nil if they can't say.
    private static func isEqual(_ left: Value, _ right: Value) -> Bool? {
        func isEqual<Other: Equatable>(_ right: Other) -> Bool { left as? Other == right }
        return (right as? any Equatable).map { isEqual($0) }
    }

    /// Whether one encoder writes two values alike: also what `==` leaves out, and what has no `==`.
    ///
    /// Sets are written in any order, and a date that was read may be a little off, so it is rounded.
    private static func isWrittenAlike(_ left: Value, _ right: Value) -> Bool where Value: Encodable {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode((date.timeIntervalSinceReferenceDate * 1_000).rounded())
        }
        guard let written = try? encoder.encode(left) else { return false }
        return written == (try? encoder.encode(right))
    }

    /// What the API would answer where there is nothing to say: a status alone.
    public func stub(status: HTTPStatus = .noContent) -> EndpointStub {
        stub(.status(status))
    }

    /// What the API would answer with this problem.
    ///
    /// - Parameters:
    ///   - problem: what the API says is wrong.
    ///   - status: one that the endpoint does not accept.
    ///   - encoder: writes JSON as the API does; a problem is read by a plain decoder.
    public func stub<Problem: Encodable>(
        problem: Problem,
        status: HTTPStatus,
        encoder: JSONEncoder = JSONEncoder()
    ) -> EndpointStub where Failure == TransformError<Problem> {
        let mediaType = Problem.self == ProblemDetails.self ? MediaType.problemJSON : .json
        let headers: HTTPHeaders = ["Content-Type": mediaType.rawValue]
        let output = Output.json(encoding: problem, status: status, headers: headers, encoder: encoder)
        guard let response = output.response, case .left(.problem) = transform(response) else {
            return stub(.unreadable("\(status) with a \(Problem.self) is no problem to the endpoint"))
        }
        return stub(output)
    }

    /// What the endpoint can't read of an answer; nil if it can.
    private func reads(_ output: Output) -> Output? {
        guard let response = output.response else { return output }
        guard case .left(let failure) = transform(response) else { return nil }
        return .unreadable("the endpoint can't read its own stub, whose encoder may not fit its decoder: \(failure)")
    }
}

extension Output {
    fileprivate static func unreadable(_ reason: String) -> Output {
        .noResponse(.malformedPayload(debugInfo: reason))
    }
}

extension Connector {
    /// Stub of a whole API, from its endpoints: `.stub(user.stub(octocat), repositories.stub([]))`.
    ///
    /// A request is answered by the first stub of its method and URL, where the order of query items does not count. A
    /// request to anywhere else gets no response, and is told what was expected and what is different.
    public static func stub(
        _ stubs: EndpointStub...,
        recording sent: Recorder<Input>? = nil,
        unexpected: Recorder<Input>? = nil
    ) -> Connector {
        let exchanges = stubs.compactMap { stub in
            (stub.input.right.flatMap { try? $0.asRecorded() }).map { (input: $0, output: stub.output) }
        }
        return stub(recording: sent) { input in
            if let asked = try? input.asRecorded(),
                let found = exchanges.first(where: { RequestMatching.methodAndURL(asked, $0.input) })
            {
                return found.output
            }
            unexpected?.append(input)
            let near = exchanges.map { differences(between: $0.input, and: input) }.min { $0.weight < $1.weight }
            let reason = near.map { "stubbed → asked: \($0.lines.joined(separator: "; "))" } ?? "nothing is stubbed"
            return .noResponse(.noDataOrNoResponse(debugInfo: "unexpected request \(input): \(reason)"))
        }
    }
}
