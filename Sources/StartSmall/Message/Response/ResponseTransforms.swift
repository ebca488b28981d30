public import Foundation

/// What a response means: pure functions from a response to a value.
///
/// Each accepts 2xx unless told otherwise, and each is left with
/// - ``TransformError/problem(_:_:)`` if the status is not accepted and the payload can be read as a `Problem`,
/// - ``TransformError/unexpectedStatusCode(_:)`` if the status is not accepted,
/// - ``TransformError/malformedData(_:debugInfo:)`` if the payload is not what it should be.
///
/// Where neither `problem` nor the type that is asked for says what a `Problem` is, there is none.
/// A `Problem` is read by the decoder that is given, and where that can't, or there is none, by a plain `JSONDecoder`;
/// ``ProblemDetails`` and ``JSONValue`` by the kit itself, as a decoder takes too long where it is not told what comes.
extension Response {
    /// The payload read as JSON; an empty one is nil where the value may be.
    ///
    /// The payload is read whatever its media type is, as many servers name a wrong one; if it can't be read, the failure
    /// says of which type it was.
    public func json<Value: Decodable, Problem: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder(),
        problem: Problem.Type = Problem.self,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Problem>, Value> {
        accepted(accepting, problem: problem, decoder).flatMap { payload in
            let json = payload.isEmpty && type is any OptionalType.Type ? Data("null".utf8) : payload
            do {
                return .right(try decoder.decode(type, from: json))
            } catch {
                let reason = DecodingError.text(of: error, in: payload)
                return .left(.malformedData(self, debugInfo: "\(otherThanJSON)\(reason)"))
            }
        }
    }

    /// The payload read as text: in the encoding that is given, or else in the charset that `Content-Type` names, or else
    /// in UTF-8.
    ///
    /// A charset that ``Charset`` does not know is ``TransformError/malformedData(_:debugInfo:)``, as no other can be right.
    public func text<Problem: Decodable & Sendable>(
        encoding: String.Encoding? = nil,
        problem: Problem.Type = Problem.self,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Problem>, String> {
        accepted(accepting, problem: problem).flatMap { payload in
            let charset = contentType?.charset
            guard let encoding = encoding ?? charset.map(Charset.encoding) ?? .utf8 else {
                let reason = "unknown charset \"\(charset ?? "")\"; text(encoding:) reads it as one that you name"
                return .left(.malformedData(self, debugInfo: reason))
            }
            guard let text = Charset.text(payload, in: encoding) else {
                return .left(.malformedData(self, debugInfo: "not \(encoding): \(payload.count) bytes"))
            }
            return .right(text)
        }
    }

    /// A value of one's own from the payload, as of a property list or Protocol Buffers; what `read` throws makes it
    /// ``TransformError/malformedData(_:debugInfo:)``.
    public func model<Value, Problem: Decodable & Sendable>(
        problem: Problem.Type = Problem.self,
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

    /// The payload as it is.
    public func data<Problem: Decodable & Sendable>(
        problem: Problem.Type = Problem.self,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Problem>, Data> {
        accepted(accepting, problem: problem)
    }

    /// Nothing but that the status is accepted; a payload is not looked at.
    public func empty<Problem: Decodable & Sendable>(
        problem: Problem.Type = Problem.self,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Problem>, Void> {
        accepted(accepting, problem: problem).map { _ in }
    }

    /// Which media type the payload has, if it is not one of JSON.
    private var otherThanJSON: String {
        guard let contentType, let essence = contentType.essence, !contentType.isJSON else { return "" }
        return "\(essence) where JSON is expected: "
    }

    /// The payload if the status is accepted.
    private func accepted<Problem: Decodable>(
        _ statuses: AcceptedStatuses,
        problem: Problem.Type,
        _ decoder: JSONDecoder? = nil
    ) -> Either<TransformError<Problem>, Data> {
        if statuses.contains(statusCode) { return .right(payload) }
        guard problem != Never.self, let said = said(problem, decoder) else {
            return .left(.unexpectedStatusCode(self))
        }
        return .left(.problem(said, self))
    }

    /// What the API says is wrong; nil if neither this decoder nor a plain one can read it.
    private func said<Problem: Decodable>(_ problem: Problem.Type, _ decoder: JSONDecoder?) -> Problem? {
        if contentType?.essence == MediaType.problemJSON.essence,
            let said = try? ProblemDetails(declared: payload) as? Problem
        {
            return said
        }
        if let decoder, !(problem is any JSONReadable.Type), let said = try? decoder.decode(problem, from: payload) {
            return said
        }
        return try? problem.init(plainJSON: payload)
    }
}

/// The same where nothing says what a problem is, as in `Endpoint(.get("…")) { $0.json(User.self) }`.
extension Response {
    /// The payload read as JSON; an empty one is nil where the value may be.
    public func json<Value: Decodable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder(),
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Never>, Value> {
        json(type, decoder: decoder, problem: Never.self, accepting: accepting)
    }

    /// The payload read as text, in the charset of `Content-Type` unless an encoding is given.
    public func text(
        encoding: String.Encoding? = nil,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Never>, String> {
        text(encoding: encoding, problem: Never.self, accepting: accepting)
    }

    /// A value of one's own from the payload.
    public func model<Value>(
        accepting: AcceptedStatuses = .success,
        _ read: (Data) throws -> Value
    ) -> Either<TransformError<Never>, Value> {
        model(problem: Never.self, accepting: accepting, read)
    }

    /// The payload as it is.
    public func data(accepting: AcceptedStatuses = .success) -> Either<TransformError<Never>, Data> {
        data(problem: Never.self, accepting: accepting)
    }

    /// Nothing but that the status is accepted; a payload is not looked at.
    public func empty(accepting: AcceptedStatuses = .success) -> Either<TransformError<Never>, Void> {
        empty(problem: Never.self, accepting: accepting)
    }
}

/// What every `Optional` is, so that a generic type can be asked whether it is one.
private protocol OptionalType {}

extension Optional: OptionalType {}
