#if !CORELIBS_URLSESSION
    import StartSmallCore
    import Dispatch

    // What differs between Apple's `URLSession` and that of swift-corelibs-foundation.

    extension URLSessionKind {
        static let current = URLSessionKind.apple
    }

    extension URLSessionTask {
        /// Whether a task can be suspended.
        static let canPause = true
    }

    extension URLRequest {
        /// The field that is not sent: `Content-Length`, which Foundation writes.
        static let unsentFields: Set<String> = ["content-length"]

        /// The media type of a payload without one.
        ///
        /// To such a payload, `URLSession` adds the type of a form, and a server would parse the payload as one. This
        /// type is what a recipient may assume without a type (RFC 9110 8.3).
        static let untyped = "application/octet-stream"
    }

    extension LatinText {
        /// Whether the session decodes header values in this way.
        static let isDecoded = true
    }

    extension URLSessionPayloadPipe {
        /// The number of bytes that a pair of streams holds: 64 KiB, as many as the buffer of the producer.
        private static let pairBytes = PayloadBuffer.capacity

        /// Returns the task of a request that Foundation reads from one of a pair of streams, into whose other end a
        /// thread writes; the thread waits while the pair is full.
        ///
        /// If the payload can't be produced, the task is cancelled, since the end of the stream would make the request
        /// look complete. Nobody has run this code on an Apple platform yet.
        func task(for request: URLRequest, length: Int?, _ make: (URLRequest) -> URLSessionTask) -> URLSessionTask {
            var (input, output): (InputStream?, OutputStream?) = (nil, nil)
            Stream.getBoundStreams(withBufferSize: Self.pairBytes, inputStream: &input, outputStream: &output)
            var request = request
            request.httpBodyStream = input
            if let length { request.setValue("\(length)", forHTTPHeaderField: "Content-Length") }
            let task = make(request)
            // Only the queue uses this end. Foundation's streams can't be sent to it but by their address. A serial
            // queue has a thread beside the limited number of those that read files.
            let end = output.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) }
            DispatchQueue(label: "StartSmall.URLSession.upload").async {
                guard let end = end.flatMap(UnsafeRawPointer.init(bitPattern:)) else { return }
                if !write(to: Unmanaged<OutputStream>.fromOpaque(end).takeRetainedValue()) { task.cancel() }
            }
            return task
        }

        /// Writes the payload into a stream; returns false if it can't be produced.
        private func write(to output: OutputStream) -> Bool {
            output.open()
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pairBytes) { buffer in
                while true {
                    let count = read(into: buffer)
                    if count < 0 { return false }
                    if count == 0 { break }
                    var written = 0
                    while written < count {
                        let step = buffer.baseAddress.map { output.write($0 + written, maxLength: count - written) }
                        // The reader has closed its end: the request is over.
                        guard let step, step > 0 else { return true }
                        written += step
                    }
                }
                output.close()
                return true
            }
        }
    }
#endif
