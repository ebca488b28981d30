import StartSmallCore
import StartSmallSupport
import Dispatch
import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The payload that a task sends.
enum URLSessionUpload {
    case data(Data)

    /// A payload that is read or produced while it is sent, and the number of its bytes; nil for chunks.
    case stream(URLSessionPayloadPipe, length: Int?)
}

extension URLSession {
    /// Creates a task that does not yet run.
    ///
    /// A payload in memory is sent by an upload task: if it were in the request itself, Foundation on Linux would add a
    /// `Content-Type`.
    func task(with request: URLRequest, _ upload: URLSessionUpload?) -> URLSessionTask {
        switch upload {
        case nil: dataTask(with: request)
        case .data(let data): uploadTask(with: request.withMediaType, from: data)
        case .stream(let pipe, let length):
            pipe.task(for: request.withMediaType, length: length) { request in dataTask(with: request) }
        }
    }
}

extension URLRequest {
    /// The request with a media type: its own, or ``untyped``.
    var withMediaType: URLRequest {
        if value(forHTTPHeaderField: "Content-Type") != nil { return self }
        var request = self
        request.setValue(Self.untyped, forHTTPHeaderField: "Content-Type")
        return request
    }

    #if os(Linux) && !APPLE_BRANCH
        /// The field of a payload without a media type: libcurl does not send a field of white space, and adds no other.
        static let untyped = " "
    #else
        /// The media type of a payload without one.
        ///
        /// To such a payload, `URLSession` on Apple platforms adds the type of a form, and a server would parse the
        /// payload as one. This type is what a recipient may assume without a type (RFC 9110 8.3).
        static let untyped = "application/octet-stream"
    #endif
}

/// One pass over a streamed payload: a thread that may block reads, and the call's task ends the pass.
struct URLSessionPayloadPipe: Sendable {
    private struct State: Sendable {
        var offset = 0
        var isAtEnd = false
        var failure: ConnectionError?
    }

    private let production: PayloadProduction
    private let wakes: DispatchSemaphore
    private let state = Locked(State())

    /// Creates a pass in the task of the call; the stream begins with the first read.
    init(_ stream: PayloadStream) {
        let wakes = DispatchSemaphore(value: 0)
        self.wakes = wakes
        production = PayloadProduction(stream) { _ in wakes.signal() }
    }

    var hasMore: Bool { state.withLock { !$0.isAtEnd } }

    /// Reads the next bytes into a buffer; blocks the thread until there are some, or the pass is over.
    ///
    /// - Returns: The number of read bytes; 0 at the end; -1 if they can't be read, or after ``end()``.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        while true {
            let offset = state.withLock { $0.offset }
            switch production.read(from: offset, into: UnsafeMutableRawBufferPointer(buffer)) {
            case .bytes(let count):
                state.withLock { $0.offset += count }
                return count
            case .end:
                state.withLock { $0.isAtEnd = true }
                return 0
            case .failed(let error):
                state.withLock { $0.failure = error }
                return -1
            case .pending: wakes.wait()
            }
        }
    }

    /// Ends the production, and returns the reason why the payload could not be read, if it could not.
    func end() -> ConnectionError? {
        let failure = state.withLock { $0.failure }
        production.end()
        return failure
    }
}

#if os(Linux) && !APPLE_BRANCH
    extension URLSessionPayloadPipe {
        /// Returns the task of a request whose payload is read while it is sent.
        ///
        /// - Parameter length: the number of bytes; nil for chunks.
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

    /// A payload in the form in which Foundation on Linux sends it piece by piece: a class, as Foundation demands.
    ///
    /// Files are sent in this form, too: while Foundation sends a file, a server that resets the connection ends the
    /// process, as the file's next piece wakes a transfer that no longer exists (`try!` in EasyHandle.swift, 6.3.1).
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
#else
    extension URLSessionPayloadPipe {
        /// The number of bytes that a pair of streams holds: 64 KiB, as many as the buffer of the producer.
        private static let pairBytes = PayloadBuffer.capacity

        /// Returns the task of a request that Foundation reads from one of a pair of streams, into whose other end a
        /// thread writes; the thread waits while the pair is full.
        ///
        /// If the payload can't be produced, the task is cancelled, since the end of the stream would make the request
        /// look complete. Nobody has run this code on an Apple platform yet.
        ///
        /// - Parameter length: the number of bytes; nil for chunks.
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
