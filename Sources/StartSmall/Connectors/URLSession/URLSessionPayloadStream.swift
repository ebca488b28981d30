#if os(Linux) && !APPLE_BRANCH
    import Foundation
    import FoundationNetworking
    import Synchronization

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

    /// A payload in the form in which Foundation on Linux sends it piece by piece: a class, as Foundation demands.
    ///
    /// Foundation also sends files piece by piece, but each with its content at that time. A file that has grown
    /// exceeds its `Content-Length`, and the server takes the excess for the next request. A file that has shrunk
    /// leaves the server waiting. A server that resets the connection meanwhile ends the process, as the file's next
    /// piece wakes a transfer that no longer exists (`try!` in EasyHandle.swift, 6.3.1). Foundation reads a stream at
    /// the time of sending, so that it need not wake a transfer.
    final class URLSessionPayloadStream: InputStream {
        private let feed: URLSessionPayloadPipe
        private let status = Mutex(Stream.Status.notOpen)

        init(_ feed: URLSessionPayloadPipe) {
            self.feed = feed
            super.init(data: Data())
        }

        override var streamStatus: Stream.Status { status.withLock { $0 } }

        override func open() { status.withLock { $0 = .open } }

        override func close() { status.withLock { $0 = .closed } }

        /// Whether there is more to read; Foundation takes false for the end of the stream.
        override var hasBytesAvailable: Bool { feed.hasMore }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength count: Int) -> Int {
            feed.read(into: UnsafeMutableBufferPointer(start: buffer, count: count))
        }
    }

    extension URLRequest {
        /// Returns the request with a payload to be read while it is sent.
        ///
        /// - Parameters:
        ///   - feed: The payload.
        ///   - count: The number of bytes of the payload.
        func carrying(_ feed: URLSessionPayloadPipe, count: Int) -> URLRequest {
            var request = self
            request.httpBodyStream = URLSessionPayloadStream(feed)
            request.setValue("\(count)", forHTTPHeaderField: "Content-Length")
            // libcurl does not send a field of white space, and adds no field of the same name itself. This keeps
            // libcurl from sending chunks, and Foundation from adding a type.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            if value(forHTTPHeaderField: "Content-Type") == nil {
                request.setValue(" ", forHTTPHeaderField: "Content-Type")
            }
            return request
        }
    }
#endif
