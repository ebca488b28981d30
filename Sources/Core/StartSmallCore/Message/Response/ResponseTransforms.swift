import StartSmallSupport
public import StartSmallFoundation

/// Transforms of a response: pure functions from a response to a value.
///
/// Each transform accepts 2xx unless other statuses are given, and each returns one of these errors:
/// - ``TransformError/problem(_:_:)`` if the status is not accepted and the payload can be read as a `Problem`,
/// - ``TransformError/unexpectedStatusCode(_:)`` if the status is not accepted,
/// - ``TransformError/malformedData(_:debugInfo:)`` if the payload is not as expected.
///
/// Without `problem`, there is none: `Endpoint(.get("…")) { $0.json(User.self) }`. A `Problem` is read by the given
/// decoder, and if that fails or there is none, by a plain `JSONDecoder`. ``ProblemDetails`` and ``JSONValue`` are read
/// without a decoder. JSON with more than 128 combining marks in a row is malformed: to compare a name with them, Swift
/// would take minutes.
extension Response {
    /// Decodes the payload as JSON; an empty payload is nil if the value is optional.
    ///
    /// The payload is decoded regardless of its media type, since many servers declare a wrong one. If decoding fails,
    /// the error contains that media type.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - decoder: the decoder of the value and of a problem.
    ///   - problem: the type of the API's error messages; `Never` for none.
    ///   - accepting: the statuses that count as success.
    public func json<Value: Decodable, Problem: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder(),
        problem: Problem.Type = Never.self,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Problem>, Value> {
        // Without `flatMap`: for a small payload, looking up its generic types takes as long as decoding.
        guard accepting.contains(statusCode) else { return .left(rejected(problem, decoder)) }
        let json = payload.isEmpty && type is any OptionalType.Type ? Data("null".utf8) : payload
        do {
            if let type = type as? any ReadWithoutDecoder.Type,
                let value = try type.init(json: json, isProblem: false) as? Value
            {
                return .right(value)
            }
            return .right(try decoder.value(type, from: json))
        } catch {
            let reason = DecodingError.text(of: error, in: payload)
            return .left(.malformedData(self, debugInfo: "\(otherThanJSON)\(reason)"))
        }
    }

