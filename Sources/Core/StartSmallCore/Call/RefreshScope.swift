/// The refreshes of tokens that a task is a part of.
package enum RefreshScope {
    /// The stores for which this task refreshes, and the generation of each in which the refresh began.
    ///
    /// The calls of a refresh are sent without a token while the refresh runs; otherwise they would wait for
    /// themselves. A task that outlives the refresh is treated like any other task.
    @TaskLocal package static var ofThisTask: [UInt64: Int] = [:]
}
