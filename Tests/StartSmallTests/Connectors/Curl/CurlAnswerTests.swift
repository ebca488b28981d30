#if os(Linux)
    import CCurl
    import Foundation
    import Glibc
    import StartSmallTesting
    import Testing

    @testable import StartSmall

    /// The server answers each upload here and resets the connection before the upload is sent: libcurl then reports
    /// that it can't send, and closes the socket without reading the answer.
    @Suite("early answers to an upload whose connection is reset", .timeLimit(.minutes(2))) struct CurlAnswerTests {
        private static let head = "HTTP/1.1 413 Content Too Large\r\n"
        private static let whole = head + "Content-Length: 2\r\n\r\nno"
        private static let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"

        /// "no" in gzip.
        private static let gzipped = Data(base64Encoded: "H4sIAAAAAAACA8vLBwAfKKpnAgAAAA==") ?? Data()

        @Test(
            "an answer that is complete by its own framing is the response, though libcurl has not read it",
            arguments: [
                whole,
                whole + "more",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + whole,
                head + "Content-Length: 2\r\nX: a\r\n b\r\n\r\nno",
                "HTTP/1.1 401\nContent-Length:2\n\nno",
                chunked + "2\r\nno\r\n0\r\n\r\n",
                chunked + "1;a=b\r\nn\r\n01\r\no\r\n0\r\n\r\n",
            ]
        )
        func isWhole(answer: String) async throws {
            let ended = try await upload(answering: Data(answer.utf8))
            #expect(ended.result == 0 && ended.stop == ccurl_stop_none)
            #expect(ended.payload == Data("no".utf8))
            #expect(ended.statusCode == (answer.hasPrefix("HTTP/1.1 401") ? 401 : 413))
            #expect(!ended.isSentAgain)
        }

        @Test("an answer without a payload is the response", arguments: [204, 304]) func empty(status: Int) async throws
        {
            let ended = try await upload(answering: Data("HTTP/1.1 \(status) None\r\nServer: a\r\n\r\n".utf8))
            #expect(ended.result == 0 && ended.statusCode == status && ended.payload.isEmpty)
        }

        @Test(
            "an answer whose payload may be incomplete is an error with the part that arrived",
            arguments: [
                head + "Content-Length: 3\r\n\r\nno",
                head + "\r\nno",
                chunked + "2\r\nno",
                chunked + "2\r\nno\r\n",
                chunked + "3\r\nno",
                chunked + "2\r\nno\r\n0\r\n",
                chunked + "2\r\nno\r\n0\r\nTrailer: a\r\n\r\n",
                chunked + "2\r\nno\r\n-1\r\n",
                chunked + "2\r\nno\r\nfffffffff\r\n",
                chunked + "2\r\nno0\r\n\r\n",
            ]
        )
        func partial(answer: String) async throws {
            let ended = try await upload(answering: Data(answer.utf8))
            #expect([52, 55, 56].contains(ended.result) && ended.stop == ccurl_stop_none)
            #expect(ended.statusCode == 413 && ended.payload == Data("no".utf8))
            #expect(!ended.isSentAgain, "an answered request is not sent again")
        }

        @Test(
            "an answer that is cut at any byte is never complete",
            arguments: [whole, chunked + "2\r\nno\r\n0\r\n\r\n"]
        )
        func cut(answer: String) async throws {
            for count in 1..<answer.utf8.count {
                let ended = try await upload(answering: Data(answer.utf8.prefix(count)))
                #expect(ended.result != 0, "\(count) bytes")
            }
        }

        @Test(
            "an invalid head is refused, as in an answer that libcurl reads",
            arguments: [
                head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\nno",
                head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nno",
                head + "Content-Length : 2\r\n\r\nno",
                head + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                head + "X: \u{0}\r\nContent-Length: 2\r\n\r\nno",
                head + "Nothing\r\nContent-Length: 2\r\n\r\nno",
            ]
        )
        func untrusted(answer: String) async throws {
            let ended = try await upload(answering: Data(answer.utf8))
            #expect(ended.result != 0 && ended.stop == ccurl_stop_framing && ended.payload.isEmpty)
        }

        @Test(
            "bytes that are not a final response of HTTP/1 change nothing",
            arguments: [
                "", "no", "HTTP/2 413\r\n\r\n", "HTTP/1.1 41\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n\r\nno", "\r\n" + whole, "HTTP/1.1 4130 No\r\n\r\n",
            ]
        )
        func nothing(answer: String) async throws {
            let ended = try await upload(answering: Data(answer.utf8))
            #expect([52, 55, 56].contains(ended.result) && ended.stop == ccurl_stop_none)
            #expect(ended.statusCode == nil && ended.payload.isEmpty)
        }

        @Test("a head over the limit of header fields is refused") func longHead() async throws {
            let answer = Self.head + "X: " + String(repeating: "a", count: 2000) + "\r\n\r\n"
            let ended = try await upload(answering: Data(answer.utf8)) { $0.pointee.head_limit = 1000 }
            #expect(ended.result != 0 && ended.stop == ccurl_stop_head_limit && ended.payload.isEmpty)
        }

        @Test("a payload over its limit is cut there, and is an error") func longPayload() async throws {
            let ended = try await upload(answering: Data(Self.whole.utf8)) { $0.pointee.payload_limit = 1 }
            #expect(ended.result != 0 && ended.stop == ccurl_stop_payload_limit && ended.payload == Data("n".utf8))
        }

        @Test("a payload in a content coding is decoded, and one in an unknown coding is refused") func coded()
            async throws
        {
            for (coding, stop) in [("gzip", ccurl_stop_none), ("unknown", ccurl_stop_coding)] {
                let length = "Content-Length: \(Self.gzipped.count)\r\n"
                let answer = Data((Self.head + "Content-Encoding: \(coding)\r\n" + length + "\r\n").utf8) + Self.gzipped
                let ended = try await upload(answering: answer) { $0.pointee.decodes_payload = true }
                #expect(ended.stop == stop && (ended.result == 0) == (stop == ccurl_stop_none))
                #expect(ended.payload == (stop == ccurl_stop_none ? Data("no".utf8) : Data()))
            }
        }

        @Test("a successful answer for a consumer is an error, and its payload is dropped") func inParts() async throws
        {
            let answer = Data("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno".utf8)
            let ended = try await upload(answering: answer) { $0.pointee.window = 1000 }
            #expect([52, 55, 56].contains(ended.result) && ended.statusCode == 200 && ended.payload.isEmpty)
        }

        @Test("nothing is read if the connection may use TLS, or the call has ended") func notPlain() async throws {
            let ended = try await upload(answering: Data(Self.whole.utf8), { $0.pointee.may_answer_early = false })
            #expect(ended.result != 0 && ended.statusCode == nil && ended.kept == 0)
        }

        @Test("bytes that arrive before any byte of the request was sent are not its answer")
        func unsent() async throws {
            let ended = try await upload(
                answering: Data(Self.whole.utf8),
                onSecondRead: { $0.pointee.request_bytes = .max }
            )
            #expect(ended.result != 0 && ended.statusCode == nil && ended.kept == 0)
        }

        @Test("the next call of the handle has nothing of an answer") func reset() async throws {
            let ended = try await upload(answering: Data(Self.whole.utf8))
            #expect(ended.kept > 0 && ended.keptAfterReset == 0)
        }

        private typealias Handle = LoneTransfer.Handle

        private struct Ended {
            var result: Int32
            var stop: ccurl_stop
            var statusCode: Int?
            var payload: Data
            var kept: Int
            var isSentAgain = false
            var keptAfterReset = 0
        }

        /// The source of an upload whose second read waits until the server has reset the connection.
        private final class Source {
            let transfer: Handle
            let isReading: DispatchSemaphore
            let onSecondRead: (Handle) -> Void
            var reads = 0

            init(_ transfer: Handle, _ isReading: DispatchSemaphore, _ onSecondRead: @escaping (Handle) -> Void) {
                (self.transfer, self.isReading, self.onSecondRead) = (transfer, isReading, onSecondRead)
            }

            func read() {
                reads += 1
                guard reads == 2 else { return }
                isReading.signal()
                var one = pollfd(fd: transfer.pointee.descriptor, events: 0, revents: 0)
                _ = poll(&one, 1, 10_000)
                // As if the engine had looked for an answer before the answer arrived.
                transfer.pointee.held_at = transfer.pointee.head.count
                onSecondRead(transfer)
            }
        }

        /// Uploads to a server that answers and then resets the connection while the second part of the upload is read.
        private func upload(
            answering answer: Data,
            _ prepare: (Handle) -> Void = { _ in },
            onSecondRead: @escaping (Handle) -> Void = { _ in }
        ) async throws -> Ended {
            let isReading = DispatchSemaphore(value: 0)
            return try await withServer { port in
                try upload(to: port, isReading, prepare, onSecondRead)
            } serving: { connection in
                guard readHead(connection), isReading.wait(timeout: .now() + 10) == .success else { return }
                _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            }
        }

        private func upload(
            to port: Int,
            _ isReading: DispatchSemaphore,
            _ prepare: (Handle) -> Void,
            _ onSecondRead: @escaping (Handle) -> Void
        ) throws -> Ended {
            try LoneTransfer.made { lone in
                let transfer = lone.handle
                // The engine does so too: without an empty `Expect`, libcurl waits a second for 100 (Continue).
                let fields = ccurl_list_append(nil, "Expect:")
                defer { ccurl_list_free(fields) }
                try #require(ccurl_set_fields(transfer, fields) == 0)
                let source = Source(transfer, isReading, onSecondRead)
                return try withExtendedLifetime(source) {
                    let context = Unmanaged.passUnretained(source).toOpaque()
                    try #require(ccurl_send_source(transfer, Self.read, context, 1_000_000) == 0)
                    try #require(ccurl_set_text(transfer, ccurl_url, "http://127.0.0.1:\(port)/") == 0)
                    try #require(ccurl_set_text(transfer, ccurl_proxy, "") == 0)
                    transfer.pointee.head_limit = CurlTransfer.headLimit
                    transfer.pointee.may_answer_early = true
                    prepare(transfer)
                    let result = ccurl_read_answer(transfer, try lone.perform())
                    #expect(ccurl_read_answer(transfer, result) == result, "an answer is read once")
                    var ended = Self.ended(transfer, result)
                    ended.isSentAgain = ccurl_multi_repeat(lone.multi, transfer, result)
                    _ = ccurl_multi_remove(lone.multi, transfer)
                    ccurl_transfer_reset(transfer, 0)
                    ended.keptAfterReset = transfer.pointee.answer.count
                    return ended
                }
            }
        }

        private static func ended(_ transfer: Handle, _ result: Int32) -> Ended {
            var head = CurlHead()
            head.feed(
                UnsafeRawBufferPointer(start: transfer.pointee.head.start, count: transfer.pointee.head.count)
                    .bindMemory(to: UInt8.self)
            )
            let payload = transfer.pointee.payload
            return Ended(
                result: result,
                stop: transfer.pointee.stop,
                statusCode: head.isComplete ? head.statusCode : nil,
                payload: payload.start.map { Data(bytes: $0, count: payload.count) } ?? Data(),
                kept: transfer.pointee.answer.count
            )
        }

        private static let read: ccurl_source = { context, _, bytes, room in
            Unmanaged<Source>.fromOpaque(context).takeUnretainedValue().read()
            let count = min(room, 1024)
            memset(bytes, 0, count)
            return count
        }
    }
#endif
