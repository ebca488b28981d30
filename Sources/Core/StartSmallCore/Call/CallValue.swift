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
}

/// A value of a call that has to be ended with it.
public protocol EndingCallValue: CallValue {
    /// Ends the value after the payload of the response, before the call reports its end; the call waits for it.
    ///
    /// The function runs in a task of its own, which is not cancelled with the call. An abandoned request that asks for
    /// its first value after the end of the call gets one that nobody ends.
    func end() async
}

/// The values of one call, by their types.
package final class CallValues: Sendable {
    private let state = Locked<(values: [ObjectIdentifier: any CallValue], isOver: Bool)>(([:], false))

    package init() {}

    /// Returns the value of a type, which is created if there is none; one that nobody ends after the end of the call.
    func value<Value: CallValue>(_ type: Value.Type) -> Value {
        if let value = existing(type) { return value }
        let key = ObjectIdentifier(type)
        // Outside of the lock: this is code of the app.
        let new = Value()
        let value = state.withLock { state in
            if state.values[key] == nil, !state.isOver { state.values[key] = new }
            return state.values[key]
        }
        return value as? Value ?? new
    }

    /// Returns the value of a type, if there is one.
    func existing<Value: CallValue>(_ type: Value.Type) -> Value? {
        state.withLock { $0.values[ObjectIdentifier(type)] } as? Value
    }

    /// Ends all values, once.
    package func end() async {
        await withCheckedContinuation { ended in end { ended.resume() } }
    }

    /// Ends all values, once, and calls a function then: now, if none has to be ended.
    func end(then act: @escaping @Sendable () -> Void) {
        let values = state.withLock { state -> [any CallValue] in
            defer { state.isOver = true }
            return state.isOver ? [] : Array(state.values.values)
        }.compactMap { $0 as? any EndingCallValue }
        if values.isEmpty { return act() }
        Task {
            for value in values { await value.end() }
            act()
        }
    }

    /// Ends all values after an output, whose body may still be open, and returns that output.
    func ended(by output: Output) async -> Output {
        if output.body != nil { return output.onEnd { _ in self.end {} } }
        await end()
        return output
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
