import Foundation
import StartSmall
import Synchronization

/// An injector of the faults of one payload, which is delivered whole or in parts.
struct PayloadFaultInjector: Sendable {
    private let faults: PayloadFaults

    /// A function that waits, and returns false if the task was cancelled.
    private let pause: @Sendable (Duration) async -> Bool

    init(_ faults: PayloadFaults, pause: @escaping @Sendable (Duration) async -> Bool) {
        (self.faults, self.pause) = (faults, pause)
    }

    /// Makes a call whose payload has the faults.
    func call(_ input: Input, _ next: Next) async -> Output {
        let position = Mutex<PayloadPosition?>(nil)
        var faulty = input
        if let consumer = input.destination.consumer {
            let faultyConsumer = consumer.wrapped { [self] part, isWanted, inner in
                switch part {
                case .head(let response):
                    position.withLock { $0 = PayloadPosition(of: response, faults) }
                    return await inner.receive(part, while: isWanted)
                case .chunk(let data):
                    let parts = position.withLock { $0?.take(data) } ?? []
                    return await deliver(parts, to: inner, while: isWanted) ?? position.withLock { $0?.failure }
                }
            }
            faulty.destination = .consumer(faultyConsumer)
        }
        let output = await next(faulty)
        guard case .hasResponse(let response) = output else { return output }
        if response.body != nil { return output.mapBody { changed($0, of: response) } }
        let consumer = response.statusCode.isSuccess ? input.destination.consumer : nil
        guard consumer != nil, response.payload.isEmpty, let rest = position.withLock({ $0?.takeRest() }) else {
            return await deliver(response, to: consumer)
        }
        let failure = await deliver(rest, to: consumer, while: { true }) ?? position.withLock { $0?.failure }
        return failure.map(Output.noResponse) ?? output
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

    /// Delivers a complete response with its faults.
    private func deliver(_ response: Response, to consumer: PayloadConsumer?) async -> Output {
        var delivered = response
        delivered.payload = Data()
        if let failure = await consumer?.receive(.head(delivered)) { return .noResponse(failure) }
        var position = PayloadPosition(of: delivered, faults)
        let parts = position.take(response.payload) + position.takeRest()
        if let failure = await deliver(parts, to: consumer, while: { true }) { return .noResponse(failure) }
        if consumer == nil { delivered.payload = Data(parts.joined()) }
        position.head = delivered
        return position.failure.map(Output.noResponse) ?? .hasResponse(delivered)
    }

    /// Delivers bytes, each part after its wait.
    private func deliver(
        _ parts: [Data],
        to consumer: PayloadConsumer?,
        while isWanted: @escaping @Sendable () -> Bool
    ) async -> ConnectionError? {
        for part in parts {
            if let duration = faults.pause, await !pause(duration) { return .cancelled }
            if let failure = await consumer?.receive(.chunk(part), while: isWanted) { return failure }
        }
        return nil
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
