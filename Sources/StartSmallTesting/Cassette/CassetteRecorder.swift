import Dispatch
import Foundation
import StartSmall
import Synchronization

/// A cassette that is being recorded: what many calls bring at once goes into one file.
struct CassetteRecorder: Sendable {
    private let file: URL
    private let scrubbing: CassetteRedaction
    private let numbers: NumberedSecrets
    private let payloadLimit: Int
    private let recording: Locked<Recording>
    private let take: @Sendable (_ goal: Int) -> Recording.Unwritten?
    private let save: @Sendable ([Data], _ first: Int) throws -> Void

    // The disk may keep a thread waiting, which the threads of Swift's tasks must not be.
    private let disk = DispatchQueue(label: "StartSmallTesting.Cassette")

    init(
        _ file: URL,
        _ scrubbing: CassetteRedaction,
        _ numbers: NumberedSecrets,
        payloadsUpTo payloadLimit: Int,
        after exchanges: [Exchange] = []
    ) {
        let recording = Locked(Recording(exchanges, numbers))
        let writer = Mutex(CassetteWriter(file))
        self.recording = recording
        self.file = file
        self.scrubbing = scrubbing
        self.numbers = numbers
        self.payloadLimit = payloadLimit
        take = { goal in recording.withLock { $0.takeUnwritten(goal) } }
        save = { texts, first in try writer.withLock { try $0.write(texts, from: first) } }
    }

    /// The place of a call among the others: exchanges stand in the order in which they were asked for.
    func takeNumber() -> Int {
        recording.withLock { recording in
            recording.number += 1
            return recording.number
        }
    }

    /// Writes an exchange, without its credentials; returns when it is in the file, with why it can't be if it can't.
    ///
    /// - Parameter old: the place of the one that it replaces, among those that were there before.
    func add(_ exchange: Exchange, number: Int, replacing old: Int? = nil) async -> ConnectionError? {
        var sizes = PayloadSizes(of: exchange, limit: payloadLimit)
        let (hidden, secrets) = scrubbing.hidden(exchange, numbers)
        sizes.note(exchange, hidden)
        let goal = recording.withLock { [sizes] recording in
            recording.add(hidden, sizes, number, replacing: old, secrets, scrubbing)
            return recording.version
        }
        return await withCheckedContinuation { done in
            disk.async { done.resume(returning: write(goal)) }
        }
    }

    /// Writes all there is by now, unless another call did.
    private func write(_ goal: Int) -> ConnectionError? {
        var unwritten: Recording.Unwritten?
        do {
            unwritten = take(goal)
            if let unwritten { try save(unwritten.texts, unwritten.first) }
            return nil
        } catch {
            if let unwritten { recording.withLock { $0.giveBack(unwritten) } }
            return .unwritableDestination(debugInfo: "the cassette \(file.lastPathComponent): \(error)")
        }
    }
}
