#if os(Linux)
    /// The event loop that runs a call, and the host whose connections the call counts against.
    struct CallRoute: Hashable, Sendable {
        /// The number of the host in the router.
        let host: Int

        /// The index of the event loop.
        let loop: Int

        /// The number of the host that no other host has, not even after it was forgotten; at least 1.
        let origin: UInt64

        /// The knowledge of the host's connections when the call started, or since.
        var use: ConnectionUse
    }
#endif
