#if os(Linux)
    import CCurl
    import Dispatch
    import Testing

    @testable import StartSmall

    /// Two transfers on one connection of HTTP/2, driven by the test instead of the engine's thread.
    @Suite(.timeLimit(.minutes(1)))
    struct CurlSharedConnectionTests {
        /// With these versions of libcurl, transfers without TLS do not share a connection of HTTP/2.
        private static let isShared =
            Connector.curlUnavailable == nil && !ConnectionOptions.breaksReusedHTTP2(ccurl_version())

        @Test(
            "a transfer ends, though another one that has just begun read its answer",
            .enabled(if: isShared, "this libcurl does not share connections without TLS")
        )
        func readByAnother() async throws {
            let (asked, mayAnswer, answered) = (DispatchSemaphore(value: 0), Signal(), DispatchSemaphore(value: 0))
            try await withHTTP2Server { answer in
                asked.signal()
                mayAnswer.wait()
                answer()
                answered.signal()
            } _: { port in
                try LoneTransfer.made { first in
                    let second = try #require(ccurl_transfer_create(first.round))
                    defer { ccurl_transfer_free(second) }
                    for handle in [first.handle, second] {
                        #expect(ccurl_set_text(handle, ccurl_url, "http://127.0.0.1:\(port)/") == 0)
                        #expect(ccurl_set_long(handle, ccurl_http_version, Int(ccurl_http_2_only)) == 0)
                        #expect(ccurl_set_long(handle, ccurl_pipe_wait, 1) == 0)
                        handle.pointee.head_limit = CurlTransfer.headLimit
                        handle.pointee.may_share = true
                    }
                    defer { mayAnswer.open() }
                    try #require(ccurl_multi_add(first.multi, first.handle) == 0)
                    while asked.wait(timeout: .now()) == .timedOut { try first.performOnce() }
                    mayAnswer.open()
                    answered.wait()
                    // The answer has arrived, and no event of the socket has been read since.
                    try #require(ccurl_multi_add(first.multi, second) == 0)
                    var result: Int32 = -1
                    #expect(ccurl_multi_perform(first.multi, first.round, false) == 0)
                    #expect(ccurl_multi_next_ended(first.multi, &result) == first.handle)
                    #expect(result == 0, "\(CurlTransfer.reason("first", result))")
                    _ = ccurl_multi_remove(first.multi, first.handle)
                    while ccurl_multi_next_ended(first.multi, &result) == nil { try first.performOnce() }
                    #expect(result == 0 && ccurl_get_timings(second).connections == 0)
                    _ = ccurl_multi_remove(first.multi, second)
                }
            }
        }
    }

    /// A latch for the thread of a server.
    private final class Signal: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        func open() { semaphore.signal() }

        /// Waits until the signal is open, which it stays.
        func wait() {
            semaphore.wait()
            semaphore.signal()
        }
    }
#endif
