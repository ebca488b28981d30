#if os(Linux) && !APPLE_BRANCH
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// One reading of a payload: Foundation's thread reads, and the call's ends it.
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

        /// Reads the next bytes into a buffer, and says how many they are; -1 if they can't be read, or no one wants them.
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

        /// What is wrong with a payload of no byte, which Foundation never reads: a file may have grown since.
        func failureOfNothing() -> ConnectionError? {
            _ = read(into: UnsafeMutableBufferPointer(start: nil, count: 0))
            return end()
        }

        /// Closes what is open, and tells why the payload could not be read, if it could not.
        func end() -> ConnectionError? {
            state.withLock { state in
                state.reader = nil
                return state.failure
            }
        }
    }

    /// A payload in the form in which Foundation on Linux sends it piece by piece: a class, as Foundation demands.
    ///
    /// It sends files piece by piece too, but each as it then is: one that has grown overruns its `Content-Length`, into
    /// what the server takes for the next request; one that has shrunk leaves the server waiting; and a server that resets
    /// the connection meanwhile ends the process, as the file's next piece wakes a transfer that is gone (`try!` in
    /// EasyHandle.swift, 6.3.1). From a stream it reads when it sends, so that nothing is to be woken.
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

        /// What Foundation takes for the end if it is false.
        override var hasBytesAvailable: Bool { feed.hasMore }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength count: Int) -> Int {
            feed.read(into: UnsafeMutableBufferPointer(start: buffer, count: count))
        }
    }

    extension URLRequest {
        /// The request with a payload to be read while it is sent.
        func carrying(_ feed: URLSessionPayloadPipe, count: Int) -> URLRequest {
            var request = self
            request.httpBodyStream = URLSessionPayloadStream(feed)
            request.setValue("\(count)", forHTTPHeaderField: "Content-Length")
            // libcurl does not send a field of white space, and nothing of its own in its place: that is how it is kept from
            // sending chunks, and Foundation from inventing a type.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            if value(forHTTPHeaderField: "Content-Type") == nil {
                request.setValue(" ", forHTTPHeaderField: "Content-Type")
            }
            return request
        }
    }
#endif
