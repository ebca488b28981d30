import Dispatch
import Foundation
import StartSmall
import Synchronization

/// A cassette that is being recorded: what many calls bring at once goes into one file, which is whole at every moment.
struct Tape: Sendable {
    private let file: URL
    private let scrubbing: Scrubbing
    private let change: @Sendable ((inout Recording) -> Void) -> Void

    // The disk may keep a thread waiting, which the threads of Swift's tasks must not be.
    private let disk = DispatchQueue(label: "StartSmallTesting.Cassette")

    init(_ file: URL, _ scrubbing: Scrubbing, after exchanges: [Exchange] = []) {
        let recording = Mutex(
            Recording(entries: exchanges.enumerated().map { Recording.Entry(number: 0, place: $0, exchange: $1) })
        )
        self.file = file
        self.scrubbing = scrubbing
        change = { body in recording.withLock { body(&$0) } }
    }

    /// The place of a call among the others: exchanges stand in the order in which they were asked for.
    func takeNumber() -> Int {
        var number = 0
        change { recording in
            recording.number += 1
            number = recording.number
        }
        return number
    }

    /// Writes an exchange, without its credentials; returns when it is in the file, with why it can't be if it can't.
    ///
    /// - Parameter old: the place of the one that it replaces, among those that were there before.
    func add(_ exchange: Exchange, number: Int, replacing old: Int? = nil) async -> ConnectionError? {
        let secrets = scrubbing.secrets(in: exchange)
        var goal = 0
        change { recording in
            recording.add(exchange, number, replacing: old, secrets, scrubbing)
            goal = recording.version
        }
        return await withCheckedContinuation { done in
            disk.async { [goal] in done.resume(returning: write(goal)) }
        }
    }

    /// Writes all there is by now, unless another call did.
    private func write(_ goal: Int) -> ConnectionError? {
        var recording = Recording(entries: [])
        change { recording = $0 }
        if recording.written >= goal { return nil }
        do {
            try Cassette(recording.entries.map(\.exchange)).write(to: file)
        } catch {
            return .unwritableDestination(debugInfo: "the cassette \(file.lastPathComponent): \(error)")
        }
        change { [recording] in $0.written = max($0.written, recording.version) }
        return nil
    }
}

private struct Recording {
    struct Entry {
        var number: Int

        /// Among those that were there before this recording.
        var place: Int?
        var exchange: Exchange
    }

    var entries: [Entry]
    var number = 0
    var version = 0
    var written = 0
    private var secrets: Set<String> = []

    init(entries: [Entry]) { self.entries = entries }

    mutating func add(
        _ exchange: Exchange,
        _ number: Int,
        replacing old: Int?,
        _ found: Set<String>,
        _ scrubbing: Scrubbing
    ) {
        version += 1
        // What is only now known to be a secret may stand in what came before.
        let new = found.subtracting(secrets)
        secrets.formUnion(new)
        if !new.isEmpty {
            for index in entries.indices {
                entries[index].exchange = entries[index].exchange.without(new)
            }
        }
        let exchange = scrubbing.scrubbed(exchange, without: secrets)
        if let index = old.flatMap({ old in entries.firstIndex { $0.place == old } }) {
            entries[index].exchange = exchange
        } else {
            let place = entries.lastIndex { $0.number < number }.map { $0 + 1 } ?? entries.startIndex
            entries.insert(Entry(number: number, exchange: exchange), at: place)
        }
    }
}
