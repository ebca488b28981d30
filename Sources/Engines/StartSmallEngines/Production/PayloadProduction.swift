package import StartSmallCore
import StartSmallFoundation
import StartSmallSupport

/// The production of a streamed payload for one call of an engine: a task that produces, and a thread that reads.
///
/// The reading thread never waits here: it learns that there are no bytes yet, and is woken by the next ones. The
/// producer waits while the buffer is full. Nothing is produced before the first read, as for a request that waits for
/// `100 Continue` (RFC 9110 10.1.1), and a read from the beginning starts the stream anew.
///
/// The producer runs in a task that inherits the priority and the task-local values of the call, but is not its child:
/// a producer that ignores its cancellation must not delay the end of the call.
package struct PayloadProduction: Sendable {
    package enum Reading: Equatable, Sendable {
        /// The number of bytes that were copied.
        case bytes(Int)

        /// No bytes yet; the reader is woken when it is worth another read.
        case pending

        case end
        case failed(ConnectionError)
    }

    private let stream: PayloadStream
    private let wake: @Sendable () -> Void
    private let attempts: AsyncStream<Int>.Continuation
    private let state = Locked(ProductionState())

    /// Creates a production that has not begun, in the task of its call.
    package init(_ stream: PayloadStream, wake: @escaping @Sendable () -> Void) {
        (self.stream, self.wake) = (stream, wake)
        let (numbers, attempts) = AsyncStream.makeStream(of: Int.self)
        self.attempts = attempts
        let begin = begin
        // This task begins the attempts, since a reading thread knows nothing of the call's task.
        Task { for await number in numbers { begin(number) } }
    }

    /// The number of bytes; nil if it is not known.
    package var length: Int? { stream.length }

    package var isReplayable: Bool { stream.isReplayable }

    /// Changes the state, and has its effects outside of the lock: no task is resumed, and nothing is woken, under it.
    private func change<Result: Sendable>(
        _ body: (inout ProductionState, inout ProductionState.Effects) -> Result
    ) -> Result {
        let (result, effects) = state.withLock { state in
            var effects = ProductionState.Effects()
            let result = body(&state, &effects)
            return (result, effects)
        }
        if let attempt = effects.begun { attempts.yield(attempt) }
        effects.cancelled?.cancel()
        for (writer, isTaken) in effects.resumed { writer.resume(returning: isTaken) }
        if effects.wakesReader { wake() }
        return result
    }

    // MARK: the reader

    /// Reads bytes from an offset on; starts the stream, or starts it anew if earlier bytes are needed again.
    package func read(from offset: Int, into room: UnsafeMutableRawBufferPointer) -> Reading {
        let isReplayable = isReplayable
        // The address alone, since a pointer can't be sent to the guarded state; it is used only during this call.
        let (start, count) = (UInt(bitPattern: room.baseAddress), room.count)
        return change { state, effects in
            let room = UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(bitPattern: start), count: count)
            return state.read(from: offset, into: room, isReplayable: isReplayable, &effects)
        }
    }

    /// Ends the production: cancels its task, drops its bytes, and wakes a waiting reader.
    package func end() {
        change { $0.end(&$1) }
        attempts.finish()
    }

    // MARK: the producer

    @Sendable private func begin(_ attempt: Int) {
        let task = Task { await produce(attempt) }
        if !change({ state, _ in state.keep(task, for: attempt) }) { task.cancel() }
    }

    private func produce(_ attempt: Int) async {
        guard state.withLock({ $0.isCurrent(attempt) }) else { return }
        do throws(ConnectionError) {
            try await stream.produce { data in
                guard await append(data, attempt) else { throw CancellationError() }
            }
            change { $0.finish(attempt, .complete, &$1) }
        } catch {
            change { $0.finish(attempt, .failed(error), &$1) }
        }
    }

    /// Adds bytes, and waits until there is room for more; returns false if they are not wanted.
    private func append(_ data: Data, _ attempt: Int) async -> Bool {
        switch change({ $0.append(data, attempt, &$1) }) {
        case .refused: return false
        case .taken: return true
        case .takenAndFull(let ticket):
            return await withTaskCancellationHandler {
                await withCheckedContinuation { writer in
                    change { $0.wait(writer, ticket, attempt, isCancelled: Task.isCancelled, &$1) }
                }
            } onCancel: {
                change { $0.stopWaiting(ticket, &$1) }
            }
        }
    }
}
