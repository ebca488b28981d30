public import Dispatch

/// A value that can be fetched from an API: an ``Endpoint``, which is one call, or a ``CompositeCall`` of several.
public protocol Fetchable<Failure, Value>: Sendable {
    /// The error of a response that could not become a value.
    associatedtype Failure: Error

    /// The value of the response, or of several responses.
    associatedtype Value: Sendable

    /// Calls the API and returns the value or the failure.
    func fetch(via connector: Connector) async -> Fetched<Failure, Value>

    /// Calls the API with options for this call, and returns the value or the failure.
    ///
    /// - Parameters:
    ///   - connector: the connector of the call.
    ///   - options: the options, in place of those of an endpoint; for several requests, where they have chosen none.
    func fetch(via connector: Connector, options: [CallOption]) async -> Fetched<Failure, Value>

    /// Calls the API and passes the value or the failure to a block.
    ///
    /// - Parameters:
    ///   - connector: the connector of the call.
    ///   - queue: the queue of the block; nil for any thread.
    ///   - block: receives the value or the failure, once.
    /// - Returns: the task of the call, to cancel it.
    @discardableResult
    func fetch(
        via connector: Connector,
        on queue: DispatchQueue?,
        _ block: @escaping @Sendable (Fetched<Failure, Value>) -> Void
    ) -> Task<Void, Never>
}

extension Fetchable {
    /// Calls the API and returns the value, or throws the failure.
    ///
    /// - Throws: ``CallError``.
    public func value(via connector: Connector) async throws(CallError<Failure>) -> Value {
        try await fetch(via: connector).get()
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
        Task { @concurrent in await WebAPI.deliver(await fetch(via: connector), to: block, on: queue) }
    }

    /// Calls the API, and then `block` once, on any thread.
    ///
    /// - Returns: the task of the call, to cancel it.
    /// - SeeAlso: ``WebAPI/call(with:via:on:_:)``
    @discardableResult
    public func fetch(
        via connector: Connector,
        _ block: @escaping @Sendable (Fetched<Failure, Value>) -> Void
    ) -> Task<Void, Never> {
        // With the queue: this is a requirement, so that an endpoint's own implementation is called.
        fetch(via: connector, on: nil, block)
    }
}

/// The result of a call: its value, or the error of its connection or of its transform.
public typealias Fetched<Failure: Error, Value> = Either<CallError<Failure>, Value>

/// The error of a call: there was no response, or the response could not become a value.
///
/// Functions such as ``Fetchable/value(via:)`` throw this error.
///
/// In a closure, for example of a `Task`, Swift takes the thrown type of a `do` only from the statement itself:
///
/// ```swift
/// Task {
///     do throws(CallError<TransformError<Never>>) {
///         show(try await zen.value())
///     } catch {
///         switch error {
///         case .left(let connectionError): show(connectionError)
///         case .right(let transformError): show(transformError)
///         }
///     }
/// }
/// ```
public typealias CallError<Failure: Error> = Either<ConnectionError, Failure>

extension Either where Left: EitherProtocol, Left.Left == ConnectionError {
    /// The reason why there was no response; nil if there was one.
    public var connectionError: ConnectionError? {
        left?.left
    }

    /// The reason why the response could not become a value; nil if it could, or if there was no response.
    public var failure: Left.Right? {
        left?.right
    }
}

/// A protocol that only ``Either`` conforms to, for extensions that require a side of one to be another ``Either``.
public protocol EitherProtocol<Left, Right> {
    /// The type of the left value.
    associatedtype Left

    /// The type of the right value.
    associatedtype Right

    /// The left value; nil if there is a right one.
    var left: Left? { get }

    /// The right value; nil if there is a left one.
    var right: Right? { get }
}

extension Either: EitherProtocol {}
