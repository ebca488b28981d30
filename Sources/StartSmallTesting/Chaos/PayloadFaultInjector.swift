import Foundation
import StartSmall
import Synchronization

/// The faults of one payload, whether it comes whole or in parts.
struct PayloadFaultInjector: Sendable {
    private let course: PayloadProgress

    /// Waits; false if the task was cancelled.
    private let pause: @Sendable (Duration) async -> Bool

    init(_ course: PayloadProgress, pause: @escaping @Sendable (Duration) async -> Bool) {
        (self.course, self.pause) = (course, pause)
    }

    /// Makes a call whose payload comes as the course says.
    func call(_ input: Input, _ next: Next) async -> Output {
        let passage = Mutex<PayloadPosition?>(nil)
        var troubled = input
        if let consumer = input.destination.consumer {
            let around = consumer.wrapped { [self] part, isWanted, inner in
                switch part {
                case .head(let response):
                    passage.withLock { $0 = PayloadPosition(of: response, course) }
                    return await inner.receive(part, while: isWanted)
                case .chunk(let data):
                    let parts = passage.withLock { $0?.take(data) } ?? []
                    return await give(parts, to: inner, while: isWanted) ?? passage.withLock { $0?.failure }
                }
            }
            troubled.destination = .consumer(around)
        }
        let output = await next(troubled)
        guard case .hasResponse(let response) = output else { return output }
        let consumer = response.statusCode.isSuccess ? input.destination.consumer : nil
        guard consumer != nil, response.payload.isEmpty, let rest = passage.withLock({ $0?.takeRest() }) else {
            return await give(response, to: consumer)
        }
        let failure = await give(rest, to: consumer, while: { true }) ?? passage.withLock { $0?.failure }
        return failure.map(Output.noResponse) ?? output
    }

    /// Gives a response that came whole.
    private func give(_ response: Response, to consumer: PayloadConsumer?) async -> Output {
        var given = response
        given.payload = Data()
        if let failure = await consumer?.receive(.head(given)) { return .noResponse(failure) }
        var passage = PayloadPosition(of: given, course)
        let parts = passage.take(response.payload) + passage.takeRest()
        if let failure = await give(parts, to: consumer, while: { true }) { return .noResponse(failure) }
        if consumer == nil { given.payload = Data(parts.joined()) }
        passage.head = given
        return passage.failure.map(Output.noResponse) ?? .hasResponse(given)
    }

    /// Gives bytes, each after its wait.
    private func give(
        _ parts: [Data],
        to consumer: PayloadConsumer?,
        while isWanted: @escaping @Sendable () -> Bool
    ) async -> ConnectionError? {
        for part in parts {
            if let duration = course.pause, await !pause(duration) { return .cancelled }
            if let failure = await consumer?.receive(.chunk(part), while: isWanted) { return failure }
        }
        return nil
    }
}

/// How a payload comes.
struct PayloadProgress: Hashable, Sendable {
    /// After how many bytes it ends.
    private(set) var end = Int.max

    /// After how many of them the connection is lost; nil if it is not.
    private var cut: Int?

    /// How many bytes come at once.
    private(set) var step = Int.max

    /// How long is waited before them.
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

    /// Whether nothing is done to the payload.
    var isPlain: Bool { end == .max && step == .max }

    /// Whether the connection is lost where the payload ends, if there would be more of it.
    var isCutOff: Bool { cut == end }
}

/// How far a payload is on its course.
struct PayloadPosition {
    /// The response that it belongs to, as the error of a cut keeps it.
    var head: Response
    private let course: PayloadProgress
    private var passed = 0
    private var isOver = false

    /// What came, but is not enough to be given.
    private var waiting = Data()

    init(of head: Response, _ course: PayloadProgress) {
        (self.head, self.course) = (head, course)
    }

    /// What is to be given after more bytes came, in parts.
    mutating func take(_ data: Data) -> [Data] {
        let taken = data.prefix(course.end - passed)
        isOver = isOver || taken.count < data.count
        passed += taken.count
        waiting += taken
        var parts: [Data] = []
        while waiting.count >= course.step {
            parts.append(Data(waiting.prefix(course.step)))
            waiting = waiting.dropFirst(course.step)
        }
        return course.step == .max || isOver ? parts + takeRest() : parts
    }

    /// What is to be given when no more bytes come.
    mutating func takeRest() -> [Data] {
        defer { waiting = Data() }
        return waiting.isEmpty ? [] : [Data(waiting)]
    }

    /// What the call ends with, if the connection is lost here.
    var failure: ConnectionError? {
        guard isOver, course.isCutOff else { return nil }
        let text = "cut off after \(passed) bytes"
        return .connectionLost(.init(domain: "Chaos", code: 0, text: text, partial: head))
    }
}
