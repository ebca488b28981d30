#if !os(Linux) || APPLE_BRANCH
    import Dispatch
    import Foundation

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// A streamed payload in the form in which Foundation on Apple platforms sends it: the reading end of a pair of
    /// streams, into whose other end a thread writes.
    ///
    /// Foundation reads as fast as it sends, and the thread waits while the pair is full. Nobody has run this code on
    /// an Apple platform yet.
    struct URLSessionBoundStream: Sendable {
        /// The number of bytes that the pair holds: 64 KiB, as many as the buffer of the producer.
        private static let pairBytes = PayloadBuffer.capacity

        let pipe: URLSessionProductionPipe
        private let queue = DispatchQueue(label: "StartSmall.URLSession.upload")

        /// Returns the task of a request whose payload is produced while it is sent.
        ///
        /// If the payload can't be produced, the task is cancelled, since the end of the stream would make the request
        /// look complete.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - length: the number of bytes; nil for chunks.
        ///   - make: creates a task.
        func task(
            for request: URLRequest,
            length: Int?,
            _ make: (URLRequest) -> URLSessionTask
        ) -> URLSessionTask {
            var (input, output): (InputStream?, OutputStream?) = (nil, nil)
            Stream.getBoundStreams(withBufferSize: Self.pairBytes, inputStream: &input, outputStream: &output)
            var request = request
            request.httpBodyStream = input
            if let length { request.setValue("\(length)", forHTTPHeaderField: "Content-Length") }
            let task = make(request)
            // Only the queue uses this end. Foundation's streams can't be sent to it but by their address.
            let end = output.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) }
            queue.async { [pipe] in
                guard let end = end.flatMap(UnsafeRawPointer.init(bitPattern:)) else { return }
                let output = Unmanaged<OutputStream>.fromOpaque(end).takeRetainedValue()
                if !Self.write(pipe, to: output) { task.cancel() }
            }
            return task
        }

        /// Writes the payload into a stream; returns false if it can't be produced.
        private static func write(_ pipe: URLSessionProductionPipe, to output: OutputStream) -> Bool {
            output.open()
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: pairBytes) { buffer in
                while true {
                    let count = pipe.read(into: buffer)
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