    /// Decodes the payload as text.
    ///
    /// The encoding is `encoding`, or else the charset that `Content-Type` names, or else UTF-8. An unsupported charset
    /// is ``TransformError/malformedData(_:debugInfo:)``, as no other can be right.
    ///
    /// - SeeAlso: ``json(_:decoder:problem:accepting:)``
    public func text<Problem: Decodable & Sendable>(
        encoding: String.Encoding? = nil,
        problem: Problem.Type = Never.self,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Problem>, String> {
        accepted(accepting, problem: problem).flatMap { payload in
            let charset = contentType?.charset
            guard let encoding = encoding ?? charset.map(Charset.encoding) ?? .utf8 else {
                let reason =
                    "unknown charset \"\(charset ?? "")\"; text(encoding:) reads the payload in a given encoding"
                return .left(.malformedData(self, debugInfo: reason))
            }
            do {
                guard let text = try Charset.text(payload, in: encoding) else {
                    let name = Charset.name(encoding) ?? "\(encoding)"
                    return .left(.malformedData(self, debugInfo: "not \(name): \(payload.count) bytes"))
                }
                return .right(text)
            } catch {
                return .left(.malformedData(self, debugInfo: "\(error)"))
            }
        }
    }

    /// Reads the payload with a custom function, for example as a property list or Protocol Buffers.
    ///
    /// An error that `read` throws becomes ``TransformError/malformedData(_:debugInfo:)``.
    ///
    /// - SeeAlso: ``json(_:decoder:problem:accepting:)``
    public func model<Value, Problem: Decodable & Sendable>(
        problem: Problem.Type = Never.self,
        accepting: AcceptedStatuses = .success,
        _ read: (Data) throws -> Value
    ) -> Either<TransformError<Problem>, Value> {
        accepted(accepting, problem: problem).flatMap { payload in
            do {
                return .right(try read(payload))
            } catch {
                return .left(.malformedData(self, debugInfo: DecodingError.text(of: error)))
            }
        }
    }

    /// Returns the payload unchanged.
    ///
    /// - SeeAlso: ``json(_:decoder:problem:accepting:)``
    public func data<Problem: Decodable & Sendable>(
        problem: Problem.Type = Never.self,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Problem>, Data> {
        accepted(accepting, problem: problem)
    }

    /// Checks only that the status is accepted; the payload is ignored.
    ///
    /// - SeeAlso: ``json(_:decoder:problem:accepting:)``
    public func empty<Problem: Decodable & Sendable>(
        problem: Problem.Type = Never.self,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Problem>, Void> {
        accepted(accepting, problem: problem).map { _ in }
    }

    /// The media type of the payload for an error text; empty if that is a JSON type or unknown.
    private var otherThanJSON: String {
        guard let contentType, let essence = contentType.essence, !contentType.isJSON else { return "" }
        return "\(essence) where JSON is expected: "
    }

    private func accepted<Problem: Decodable>(
        _ statuses: AcceptedStatuses,
        problem: Problem.Type
    ) -> Either<TransformError<Problem>, Data> {
        statuses.contains(statusCode) ? .right(payload) : .left(rejected(problem, nil))
    }

    /// Returns the error of a status that is not accepted.
    private func rejected<Problem: Decodable>(
        _ problem: Problem.Type,
        _ decoder: JSONDecoder?
    ) -> TransformError<Problem> {
        guard let reported = reportedProblem(problem, decoder) else {
            return .unexpectedStatusCode(self)
        }
        return .problem(reported, self)
    }

    /// Returns the problem that the API reported; nil if neither the given decoder nor a plain one can read it.
    package func reportedProblem<Problem: Decodable>(_ problem: Problem.Type, _ decoder: JSONDecoder? = nil) -> Problem?
    {
        if problem == Never.self { return nil }
        if let problem = problem as? any ReadWithoutDecoder.Type {
            let isProblem = contentType?.essence == MediaType.problemJSON.essence
            return try? problem.init(json: payload, isProblem: isProblem) as? Problem
        }
        if let decoded = try? decoder?.value(problem, from: payload) { return decoded }
        return try? JSONDecoder().value(problem, from: payload)
    }
}

/// A protocol of every `Optional`, for a check whether a generic type is optional.
private protocol OptionalType {}

extension Optional: OptionalType {}

/// The statuses that a transform accepts as success.
public struct AcceptedStatuses: Sendable {
    private let accepts: @Sendable (HTTPStatus) -> Bool

    /// Creates a set of statuses.
    public init(_ accepts: @escaping @Sendable (HTTPStatus) -> Bool) {
        self.accepts = accepts
    }

    /// Every 2xx (RFC 9110 15.3).
    public static let success = AcceptedStatuses { $0.isSuccess }

    /// Every status.
    public static let all = AcceptedStatuses { _ in true }

    /// Returns the set of the given statuses only.
    public static func only(_ statuses: HTTPStatus...) -> AcceptedStatuses {
        AcceptedStatuses { statuses.contains($0) }
    }

    /// Returns whether the set contains a status.
    public func contains(_ status: HTTPStatus) -> Bool { accepts(status) }
}

/// A decoder that takes linear time, whatever names the text has.
package protocol LinearDecoder: JSONDecoder {}

/// A value that is read from JSON without a decoder, with digits and members that a decoder does not report.
package protocol ReadWithoutDecoder: Decodable {
    /// Reads a value from JSON, which may be declared as `application/problem+json`.
    init(json: Data, isProblem: Bool) throws
}

/// The error of a decoder that says more about the payload than a `DecodingError` can.
package protocol PayloadError: Error {
    /// Returns the reason; `whole` is the name of the payload in it.
    func text(in payload: Data?, calling whole: String) -> String
}

extension JSONDecoder {
    /// Decodes a value, unless the text has so many combining marks in a row that Foundation would take minutes.
    package func value<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        // The first test alone answers for nearly all decoders, and the second one takes longer.
        let isLinear = Swift.type(of: self) != JSONDecoder.self && self is any LinearDecoder
        if !isLinear, CombiningMarks.hasLongRun(json: data) { throw DecodingError.tooManyMarks() }
        do {
            return try decode(type, from: data)
        } catch let error as DecodingError where error.isOfTheWhole {
            throw UnfitNumber.error(in: data, as: type, by: self) ?? error
        }
    }
}
