public import StartSmall

extension Connector {
    /// Returns a stub that never responds: each call ends with `ConnectionError.cancelled` when cancelled.
    ///
    /// ```swift
    /// let begun = Latch()
    /// let call = Task { await user.fetch(via: .silent(begun: begun)) }
    /// await begun.wait()
    /// call.cancel()
    /// ```
    ///
    /// - Parameters:
    ///   - begun: a latch that opens when the stub is called.
    ///   - ended: a latch that opens when a call of the stub ends.
    ///   - release: a latch that ends the calls when opened, even if they are not cancelled.
    public static func silent(
        begun: Latch = Latch(),
        ended: Latch = Latch(),
        until release: Latch = Latch()
    ) -> Connector {
        Connector { _ in
            begun.open()
            await release.wait()
            ended.open()
            return .noResponse(.cancelled)
        }
        .named("silent")
    }
}
