import StartSmallCore
import StartSmallSupport
import Dispatch
import StartSmallEngines

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
        production = PayloadProduction(stream) { wakes.signal() }
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
