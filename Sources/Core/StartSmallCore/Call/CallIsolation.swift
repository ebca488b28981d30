/// The isolation of the calls that a task makes: calls of different isolation are never shared, and never wait for each
/// other.
package enum CallIsolation {
    /// The marks of this task, by the number of who set them: none for most tasks.
    ///
    /// The refresh of a token sets one, and the calls that it makes are sent without a token while it runs; otherwise they
    /// would wait for themselves.
    @TaskLocal package static var marks: [UInt64: Int] = [:]
}
