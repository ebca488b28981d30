import StartSmallCore
import StartSmallFoundation

/// The state of a ``PayloadProduction``, whose changes have their effects outside of its lock.
struct ProductionState: Sendable {
    typealias Writer = CheckedContinuation<Bool, Never>

    struct Effects: Sendable {
        /// The number of the attempt that begins.
        var begun: Int?

        /// The task of an attempt that is over.
        var cancelled: Task<Void, Never>?

        /// The tasks that waited for room, and whether their bytes are wanted.
        var resumed: [(writer: Writer, isTaken: Bool)] = []
        var wakesReader = false
    }

    enum Ending: Sendable {
        case complete
        case failed(ConnectionError)
    }

    enum Receipt: Sendable {
        case refused, taken

        /// The bytes are taken, and the producer has to wait for room, with this ticket.
        case takenAndFull(UInt64)
    }

    /// The number of the attempt that produces; 0 before the first one.
    private var attempt = 0
    private var buffer = PayloadBuffer()
    private var ending: Ending?
    private var task: Task<Void, Never>?

    /// The tasks that wait for room, by their tickets.
    private var writers: [UInt64: Writer] = [:]
    private var lastTicket: UInt64 = 0

    /// Whether the reader has found no bytes.
    private var isReaderWaiting = false
    private var isOver = false

    /// Whether the bytes of an attempt are wanted.
    func isCurrent(_ attempt: Int) -> Bool { !isOver && self.attempt == attempt }

    // MARK: the reader

    mutating func read(
        from offset: Int,
        into room: UnsafeMutableRawBufferPointer,
        isReplayable: Bool,
        _ effects: inout Effects
    ) -> PayloadProduction.Reading {
        if isOver { return .failed(.cancelled) }
        let isRewound = offset < buffer.start
        if isRewound {
            guard isReplayable else { return .failed(Self.producedOnce) }
            dropAttempt(&effects)
        }
        if isRewound || attempt == 0 {
            attempt += 1
            effects.begun = attempt
        }
        if case .failed(let error) = ending { return .failed(error) }
        let count = buffer.read(from: offset, into: room)
        if !buffer.isFull { resumeWriters(true, &effects) }
        if count > 0 { return .bytes(count) }
        if ending != nil { return .end }
        isReaderWaiting = true
        return .pending
    }

    mutating func end(_ effects: inout Effects) {
        isOver = true
        dropAttempt(&effects)
        wakeReader(&effects)
    }

    private mutating func dropAttempt(_ effects: inout Effects) {
        resumeWriters(false, &effects)
        effects.cancelled = task.take()
        (buffer, ending) = (PayloadBuffer(), nil)
    }

    private mutating func resumeWriters(_ isTaken: Bool, _ effects: inout Effects) {
        if writers.isEmpty { return }
        effects.resumed += writers.values.map { ($0, isTaken) }
        writers = [:]
    }

    private mutating func wakeReader(_ effects: inout Effects) {
        effects.wakesReader = isReaderWaiting
        isReaderWaiting = false
    }

    private static let producedOnce = ConnectionError.malformedPayload(
        debugInfo: "the payload can be produced only once (replayable: false), and the connection needed it again"
    )

    // MARK: the producer

    /// Keeps the task of an attempt, to cancel it; returns false if the attempt is over.
    mutating func keep(_ task: Task<Void, Never>, for attempt: Int) -> Bool {
        guard isCurrent(attempt) else { return false }
        if ending == nil { self.task = task }
        return true
    }

    /// Adds bytes, which are refused after the end: a task that the producer left behind may still write.
    mutating func append(_ data: Data, _ attempt: Int, _ effects: inout Effects) -> Receipt {
        guard isCurrent(attempt), ending == nil else { return .refused }
        buffer.append(data)
        wakeReader(&effects)
        if !buffer.isFull { return .taken }
        lastTicket += 1
        return .takenAndFull(lastTicket)
    }

    mutating func wait(
        _ writer: Writer,
        _ ticket: UInt64,
        _ attempt: Int,
        isCancelled: Bool,
        _ effects: inout Effects
    ) {
        if isCancelled || !isCurrent(attempt) {
            effects.resumed.append((writer, false))
        } else if buffer.isFull {
            writers[ticket] = writer
        } else {
            effects.resumed.append((writer, true))
        }
    }

    mutating func stopWaiting(_ ticket: UInt64, _ effects: inout Effects) {
        if let writer = writers.removeValue(forKey: ticket) { effects.resumed.append((writer, false)) }
    }

    mutating func finish(_ attempt: Int, _ ending: Ending, _ effects: inout Effects) {
        guard isCurrent(attempt) else { return }
        (self.ending, task) = (ending, nil)
        if case .failed = ending { buffer = PayloadBuffer() }
        wakeReader(&effects)
    }
}
