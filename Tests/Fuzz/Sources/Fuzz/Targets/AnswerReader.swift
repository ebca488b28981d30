#if os(Linux)
    import CCurl
    import Foundation

    @testable import StartSmall
    @testable import StartSmallCore
    @testable import StartSmallCurl

    /// The engine's checks of heads and its decoders of content codings, tested with arbitrary bytes, with one handle
    /// for all of them.
    final class AnswerReader {
        /// The result of reading an answer.
        struct Answer: Equatable {
            /// Whether the head is complete, and neither the head nor the payload was refused.
            var isTaken = false
            /// Whether the payload is complete in its content coding, too.
            var isDecoded = false
            var stop: ccurl_stop
            var head: Data
            var payload: Data
        }

        /// More than any input of a campaign has, except those that decompress to much more.
        static let payloadLimit = 1 << 20

        private let round = UnsafeMutablePointer<ccurl_round>.allocate(capacity: 1)
        private let handle: UnsafeMutablePointer<ccurl_transfer>

        init() throws {
            if let reason = Connector.curlUnavailable { throw Broken(description: reason) }
            round.initialize(to: ccurl_round())
            (round.pointee.now, round.pointee.silence) = (1, .max)
            guard let handle = ccurl_transfer_create(round) else { throw Broken(description: "no memory") }
            self.handle = handle
        }

        deinit {
            ccurl_transfer_free(handle)
            round.deallocate()
        }

        /// Reads bytes as an answer, with a reset handle: lines up to the first empty one, and the payload after it.
        ///
        /// - Parameters:
        ///   - bytes: the answer, without chunks.
        ///   - size: the number of bytes of the payload that arrive at once.
        func read(_ bytes: some Collection<UInt8>, in size: Int = .max) -> Answer {
            ccurl_transfer_reset(handle, 1 << 16)
            handle.pointee.head_limit = CurlTransfer.headLimit
            handle.pointee.payload_limit = Self.payloadLimit
            handle.pointee.decodes_payload = true
            let isTaken = take(Array(bytes)[...], size)
            return Answer(
                isTaken: isTaken,
                isDecoded: isTaken && ccurl_payload_is_whole(handle),
                stop: handle.pointee.stop,
                head: Self.data(handle.pointee.head),
                payload: Self.data(handle.pointee.payload)
            )
        }

        private func take(_ bytes: ArraySlice<UInt8>, _ size: Int) -> Bool {
            var rest = bytes
            while !handle.pointee.response.has_checked_head {
                guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return false }
                guard Self.pass(rest[...end], { ccurl_take_line(handle, $0, $1) }) else { return false }
                rest = rest[(end + 1)...]
            }
            while !rest.isEmpty {
                guard Self.pass(rest.prefix(size), { ccurl_take_bytes(handle, $0, $1) }) else { return false }
                rest = rest.dropFirst(size)
            }
            return true
        }

        /// Passes a copy of bytes, in memory of exactly their size, so that a sanitizer notices a read beyond them.
        private static func pass(
            _ bytes: ArraySlice<UInt8>,
            _ take: (UnsafeMutablePointer<CChar>, Int) -> Bool
        ) -> Bool {
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
            defer { copy.deallocate() }
            for (index, byte) in bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
            return take(copy, bytes.count)
        }

        private static func data(_ bytes: ccurl_bytes) -> Data {
            bytes.start.map { Data(bytes: $0, count: bytes.count) } ?? Data()
        }
    }
#endif
