#if os(Linux) && !APPLE_BRANCH
    import Foundation
    import FoundationNetworking
    import Synchronization

    /// A payload in the form in which Foundation on Linux sends it piece by piece: a class, as Foundation demands.
    ///
    /// Foundation also sends files piece by piece, but each with its content at that time. A file that has grown
    /// exceeds its `Content-Length`, and the server takes the excess for the next request. A file that has shrunk
    /// leaves the server waiting. A server that resets the connection meanwhile ends the process, as the file's next
    /// piece wakes a transfer that no longer exists (`try!` in EasyHandle.swift, 6.3.1). Foundation reads a stream at
    /// the time of sending, so that it need not wake a transfer.
    final class URLSessionPayloadStream: InputStream {
        private let hasMore: @Sendable () -> Bool
        private let read: @Sendable (UnsafeMutableBufferPointer<UInt8>) -> Int
        private let status = Mutex(Stream.Status.notOpen)

        init(_ pipe: URLSessionPayloadPipe) {
            (hasMore, read) = ({ pipe.hasMore }, pipe.read)
            super.init(data: Data())
        }

        /// Creates a stream whose reads block until there are bytes.
        init(_ pipe: URLSessionProductionPipe) {
            (hasMore, read) = ({ pipe.hasMore }, pipe.read)
            super.init(data: Data())
        }

        override var streamStatus: Stream.Status { status.withLock { $0 } }

        override func open() { status.withLock { $0 = .open } }

        override func close() { status.withLock { $0 = .closed } }

        /// Whether there is more to read; Foundation takes false for the end of the stream.
        override var hasBytesAvailable: Bool { hasMore() }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength count: Int) -> Int {
            read(UnsafeMutableBufferPointer(start: buffer, count: count))
        }
    }

    extension URLRequest {
        /// Returns the request with a payload to be read while it is sent.
        ///
        /// - Parameters:
        ///   - pipe: the payload.
        ///   - count: the number of bytes of the payload.
        func carrying(_ pipe: URLSessionPayloadPipe, count: Int) -> URLRequest {
            carrying(URLSessionPayloadStream(pipe), count)
        }

        /// Returns the request with a payload to be produced while it is sent.
        ///
        /// - Parameters:
        ///   - pipe: the payload.
        ///   - length: the number of bytes of the payload; nil for chunks.
        func carrying(_ pipe: URLSessionProductionPipe, length: Int?) -> URLRequest {
            carrying(URLSessionPayloadStream(pipe), length)
        }

        private func carrying(_ stream: URLSessionPayloadStream, _ count: Int?) -> URLRequest {
            var request = self
            request.httpBodyStream = stream
            // libcurl does not send a field of white space, and adds no field of the same name itself. This keeps
            // libcurl from sending chunks, and Foundation from adding a type.
            if let count {
                request.setValue("\(count)", forHTTPHeaderField: "Content-Length")
                request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            }
            if value(forHTTPHeaderField: "Content-Type") == nil {
                request.setValue(" ", forHTTPHeaderField: "Content-Type")
            }
            return request
        }
    }
#endif
