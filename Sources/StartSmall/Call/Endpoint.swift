public import Foundation

/// One call of an API, as two pure things: what to send, and how to read the answer.
///
/// ```swift
/// let zen = Endpoint.text(.get("https://api.github.com/zen"))
/// let text = await zen.fetch(via: .standard)
/// ```
public struct Endpoint<Failure: Error, Value: Sendable>: Sendable {
    /// What to send, or why it could not be built.
    public var input: Either<ConnectionError, Input>

    /// What a response means.
    public var transform: @Sendable (Response) -> Either<Failure, Value>

    /// Creates an endpoint.
    public init(
        _ input: Either<ConnectionError, Input>,
        transform: @escaping @Sendable (Response) -> Either<Failure, Value>
    ) {
        self.input = input
        self.transform = transform
    }
}

/// What comes of a call: why there was no response, or why it could not become a value, or the value.
public typealias Fetched<Failure: Error, Value> = Either<Either<ConnectionError, Failure>, Value>

extension Endpoint {
    /// The same endpoint with its value changed.
    public func map<NewValue: Sendable>(
        _ change: @escaping @Sendable (Value) -> NewValue
    ) -> Endpoint<Failure, NewValue> {
        let transform = self.transform
        return Endpoint<Failure, NewValue>(input) { transform($0).map(change) }
    }

    /// The same endpoint with its failure changed.
    public func mapFailure<NewFailure: Error>(
        _ change: @escaping @Sendable (Failure) -> NewFailure
    ) -> Endpoint<NewFailure, Value> {
        let transform = self.transform
        return Endpoint<NewFailure, Value>(input) { transform($0).mapLeft(change) }
    }

    /// The same endpoint, but a response of this status means this value, as where 404 means an empty list.
    public func recover(from status: HTTPStatus, as value: Value) -> Endpoint {
        let transform = self.transform
        return Endpoint(input) { $0.statusCode == status ? .right(value) : transform($0) }
    }

    /// The same endpoint, but a value for which `objection` gives a reason becomes ``TransformError/invalid(_:reason:)``.
    public func validated<Problem>(
        _ objection: @escaping @Sendable (Value) -> String?
    ) -> Endpoint where Failure == TransformError<Problem> {
        let transform = self.transform
        return Endpoint(input) { response in
            transform(response).flatMap { value in
                objection(value).map { .left(.invalid(response, reason: $0)) } ?? .right(value)
            }
        }
    }
}

extension Endpoint {
    /// Calls the API.
    public func fetch(via connector: Connector = .standard) async -> Fetched<Failure, Value> {
        await WebAPI.fetch(self, via: connector)
    }

    /// Calls the API, and `block` with what comes of it, once, on any thread.
    ///
    /// - Returns: the task of the call, to cancel it.
    @discardableResult
    public func fetch(
        via connector: Connector = .standard,
        _ block: @escaping @Sendable (Fetched<Failure, Value>) -> Void
    ) -> Task<Void, Never> {
        WebAPI.fetch(self, via: connector, block)
    }

    /// Calls the API and returns the value.
    ///
    /// - Throws: what went wrong.
    public func value(via connector: Connector = .standard) async throws(Either<ConnectionError, Failure>) -> Value {
        try await fetch(via: connector).get()
    }
}

/// Endpoints in one line: `Endpoint.json(User.self, .get("https://api.example.com/user"))`.
///
/// They accept 2xx; `problem` is the type of what the API says otherwise, and `Never` if it is left out.
extension Endpoint {
    /// A value of the payload's JSON.
    public static func json<Problem: Decodable & Sendable>(
        _ type: Value.Type,
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type
    ) -> Endpoint where Failure == TransformError<Problem>, Value: Decodable {
        Endpoint(input) { $0.json() }
    }

    /// A value of the payload's JSON.
    public static func json(
        _ type: Value.Type,
        _ input: Either<ConnectionError, Input>
    ) -> Endpoint where Failure == TransformError<Never>, Value: Decodable {
        Endpoint(input) { $0.json() }
    }

    /// The payload as text.
    public static func text(
        _ input: Either<ConnectionError, Input>,
        encoding: String.Encoding = .utf8
    ) -> Endpoint where Failure == TransformError<Never>, Value == String {
        Endpoint(input) { $0.text(encoding: encoding) }
    }

    /// The payload as it is.
    public static func data(
        _ input: Either<ConnectionError, Input>
    ) -> Endpoint where Failure == TransformError<Never>, Value == Data {
        Endpoint(input) { $0.data() }
    }

    /// Nothing, for an API that answers with 2xx alone.
    public static func empty(
        _ input: Either<ConnectionError, Input>
    ) -> Endpoint where Failure == TransformError<Never>, Value == Void {
        Endpoint(input) { $0.empty() }
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
