public import StartSmallCore

/// Several calls with one value: one after another with `flatMap`, or concurrent with `zip`.
///
/// ```swift
/// let repositories = user.flatMap { user in Repository.endpoint(ownedBy: user.login) }
/// let page = user.zip(news).map { user, news in Page(user, news) }
/// ```
///
/// A composite call is made in the same ways as an ``Endpoint``. Listeners receive the events of each of its calls.
public struct CompositeCall<Failure: Error, Value: Sendable>: Fetchable {
    private let run: @Sendable (Connector) async -> Fetched<Failure, Value>

    init(run: @escaping @Sendable (Connector) async -> Fetched<Failure, Value>) {
        self.run = run
    }

    /// Creates a call with a known result, for a branch of a `flatMap` that needs no request.
    public init(_ known: Fetched<Failure, Value>) {
        self.init { _ in known }
    }

    /// Creates a composite call from an endpoint or from another call.
    public init(_ calls: some Fetchable<Failure, Value>) {
        self.init { await calls.fetch(via: $0) }
    }

    /// Calls the API and returns the value or the failure.
    ///
    /// This function leaves the caller's actor, so that no code between the calls runs on the main actor.
    @concurrent
    public func fetch(via connector: Connector) async -> Fetched<Failure, Value> {
        await run(connector)
    }
}

extension CompositeCall {
    /// Returns these calls with their value mapped by a function.
    public func map<NewValue: Sendable>(
        _ change: @escaping @Sendable (Value) -> NewValue
    ) -> CompositeCall<Failure, NewValue> {
        CompositeCall<Failure, NewValue> { [run] in await run($0).map(change) }
    }

    /// Returns these calls with the failure of their transforms mapped by a function.
    public func mapFailure<NewFailure: Error>(
        _ change: @escaping @Sendable (Failure) -> NewFailure
    ) -> CompositeCall<NewFailure, Value> {
        CompositeCall<NewFailure, Value> { [run] in await run($0).mapLeft { $0.map(change) } }
    }
}

extension Fetchable {
    /// Fetches this value, then the next one, which a function creates from this value.
    ///
    /// - Parameter next: creates the next call; not called if this call fails.
    public func flatMap<Other: Fetchable>(
        _ next: @escaping @Sendable (Value) -> Other
    ) -> CompositeCall<Failure, Other.Value> where Other.Failure == Failure {
        CompositeCall { connector in
            switch await fetch(via: connector) {
            case .left(let failure): .left(failure)
            case .right(let value): await next(value).fetch(via: connector)
            }
        }
    }

    /// Fetches two values concurrently and pairs them.
    ///
    /// As soon as one of them fails, the other one is cancelled, and the first failure is returned.
    public func zip<Other: Fetchable>(
        _ other: Other
    ) -> CompositeCall<Failure, (Value, Other.Value)> where Other.Failure == Failure {
        CompositeCall { connector in
            // Of the two values, the first is on the left.
            await withTaskGroup(of: Fetched<Failure, Either<Value, Other.Value>>.self) { group in
                group.addTask { await fetch(via: connector).map(Either.left) }
                group.addTask { await other.fetch(via: connector).map(Either.right) }
                var values: (first: Value?, second: Other.Value?)
                for await half in group {
                    switch half {
                    case .right(.left(let value)): values.first = .some(value)
                    case .right(.right(let value)): values.second = .some(value)
                    case .left(let failure):
                        group.cancelAll()
                        return .left(failure)
                    }
                }
                guard let first = values.first, let second = values.second else { return .left(.left(.cancelled)) }
                return .right((first, second))
            }
        }
    }
}
