extension Wrapper {
    /// Wrapper that counts its calls in a group, which can cancel them all.
    ///
    /// What is inside runs in a task of its own, so that a call can be cancelled alone. The task that made the call goes on,
    /// with ``ConnectionError/cancelled``; cancelling that task cancels the call, as always. The call ends at once even if what
    /// is inside does not: that is let go, and no part of a payload that it still brings goes anywhere.
    ///
    /// - Unchanged when: the group cancels nothing.
    /// - Order: outermost, so that a call counts as long as it runs, and cancelling ends what tries again too.
    /// - Fails with: ``ConnectionError/cancelled`` after ``CallGroup/cancelAll()``, whatever the connector inside says.
    /// - State: the group's.
    public static func tracked(in group: CallGroup) -> Wrapper {
        Wrapper { input, next in await group.run(input, next) }
    }
}
