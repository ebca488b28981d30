#if CORELIBS_URLSESSION
    import StartSmallCore
    import StartSmallEngines
    import Synchronization

    // What differs between the `URLSession` of swift-corelibs-foundation (6.3.1), as on Linux, and Apple's.

    extension URLSessionKind {
        static var current: URLSessionKind {
            .linux(environmentNamesProxy: ConnectionOptions.environmentNamesProxy)
        }
    }

    extension URLSessionTask {
        /// Whether a task can be suspended: doing so ends the process (`NativeProtocol.swift`).
        static let canPause = false
    }

    extension URLRequest {
        /// The fields that are not sent: `Content-Length`, which Foundation writes, and `Expect`, since Foundation's
        /// libcurl would send the request again after each 417.
        static let unsentFields: Set<String> = ["content-length", "expect"]

        /// The field of a payload without a media type: libcurl does not send a field of white space, and adds no other.
        static let untyped = " "
    }

    extension LatinText {
        /// Whether the session decodes header values in this way.
        static let isDecoded = false
    }

    extension ConnectionOptions {
        /// Sets nothing: there is no API for versions of TLS, and none for proxies.
        func apply(toSecurityOf configuration: URLSessionConfiguration) {}
    }

    /// Requests of Foundation from which it can't go on, regardless of what the delegate does.
    extension URLSessionSessionDelegate {
        /// Ends the call with its 401, which has fully arrived and is never completed: a response like any other.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            end(task.taskIdentifier) { exchange in .output(exchange.output(error: nil)) }
        }
    }

    extension URLSessionPayloadPipe {
        /// Returns the task of a request whose payload is read while it is sent.
        func task(for request: URLRequest, length: Int?, _ make: (URLRequest) -> URLSessionTask) -> URLSessionTask {
            var request = request
            request.httpBodyStream = URLSessionPayloadStream(self)
            if let length {
                request.setValue("\(length)", forHTTPHeaderField: "Content-Length")
                // A field of white space keeps libcurl from sending chunks.
                request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            }
            return make(request)
        }
    }

    /// A payload in the form in which Foundation sends it piece by piece: a class, as Foundation demands.
    ///
    /// Files are sent in this form, too: while Foundation sends a file, a server that resets the connection ends the
    /// process, as the file's next piece wakes a transfer that no longer exists (`try!` in EasyHandle.swift).
    private final class URLSessionPayloadStream: InputStream {
        private let pipe: URLSessionPayloadPipe
        private let status = Mutex(Stream.Status.notOpen)

        init(_ pipe: URLSessionPayloadPipe) {
            self.pipe = pipe
            super.init(data: Data())
        }

        override var streamStatus: Stream.Status { status.withLock { $0 } }

        override func open() { status.withLock { $0 = .open } }

        override func close() { status.withLock { $0 = .closed } }

        /// Whether there is more to read; Foundation takes false for the end of the stream.
        override var hasBytesAvailable: Bool { pipe.hasMore }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength count: Int) -> Int {
            pipe.read(into: UnsafeMutableBufferPointer(start: buffer, count: count))
        }
    }
#endif
