public import Foundation

/// Endpoints in one line: `Endpoint.json(User.self, .get("https://api.example.com/user"))`.
///
/// They accept 2xx unless `accepting` says otherwise; `problem` is the type of what the API says of anything else, and
/// `Never` if it is left out.
extension Endpoint {
    /// A value of the payload's JSON; an empty payload is nil where the value may be.
    public static func json(
        _ type: Value.Type,
        _ input: Either<ConnectionError, Input>,
        decoder: JSONDecoder = JSONDecoder(),
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Never>, Value: Decodable {
        Endpoint(input) { $0.json(type, decoder: decoder, accepting: accepting) }
    }

    /// A value of the payload's JSON, or the problem that the API tells of.
    public static func json<Problem: Decodable & Sendable>(
        _ type: Value.Type,
        _ input: Either<ConnectionError, Input>,
        decoder: JSONDecoder = JSONDecoder(),
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Problem>, Value: Decodable {
        Endpoint(input) { $0.json(type, decoder: decoder, problem: problem, accepting: accepting) }
    }

    /// The payload as text, in the charset of `Content-Type` or else in UTF-8, unless an encoding is given.
    public static func text(
        _ input: Either<ConnectionError, Input>,
        encoding: String.Encoding? = nil,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Never>, Value == String {
        Endpoint(input) { $0.text(encoding: encoding, accepting: accepting) }
    }

    /// The payload as text, or the problem that the API tells of.
    public static func text<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        encoding: String.Encoding? = nil,
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Problem>, Value == String {
        Endpoint(input) { $0.text(encoding: encoding, problem: problem, accepting: accepting) }
    }

    /// The payload as it is.
    public static func data(
        _ input: Either<ConnectionError, Input>,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Never>, Value == Data {
        Endpoint(input) { $0.data(accepting: accepting) }
    }

    /// The payload as it is, or the problem that the API tells of.
    public static func data<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Problem>, Value == Data {
        Endpoint(input) { $0.data(problem: problem, accepting: accepting) }
    }

    /// Nothing, for an API that answers with a status alone.
    public static func empty(
        _ input: Either<ConnectionError, Input>,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Never>, Value == Void {
        Endpoint(input) { $0.empty(accepting: accepting) }
    }

    /// Nothing, for an API that answers with a status alone, or the problem that the API tells of.
    public static func empty<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Problem>, Value == Void {
        Endpoint(input) { $0.empty(problem: problem, accepting: accepting) }
    }

    /// The whole response, of whatever status.
    public static func response(
        _ input: Either<ConnectionError, Input>
    ) -> Endpoint where Failure == Never, Value == Response {
        Endpoint(input) { .right($0) }
    }

    /// A value of one's own.
    public static func model(
        _ input: Either<ConnectionError, Input>,
        _ transform: @escaping @Sendable (Response) -> Either<Failure, Value>
    ) -> Endpoint {
        Endpoint(input, transform: transform)
    }
}
