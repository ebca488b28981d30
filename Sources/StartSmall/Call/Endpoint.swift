public import Dispatch

/// One call of an API, as two pure things: what to send, and how to read the answer.
///
/// ```swift
/// let zen = Endpoint.text(.get("https://api.github.com/zen"))
/// let text = await zen.fetch(via: .standard)
/// ```
public struct Endpoint<Failure: Error, Value: Sendable>: Sendable {
    /// What to send, or why it could not be built.
    public var input: Either<ConnectionError, Input>

    /// What a response means, and the event that tells listeners of it, whatever a failure is made into later.
    var read: @Sendable (Response) -> (value: Either<Failure, Value>, event: Event)

    /// Creates an endpoint.
    public init(
        _ input: Either<ConnectionError, Input>,
        transform: @escaping @Sendable (Response) -> Either<Failure, Value>
    ) {
        self.init(input, read: Self.reading(transform))
    }

    init(
        _ input: Either<ConnectionError, Input>,
        read: @escaping @Sendable (Response) -> (value: Either<Failure, Value>, event: Event)
    ) {
        self.input = input
        self.read = read
    }

    /// What a response means.
    public var transform: @Sendable (Response) -> Either<Failure, Value> {
        get { { [read] response in read(response).value } }
        set { read = Self.reading(newValue) }
    }

    private static func reading(
        _ transform: @escaping @Sendable (Response) -> Either<Failure, Value>
    ) -> @Sendable (Response) -> (value: Either<Failure, Value>, event: Event) {
        { response in
            let value = transform(response)
            guard case .left(let failure) = value else { return (value, .transformed) }
            return (value, (failure as? any TransformFailure)?.event ?? .invalid(response, reason: "\(failure)"))
        }
    }
}

extension Endpoint {
    /// The same endpoint, what it sends changed: `user.with { $0.headers.set("Prefer", to: "return=minimal") }`.
    public func with(_ change: (inout Input) -> Void) -> Endpoint {
        Endpoint(input.map { $0.with(change) }, read: read)
    }

    /// The same endpoint with its value changed.
    public func map<NewValue: Sendable>(
        _ change: @escaping @Sendable (Value) -> NewValue
    ) -> Endpoint<Failure, NewValue> {
        Endpoint<Failure, NewValue>(input) { [read] response in
            let (value, event) = read(response)
            return (value.map(change), event)
        }
    }

    /// Pairs the value with the response that it was read from, for its headers and its status.
    ///
    /// ```swift
    /// let (todo, response) = try await Todo.endpoint(id: 1).withResponse().value(via: .app)
    /// let tag = response.etag
    /// ```
    public func withResponse() -> Endpoint<Failure, (value: Value, response: Response)> {
        Endpoint<Failure, (value: Value, response: Response)>(input) { [read] response in
            let (value, event) = read(response)
            return (value.map { (value: $0, response: response) }, event)
        }
    }

    /// The same endpoint with its failure changed; listeners hear of it as before.
    public func mapFailure<NewFailure: Error>(
        _ change: @escaping @Sendable (Failure) -> NewFailure
    ) -> Endpoint<NewFailure, Value> {
        Endpoint<NewFailure, Value>(input) { [read] response in
            let (value, event) = read(response)
            return (value.mapLeft(change), event)
        }
    }

    /// The same endpoint, but a response of this status means this value, as where 404 means an empty list.
    public func recover(from status: HTTPStatus, as value: Value) -> Endpoint {
        Endpoint(input) { [read] response in
            response.statusCode == status ? (.right(value), .transformed) : read(response)
        }
    }

    /// The same endpoint, but a value for which `rejectionReason` gives a reason becomes ``TransformError/invalid(_:reason:)``.
    public func validated<Problem>(
        _ rejectionReason: @escaping @Sendable (Value) -> String?
    ) -> Endpoint where Failure == TransformError<Problem> {
        Endpoint(input) { [read] response in
            let (value, event) = read(response)
            guard case .right(let right) = value, let reason = rejectionReason(right) else { return (value, event) }
            let failure = Failure.invalid(response, reason: reason)
            return (.left(failure), failure.event)
        }
    }
}

extension Endpoint: Fetchable {
    /// Calls the API.
    public func fetch(via connector: Connector) async -> Fetched<Failure, Value> {
        await WebAPI.fetch(self, via: connector)
    }

    /// Calls the API, and `block` with what comes of it, once, on the queue, or on any thread if there is none.
    ///
    /// - Returns: the task of the call, to cancel it.
    @discardableResult
    public func fetch(
        via connector: Connector,
        on queue: DispatchQueue? = nil,
        _ block: @escaping @Sendable (Fetched<Failure, Value>) -> Void
    ) -> Task<Void, Never> {
        WebAPI.fetch(self, via: connector, on: queue, block)
    }
}
