import Foundation
import StartSmall
import Synchronization

/// An injector of the faults of one payload, as it arrives.
struct PayloadFaultInjector: Sendable {
    private let faults: PayloadFaults

    /// A function that waits, and returns false if the task was cancelled.
    private let pause: @Sendable (Duration) async -> Bool

    init(_ faults: PayloadFaults, pause: @escaping @Sendable (Duration) async -> Bool) {
        (self.faults, self.pause) = (faults, pause)
    }

    /// Makes a request whose payload has the faults.
    func call(_ input: Input, _ next: Next) async -> Output {
        let output = await next(input)
        guard case .hasResponse(let response) = output else { return output }
        return output.mapBody { changed($0, of: response) }
    }

    /// Returns a body with the faults.
    private func changed(_ body: ResponseBody, of response: Response) -> ResponseBody {
        var head = response
        head.payload = Data()
        let ended = Latch()
        let progress = Mutex((position: PayloadPosition(of: head, faults), parts: [Data]()[...]))
        let changed = body.around { inner async throws(ConnectionError) -> Data? in
            var (part, position) = progress.withLock { ($0.parts.popFirst(), $0.position) }
            while part == nil {
                if let failure = position.failure { throw failure }
                if position.isOver { return nil }
                let chunk = try await inner.next()
                (part, position) = progress.withLock { progress in
                    progress.parts = (chunk.map { progress.position.take($0) } ?? progress.position.takeRest())[...]
                    return (progress.parts.popFirst(), progress.position)
                }
                if part == nil, chunk == nil { return nil }
            }
            try await waitForPart(unless: ended)
            return part
        }
        // A wait must not outlast the body.
        changed.onEnd { _ in ended.open() }
        return changed
    }

    /// Waits before a part, at most until a body has ended.
    private func waitForPart(unless ended: Latch) async throws(ConnectionError) {
        guard let duration = faults.pause else { return }
        let isOver = await withTaskGroup { group in
            group.addTask { await !pause(duration) }
            group.addTask {
                await ended.wait()
                return true
            }
            defer { group.cancelAll() }
            return await group.next() ?? true
        }
        if isOver { throw .cancelled }
    }
}

/// The faults of a payload.
struct PayloadFaults: Hashable, Sendable {
    /// The number of bytes after which the payload ends.
    private(set) var end = Int.max

    /// The number of bytes after which the connection is lost; nil if it is not lost.
    private var cut: Int?

    /// The number of bytes per part.
    private(set) var step = Int.max

    /// The wait before each part.
    private(set) var pause: Duration?

    init(_ kinds: [Fault.Kind]) {
        for kind in kinds {
            switch kind {
            case .truncated(let count): end = min(end, count)
            case .cutOff(let count):
                cut = min(cut ?? count, count)
                end = min(end, count)
            case .slow(let bytes, let duration): (step, pause) = (bytes, duration)
            case .latency, .output: continue
            }
        }
    }

    /// Whether the payload is unchanged.
    var isPlain: Bool { end == .max && step == .max }

    /// Whether the connection is lost at the end of the payload, if more bytes would follow.
    var isCutOff: Bool { cut == end }
}

/// The position within a payload.
struct PayloadPosition {
    /// The response of the payload, which the error of a lost connection contains.
    var head: Response
    private let faults: PayloadFaults
    private var passed = 0

    /// Whether nothing more is delivered, apart from the parts that were returned.
    private(set) var isOver = false

    /// The arrived bytes that do not fill a part yet.
    private var waiting = Data()

    init(of head: Response, _ faults: PayloadFaults) {
        (self.head, self.faults) = (head, faults)
    }

    /// Appends arrived bytes, and returns the parts to deliver.
    mutating func take(_ data: Data) -> [Data] {
        let taken = data.prefix(faults.end - passed)
        isOver = isOver || taken.count < data.count
        passed += taken.count
        waiting += taken
        var parts: [Data] = []
        while waiting.count >= faults.step {
            parts.append(Data(waiting.prefix(faults.step)))
            waiting = waiting.dropFirst(faults.step)
        }
        return faults.step == .max || isOver ? parts + takeRest() : parts
    }

    /// Returns the rest to deliver at the end of the payload.
    mutating func takeRest() -> [Data] {
        defer { waiting = Data() }
        return waiting.isEmpty ? [] : [Data(waiting)]
    }

    /// The error of the call, if the connection is lost here.
    var failure: ConnectionError? {
        guard isOver, faults.isCutOff else { return nil }
        let text = "cut off after \(passed) bytes"
        return .connectionLost(.init(domain: "Chaos", code: 0, text: text, partial: head))
    }
}
