#if os(Linux) && !APPLE_BRANCH
    import Foundation

    /// One pass over a payload: a thread of Foundation reads, and the call's task ends the pass.
    struct URLSessionPayloadPipe: Sendable {
        private struct State: ~Copyable {
            var reader: PayloadReader?
            var left: Int
            var failure: ConnectionError?
        }

        private let state: Locked<State>

        init(_ source: PayloadSource) {
            state = Locked(State(reader: source.reader(), left: source.count))
        }

        /// Whether there is more to read.
        var hasMore: Bool {
            state.withLock { $0.left > 0 }
        }

        /// Reads the next bytes into a buffer.
        ///
        /// - Returns: The number of read bytes; -1 if they can't be read, or after ``end()``.
        func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
            var count = -1
            state.withLock { state in
                do throws(ConnectionError) {
                    guard let bytes = try state.reader?.next(atMost: buffer.count) else { return }
                    count = bytes.copyBytes(to: buffer)
                    state.left -= count
                } catch {
                    state.failure = error
                    state.reader = nil
                }
            }
            return count
        }

        /// Returns the failure of an empty payload, which Foundation never reads: a file may have grown meanwhile.
        func failureOfNothing() -> ConnectionError? {
            _ = read(into: UnsafeMutableBufferPointer(start: nil, count: 0))
            return end()
        }

        /// Closes the reader, and returns the reason why the payload could not be read, if it could not.
        func end() -> ConnectionError? {
            state.withLock { state in
                state.reader = nil
                return state.failure
            }
        }
    }
#endif
