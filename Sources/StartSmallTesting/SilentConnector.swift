public import StartSmall

extension Connector {
    /// Stub that does not answer: each call ends with `ConnectionError.cancelled`, when it is cancelled.
    ///
    /// ```swift
    /// let begun = Latch()
    /// let call = Task { await user.fetch(via: .silent(begun: begun)) }
    /// await begun.wait()
    /// call.cancel()
    /// ```
    ///
    /// - Parameters:
    ///   - begun: opened when the stub is called.
    ///   - ended: opened when a call of the stub ends.
    ///   - gate: ends the calls when it is opened, even if they are not cancelled.
    public static func silent(begun: Latch = Latch(), ended: Latch = Latch(), until gate: Latch = Latch()) -> Connector
    {
        Connector { _ in
            begun.open()
            await gate.wait()
            ended.open()
            return .noResponse(.cancelled)
        }
    }
}
