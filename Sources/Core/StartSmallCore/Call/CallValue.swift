import StartSmallSupport

/// A value that each call has one of: all attempts and redirects of the call use the same.
///
/// ```swift
/// final class Attempts: CallValue {
///     let count = Atomic(0)
/// }
///
/// let numbered = Wrapper("numbered", perCall: Attempts.self) { input, next, attempts in
///     let number = attempts.count.add(1, ordering: .relaxed).newValue
///     return await next(input.with { $0.headers["X-Attempt"] = "\(number)" })
/// }
/// ```
///
/// Several requests of a call may run at the same time, and one that was abandoned may still run after the end of the
/// call: a value is safe to share.
public protocol CallValue: Sendable {
    /// Creates the value of a call, at its first use; of two that are created at the same time, one is dropped.
    init()

    /// Ends the value when the call ends, after the payload of its response: before the call reports its end.
    func end() async
}

extension CallValue {
    /// Does nothing.
    public func end() async {}
}

/// The values of one call, by their types.
package final class CallValues: Sendable {
    private let state = Locked<(values: [ObjectIdentifier: any CallValue], isOver: Bool)>(([:], false))

    package init() {}

    /// Returns the value of a type, which is created if there is none; a new one of its own after the end of the call.
    package func value<Value: CallValue>(_ type: Value.Type) -> Value {
        let key = ObjectIdentifier(type)
        if let value = state.withLock({ $0.values[key] }) as? Value { return value }
        // Outside of the lock: this is code of the app.
        let new = Value()
        let value = state.withLock { state in
            if state.values[key] == nil, !state.isOver { state.values[key] = new }
            return state.values[key]
        }
        return value as? Value ?? new
    }

    /// Ends all values, once.
    package func end() async {
        let values = state.withLock { state in
            defer { state.isOver = true }
            return state.isOver ? [] : Array(state.values.values)
        }
        for value in values { await value.end() }
    }
}

extension Wrapper {
    /// Creates a wrapper whose function has a value of each call, which all attempts of the call share.
    ///
    /// - Parameters:
    ///   - name: the name of the wrapper, by which descriptions and the rules of an order know it.
    ///   - type: the type of the value; wrappers that name the same type have the same value.
    ///   - around: returns the output of an input; calls `next` to continue towards the engine.
    public init<Value: CallValue>(
        _ name: String? = nil,
        perCall type: Value.Type,
        _ around: @escaping @Sendable (_ input: Input, _ next: Next, _ value: Value) async -> Output
    ) {
        self.init(name) { inner in
            var wrapped = inner.wrapped(
                by: Wrapper { input, next in await around(input, next, next.context.value(type) ?? Value()) }
            )
            wrapped.hasCallValues = true
            return wrapped
        }
    }
}
