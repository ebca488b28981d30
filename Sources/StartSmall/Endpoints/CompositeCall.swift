/// Several calls that make one value: one after another by `flatMap`, or side by side by `zip`.
///
/// ```swift
/// let repositories = user.flatMap { user in Repository.endpoint(ownedBy: user.login) }
/// let page = user.zip(news).map { user, news in Page(user, news) }
/// ```
///
/// They are called in the same ways as an ``Endpoint``. Listeners hear each of the calls on its own.
public struct CompositeCall<Failure: Error, Value: Sendable>: Fetchable {
    private let run: @Sendable (Connector) async -> Fetched<Failure, Value>

    init(run: @escaping @Sendable (Connector) async -> Fetched<Failure, Value>) {
        self.run = run
    }

    /// What is known already, without a call: for a branch of a `flatMap` that needs none.
    public init(_ known: Fetched<Failure, Value>) {
        self.init { _ in known }
    }

    /// The same, as one of several calls.
    public init(_ calls: some Fetchable<Failure, Value>) {
        self.init { await calls.fetch(via: $0) }
    }

    /// Calls the API.
    ///
    /// It leaves the caller's actor, so that nothing between the calls runs on the main actor.
    @concurrent
    public func fetch(via connector: Connector) async -> Fetched<Failure, Value> {
        await run(connector)
    }
}

extension CompositeCall {
    /// The same calls with their value changed.
    public func map<NewValue: Sendable>(
        _ change: @escaping @Sendable (Value) -> NewValue
    ) -> CompositeCall<Failure, NewValue> {
        CompositeCall<Failure, NewValue> { [run] in await run($0).map(change) }
    }

    /// The same calls with the failure of their transforms changed.
    public func mapFailure<NewFailure: Error>(
        _ change: @escaping @Sendable (Failure) -> NewFailure
    ) -> CompositeCall<NewFailure, Value> {
        CompositeCall<NewFailure, Value> { [run] in await run($0).mapLeft { $0.map(change) } }
    }
}

extension Fetchable {
    /// Fetches this, then what `next` makes of its value; if this fails, `next` is not called.
    public func flatMap<Next: Fetchable>(
        _ next: @escaping @Sendable (Value) -> Next
    ) -> CompositeCall<Failure, Next.Value> where Next.Failure == Failure {
        CompositeCall { connector in
            switch await fetch(via: connector) {
            case .left(let failure): .left(failure)
            case .right(let value): await next(value).fetch(via: connector)
            }
        }
    }

    /// The values of both, which are fetched side by side.
    ///
    /// As soon as one of them fails, the other is cancelled, and the first failure is what comes of them.
    public func zip<Other: Fetchable>(
        _ other: Other
    ) -> CompositeCall<Failure, (Value, Other.Value)> where Other.Failure == Failure {
        CompositeCall { connector in
            await withTaskGroup(of: PartialResult<Failure, Value, Other.Value>.self) { group in
                group.addTask { .first(await fetch(via: connector)) }
                group.addTask { .second(await other.fetch(via: connector)) }
                var values: (first: Value?, second: Other.Value?)
                for await half in group {
                    switch half {
                    case .first(.right(let value)): values.first = .some(value)
                    case .second(.right(let value)): values.second = .some(value)
                    case .first(.left(let failure)), .second(.left(let failure)):
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

/// What one of two tasks brings back.
private enum PartialResult<Failure: Error, First: Sendable, Second: Sendable>: Sendable {
    case first(Fetched<Failure, First>)
    case second(Fetched<Failure, Second>)
}
