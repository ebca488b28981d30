import Dispatch
import Foundation
import StartSmall
import Synchronization

/// A recorder that writes the exchanges of concurrent calls into one cassette file.
struct CassetteRecorder: Sendable {
    private let file: URL
    private let scrubbing: CassetteRedaction
    private let numbers: NumberedSecrets
    private let payloadLimit: Int
    private let recording: Locked<Recording>
    private let take: @Sendable (_ goal: Int) -> Recording.Unwritten?
    private let save: @Sendable ([Data], _ first: Int) throws -> Void

    // The disk may block a thread, which must not be a thread of Swift's tasks.
    private let disk = DispatchQueue(label: "StartSmallTesting.Cassette")

    init(
        _ file: URL,
        _ scrubbing: CassetteRedaction,
        _ numbers: NumberedSecrets,
        payloadsUpTo payloadLimit: Int,
        after exchanges: [Exchange]? = nil
    ) {
        let recording = Locked(Recording(exchanges ?? [], numbers))
        let writer = Mutex(CassetteWriter(file, after: exchanges))
        self.recording = recording
        self.file = file
        self.scrubbing = scrubbing
        self.numbers = numbers
        self.payloadLimit = payloadLimit
        take = { goal in recording.withLock { $0.takeUnwritten(goal) } }
        save = { texts, first in try writer.withLock { try $0.write(texts, from: first) } }
    }

    /// Returns the number of a call: exchanges are ordered by the time of the request.
    func takeNumber() -> Int {
        recording.withLock { recording in
            recording.number += 1
            return recording.number
        }
    }

    /// Adds an exchange without its credentials to the recording.
    ///
    /// - Parameters:
    ///   - exchange: the exchange.
    ///   - number: the number of the call, from ``takeNumber()``.
    ///   - old: the index of the exchange to replace, among those from before this recording; nil to add one.
    /// - Returns: the version of the recording, which is to be written.
    func add(_ exchange: Exchange, number: Int, replacing old: Int?) -> Int {
        var sizes = PayloadSizes(of: exchange, limit: payloadLimit)
        let (hidden, secrets) = scrubbing.hidden(exchange, numbers)
        sizes.note(exchange, hidden)
        return recording.withLock { [sizes] recording in
            recording.add(hidden, sizes, number, replacing: old, secrets, scrubbing)
            return recording.version
        }
    }

    /// Returns when a version of the recording is in the file, or the error if the file can't be written.
    func written(_ version: Int) async -> ConnectionError? {
        await withCheckedContinuation { done in
            disk.async { done.resume(returning: write(version)) }
        }
    }

    /// Writes a version of the recording while the thread waits: for the end of a body that nobody reads any more.
    func writeAtOnce(_ version: Int) { disk.sync { _ = write(version) } }

    /// Writes all unwritten exchanges, unless another call has done so.
    private func write(_ goal: Int) -> ConnectionError? {
        var unwritten: Recording.Unwritten?
        do {
            unwritten = take(goal)
            if let unwritten { try save(unwritten.texts, unwritten.first) }
            return nil
        } catch {
            if let unwritten { recording.withLock { $0.giveBack(unwritten) } }
            let text = SystemErrorText.text(of: error)
            return .unwritableDestination(debugInfo: "the cassette \(file.lastPathComponent): \(text)")
        }
    }
}
