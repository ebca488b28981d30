public import Dispatch

/// One API call as two pure values: the request to send, and the function that reads the response.
///
/// ```swift
/// let zen = Endpoint.text(.get("https://api.github.com/zen"))
/// let text = await zen.fetch(via: .standard)
/// ```
public struct Endpoint<Failure: Error, Value: Sendable>: Sendable {
    /// The request, or the error that occurred while building it.
    public var input: Either<ConnectionError, Input>

    /// The function that reads a response, and returns the result and the event for listeners.
    ///
    /// The event describes the original failure: ``mapFailure(_:)`` changes the failure, but not the event.
    package var read: @Sendable (Response) -> (result: Either<Failure, Value>, event: Event)

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - input: the request, or the error that occurred while building it.
    ///   - transform: reads the value of a response, or its failure.
    public init(
        _ input: Either<ConnectionError, Input>,
        transform: @escaping @Sendable (Response) -> Either<Failure, Value>
    ) {
        self.init(input, read: Self.reading(transform))
    }

    package init(
        _ input: Either<ConnectionError, Input>,
        read: @escaping @Sendable (Response) -> (result: Either<Failure, Value>, event: Event)
    ) {
        self.input = input
        self.read = read
    }

    /// The function that reads the value of a response, or its failure.
    public var transform: @Sendable (Response) -> Either<Failure, Value> {
        get { { [read] response in read(response).result } }
        set { read = Self.reading(newValue) }
    }

    private static func reading(
        _ transform: @escaping @Sendable (Response) -> Either<Failure, Value>
    ) -> @Sendable (Response) -> (result: Either<Failure, Value>, event: Event) {
        { response in
            let result = transform(response)
            guard case .left(let failure) = result else { return (result, .transformed) }
            return (result, (failure as? any TransformFailure)?.event ?? .invalid(response, reason: "\(failure)"))
        }
    }
}

extension Endpoint {
    /// Returns this endpoint with a changed request: `user.with { $0.headers["Prefer"] = "return=minimal" }`.
    public func with(_ change: (inout Input) -> Void) -> Endpoint {
        Endpoint(input.map { $0.with(change) }, read: read)
    }

    /// Returns this endpoint with its value mapped by a function.
    public func map<NewValue: Sendable>(
        _ change: @escaping @Sendable (Value) -> NewValue
    ) -> Endpoint<Failure, NewValue> {
        Endpoint<Failure, NewValue>(input) { [read] response in
            let (result, event) = read(response)
            return (result.map(change), event)
        }
    }

    /// Pairs the value with its response, for the header fields and the status.
    ///
    /// ```swift
    /// let (todo, response) = try await Todo.endpoint(id: 1).withResponse().value(via: .app)
    /// let tag = response.etag
    /// ```
    public func withResponse() -> Endpoint<Failure, (value: Value, response: Response)> {
        Endpoint<Failure, (value: Value, response: Response)>(input) { [read] response in
            let (result, event) = read(response)
            return (result.map { (value: $0, response: response) }, event)
        }
    }

    /// Returns this endpoint with its failure mapped by a function; listeners receive the same events as before.
    public func mapFailure<NewFailure: Error>(
        _ change: @escaping @Sendable (Failure) -> NewFailure
    ) -> Endpoint<NewFailure, Value> {
        Endpoint<NewFailure, Value>(input) { [read] response in
            let (result, event) = read(response)
            return (result.mapLeft(change), event)
        }
    }

    /// Treats a response with this status as this value, for example 404 as an empty list.
    ///
    /// - Parameters:
    ///   - status: the status to accept.
    ///   - value: the value of a response with that status.
    public func recover(from status: HTTPStatus, as value: Value) -> Endpoint {
        Endpoint(input) { [read] response in
            response.statusCode == status ? (.right(value), .transformed) : read(response)
        }
    }

    /// Turns a value that is not valid into the failure ``TransformError/invalid(_:reason:)``.
    ///
    /// - Parameter rejectionReason: returns the reason to reject the value; nil if the value is valid.
    public func validated<Problem>(
        _ rejectionReason: @escaping @Sendable (Value) -> String?
    ) -> Endpoint where Failure == TransformError<Problem> {
        Endpoint(input) { [read] response in
            let (result, event) = read(response)
            guard case .right(let value) = result, let reason = rejectionReason(value) else { return (result, event) }
            let failure = Failure.invalid(response.withoutTransfer, reason: reason)
            return (.left(failure), failure.event)
        }
    }
}

extension Endpoint {
    /// Fails for each response for which a function returns a failure, before the payload is read.
    ///
    /// ```swift
    /// let order = order.failing { $0.statusCode == .conflict ? OrderError.outdated : nil }
    /// ```
    ///
    /// Listeners receive the event ``Event/rejected(_:)``.
    public func failing(_ failure: @escaping @Sendable (Response) -> Failure?) -> Endpoint {
        Endpoint(input) { [read] response in
            failure(response).map { (.left($0), .rejected(response)) } ?? read(response)
        }
    }
}

extension Endpoint: Fetchable {
    /// Calls the API and returns the value or the failure.
    public func fetch(via connector: Connector) async -> Fetched<Failure, Value> {
        await WebAPI.fetch(self, via: connector)
    }

    /// Calls the API and passes the value or the failure to a block.
    ///
    /// - Returns: the task of the call, to cancel it.
    /// - SeeAlso: ``WebAPI/call(with:via:on:_:)``
    @discardableResult
    public func fetch(
        via connector: Connector,
        on queue: DispatchQueue?,
        _ block: @escaping @Sendable (Fetched<Failure, Value>) -> Void
    ) -> Task<Void, Never> {
        Task { @concurrent in
            await WebAPI.fetch(self, via: connector) { await WebAPI.deliver($0, to: block, on: queue) }
        }
    }
}
