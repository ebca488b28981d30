#if os(Linux)
    import CCurl
    import Testing

    import StartSmall
    @testable import StartSmallCurl

    /// One transfer of libcurl with the state that a loop keeps for it, driven by a test instead of the engine's
    /// thread.
    struct LoneTransfer {
        typealias Handle = UnsafeMutablePointer<ccurl_transfer>

        let round: UnsafeMutablePointer<ccurl_round>
        let multi: OpaquePointer
        let handle: Handle
        private let wakeDescriptor: Int32
        private let epollDescriptor: Int32

        /// Makes a transfer that exists while `body` runs.
        ///
        /// - Parameters:
        ///   - now: The time of the round's clock, in units of the test's choice.
        ///   - body: Drives the transfer.
        static func made<Result>(at now: Int64 = 1, _ body: (LoneTransfer) throws -> Result) throws -> Result {
            #expect(Connector.curlUnavailable == nil)
            let round = UnsafeMutablePointer<ccurl_round>.allocate(capacity: 1)
            round.initialize(to: ccurl_round())
            (round.pointee.now, round.pointee.silence) = (now, .max)
            defer { round.deallocate() }
            let wakeDescriptor = ccurl_wake_create()
            let epollDescriptor = ccurl_watch_create(wakeDescriptor)
            defer {
                ccurl_close(epollDescriptor)
                ccurl_close(wakeDescriptor)
            }
            let multi = try #require(ccurl_multi_create(epollDescriptor, 64, 256))
            defer { _ = ccurl_multi_free(multi) }
            let handle = try #require(ccurl_transfer_create(round))
            defer { ccurl_transfer_free(handle) }
            return try body(
                LoneTransfer(
                    round: round,
                    multi: multi,
                    handle: handle,
                    wakeDescriptor: wakeDescriptor,
                    epollDescriptor: epollDescriptor
                )
            )
        }

        /// Performs what can be done without waiting, and waits for at most a millisecond for more.
        func performOnce() throws {
            try #require(ccurl_multi_perform(multi, round, true) == 0)
            wait()
            ccurl_multi_read_events(multi)
        }

        /// Waits for events for at most a millisecond; `ccurl_multi_read_events` reads them.
        func wait() { _ = ccurl_wait(epollDescriptor, wakeDescriptor, 1) }
    }
#endif
