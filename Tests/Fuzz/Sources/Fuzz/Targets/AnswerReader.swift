#if os(Linux)
    import CCurl
    import Foundation

    @testable import StartSmall

    /// The engine's own reader of responses, tested with arbitrary bytes, with one handle for all of them.
    ///
    /// The reader is for answers after which a connection was reset. Its check of heads and its decoders of content
    /// codings are those of all responses.
    final class AnswerReader {
        /// The result of reading an answer.
        struct Answer: Equatable {
            /// Whether the answer is complete by its head, Content-Length or last chunk.
            var isWhole: Bool
            /// Whether the payload is complete in its content coding, too.
            var isDecoded: Bool
            var stop: ccurl_stop
            var head: Data
            var payload: Data
        }

        /// More than any input of a campaign has, except those that decompress to much more.
        static let payloadLimit = 1 << 20

        /// The libcurl code of a connection that was reset: CURLE_RECV_ERROR.
        private static let wasReset: Int32 = 56

        private let round = UnsafeMutablePointer<ccurl_round>.allocate(capacity: 1)
        private let handle: UnsafeMutablePointer<ccurl_transfer>

        init() throws {
            if let reason = Connector.curlUnavailable { throw Broken(description: reason) }
            round.initialize(
                to: ccurl_round(
                    now: 1,
                    ready: nil,
                    holding: nil,
                    has_progress: false,
                    awaiting_connection: 0,
                    connecting: 0,
                    has_new_use: false,
                    allows: nil,
                    allows_context: nil,
                    silence: .max
                )
            )
            guard let handle = ccurl_transfer_create(round) else { throw Broken(description: "no memory") }
            self.handle = handle
        }

        deinit {
            ccurl_transfer_free(handle)
            round.deallocate()
        }

        /// Reads bytes as an answer, with a reset handle.
        func read(_ bytes: some Collection<UInt8>) -> Answer {
            ccurl_transfer_reset(handle, 1 << 16)
            handle.pointee.head_limit = CurlTransfer.headLimit
            handle.pointee.payload_limit = Self.payloadLimit
            handle.pointee.decodes_payload = true
            handle.pointee.answer = Self.copy(bytes)
            let result = ccurl_read_answer(handle, Self.wasReset)
            return Answer(
                isWhole: result == 0,
                isDecoded: result == 0 && ccurl_payload_is_whole(handle),
                stop: handle.pointee.stop,
                head: Self.data(handle.pointee.head),
                payload: Self.data(handle.pointee.payload)
            )
        }

        /// Allocates memory that the handle frees.
        private static func copy(_ bytes: some Collection<UInt8>) -> ccurl_bytes {
            guard !bytes.isEmpty, let start = malloc(bytes.count) else { return ccurl_bytes() }
            UnsafeMutableRawBufferPointer(start: start, count: bytes.count).copyBytes(from: bytes)
            return ccurl_bytes(
                start: start.assumingMemoryBound(to: CChar.self),
                count: bytes.count,
                capacity: bytes.count
            )
        }

        private static func data(_ bytes: ccurl_bytes) -> Data {
            bytes.start.map { Data(bytes: $0, count: bytes.count) } ?? Data()
        }
    }
#endif
