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
