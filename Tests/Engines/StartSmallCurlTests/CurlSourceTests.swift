#if os(Linux)
    import CCurl
    import Foundation
    import StartSmallTesting
    import TestSupport
    import Testing

    @testable import StartSmallCurl

    /// Uploads of a source in chunks, driven by the test instead of the engine's thread.
    @Suite("sources of uploads, as libcurl reads them", .timeLimit(.minutes(1))) struct CurlSourceTests {
        /// A payload of the letter `x`, of which each read copies one.
        private struct Source {
            var count = UInt64.max
            var isPending = false

            /// The offsets that libcurl has asked for.
            var offsets: [UInt64] = []

            static let read: ccurl_source = { context, offset, bytes, _ in
                let source = context.assumingMemoryBound(to: Source.self)
                source.pointee.offsets.append(offset)
                if source.pointee.isPending { return ccurl_source_pending }
                if offset >= source.pointee.count { return 0 }
                bytes[0] = CChar(UInt8(ascii: "x"))
                return 1
            }
        }

        private static let noContent = "HTTP/1.1 204 No Content\r\n\r\n"

        /// Begins an upload that exists while `body` runs.
        private func upload(
            to server: LoopbackServer,
            _ field: String,
            _ body: (LoneTransfer, UnsafeMutablePointer<Source>) throws -> Void
        ) throws {
            try LoneTransfer.made { lone in
                let source = UnsafeMutablePointer<Source>.allocate(capacity: 1)
                source.initialize(to: Source())
                defer {
                    source.deinitialize(count: 1)
                    source.deallocate()
                }
                let fields = ccurl_list_append(nil, field)
                defer { ccurl_list_free(fields) }
                try #require(ccurl_set_fields(lone.handle, fields) == 0)
                try #require(ccurl_set_text(lone.handle, ccurl_url, server.url.absoluteString) == 0)
                try #require(ccurl_set_text(lone.handle, ccurl_proxy, "") == 0)
                try #require(ccurl_send_source(lone.handle, Source.read, source, -1) == 0)
                lone.handle.pointee.head_limit = CurlTransfer.headLimit
                lone.handle.pointee.is_produced = true
                try #require(ccurl_multi_add(lone.multi, lone.handle) == 0)
                defer { _ = ccurl_multi_remove(lone.multi, lone.handle) }
                try body(lone, source)
            }
        }

        /// Performs a transfer to its end, which has to be a response with 204.
        private func expectNoContent(_ lone: LoneTransfer) throws {
            var result: Int32 = -1
            while ccurl_multi_next_ended(lone.multi, &result) == nil { try lone.performOnce() }
            #expect(result == 0, "\(CurlTransfer.reason("the upload", result))")
            let head = lone.handle.pointee.head
            // The heads of 1xx responses come before it.
            let last = UnsafeRawBufferPointer(start: head.start, count: head.count).suffix(Self.noContent.utf8.count)
            #expect(last.elementsEqual(Self.noContent.utf8))
        }

        /// The engine resumes only transfers that are starved. One upload in 500 stalled on a busy machine: libcurl had
        /// asked for bytes because of an event from before the pause, had sent them, and had stayed paused.
        @Test("an upload stays paused until it is resumed, even if an earlier event makes libcurl ask for bytes")
        func eventFromBeforeThePause() async throws {
            try await LoopbackServer.playing({ _ in [.receiveRequest, .send(Self.noContent)] }) { server in
                try upload(to: server, "Expect:") { lone, source in
                    while source.pointee.offsets.isEmpty { try lone.performOnce() }
                    // The event: the connection takes more bytes.
                    lone.wait()
                    source.pointee.isPending = true
                    try #require(ccurl_multi_perform(lone.multi, lone.round, true) == 0)
                    try #require(lone.handle.pointee.is_starved, "the upload is paused")
                    source.pointee.isPending = false
                    ccurl_multi_read_events(lone.multi)
                    try #require(ccurl_multi_perform(lone.multi, lone.round, false) == 0)
                    try #require(lone.handle.pointee.is_starved, "the upload is still paused")
                    source.pointee.count = lone.handle.pointee.source_offset + 1
                    #expect(ccurl_transfer_resume_sending(lone.handle) == 0)
                    try expectNoContent(lone)
                }
                let bodies = server.received.elements.map { RawMessage($0).body }
                #expect(bodies.count == 1 && bodies[0].suffix(11) == Data("1\r\nx\r\n0\r\n\r\n".utf8))
            }
        }

        @Test("an early response to a slow consumer is delivered whole, and libcurl has nothing to do until then")
        func earlyResponseInParts() async throws {
            let mayRespond = Latch()
            // libcurl reads 16 KiB at once: it keeps the rest when the consumer has not taken them.
            let response = "HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n" + String(repeating: "y", count: 20_000)
            let script: [ServerScriptStep] = [.receiveHead, .wait(mayRespond), .send(response), .waitForClose]
            try await LoopbackServer.playing({ _ in script }) { server in
                try upload(to: server, "Expect:") { lone, source in
                    source.pointee.isPending = true
                    let transfer = lone.handle
                    transfer.pointee.window = 1
                    while !transfer.pointee.is_starved { try lone.performOnce() }
                    mayRespond.open()
                    while !transfer.pointee.is_paused { try lone.performOnce() }
                    var (result, taken): (Int32, Int) = (-1, 0)
                    for _ in 0..<10 {
                        try lone.performOnce()
                        try #require(ccurl_multi_next_ended(lone.multi, &result) == nil)
                    }
                    #expect(ccurl_multi_time_left(lone.multi) != 0)
                    while ccurl_multi_next_ended(lone.multi, &result) == nil {
                        taken += transfer.pointee.payload.count
                        free(ccurl_take_payload(transfer))
                        if transfer.pointee.is_paused { #expect(ccurl_transfer_resume(transfer) == 0) }
                        try lone.performOnce()
                    }
                    #expect(transfer.pointee.stop == ccurl_stop_whole)
                    #expect(taken + transfer.pointee.payload.count == 20_000)
                }
            }
        }
    }
#endif
