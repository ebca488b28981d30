extension Wrapper {
    /// Counts its calls in a group, which can cancel them all.
    ///
    /// The inner call runs in its own task, so that a call can be cancelled alone. The calling task continues, with
    /// ``ConnectionError/cancelled``; cancelling that task cancels the call, as always. The call ends at once even if
    /// the inner call does not: the inner call is abandoned, and its late output and the payload parts that it still
    /// delivers are discarded. A call with an open ``Response/body`` counts, and can be cancelled, until the body ends.
    ///
    /// - Parameter group: the group that counts and cancels the calls.
    /// - Passes through: all calls that the group does not cancel.
    /// - Order: outermost, so that a call counts as long as it runs, and cancelling ends its retries too.
    /// - Errors: ``ConnectionError/cancelled`` after ``CallGroup/cancelAll()``, regardless of the inner connector's
    ///   output.
    /// - State: the state of the group.
    public static func tracked(in group: CallGroup) -> Wrapper {
        Wrapper("tracked") { input, next in
            next.context.isDryRun ? await next(input) : await group.run(input, next)
        }
    }
}
