// Functions that call over `Connector.standard`: the overloads without `via:`.

public import StartSmallCore
public import Dispatch

extension WebAPI {
    /// Calls an API over ``Connector/standard`` and returns its output.
    @concurrent
    public static func call(with input: Input) async -> Output {
        await call(with: input, via: .standard)
    }

    /// Calls an API over ``Connector/standard`` and passes its output to a block.
    ///
    /// - Returns: the task of the call, to cancel it.
    /// - SeeAlso: ``WebAPI/call(with:via:on:_:)``
    @discardableResult
    public static func call(
        with input: Input,
        on queue: DispatchQueue? = nil,
        _ block: @escaping @Sendable (Output) -> Void
    ) -> Task<Void, Never> {
        call(with: input, via: .standard, on: queue, block)
    }
}

extension Fetchable {
    /// Calls the API over ``Connector/standard`` and returns the value or the failure.
    public func fetch() async -> Fetched<Failure, Value> {
        await fetch(via: .standard)
    }

    /// Calls the API over ``Connector/standard`` and passes the value or the failure to a block.
    ///
    /// - Returns: the task of the call, to cancel it.
    /// - SeeAlso: ``WebAPI/call(with:via:on:_:)``
    @discardableResult
    public func fetch(
        on queue: DispatchQueue? = nil,
        _ block: @escaping @Sendable (Fetched<Failure, Value>) -> Void
    ) -> Task<Void, Never> {
        fetch(via: .standard, on: queue, block)
    }

    /// Calls the API over ``Connector/standard`` and returns the value, or throws the failure.
    ///
    /// - Throws: ``CallError``.
    public func value() async throws(CallError<Failure>) -> Value {
        try await value(via: .standard)
    }
}

#if canImport(Combine)
    public import Combine

    extension Fetchable {
        /// Calls the API over ``Connector/standard`` for each subscriber, and publishes the value or the failure.
        public func publisher() -> AnyPublisher<Value, CallError<Failure>> { publisher(via: .standard) }
    }
#endif
