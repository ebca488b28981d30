import Dispatch
import Foundation
import StartSmall
import Synchronization

/// A cassette that is being recorded: what many calls bring at once goes into one file.
struct Tape: Sendable {
    private let file: URL
    private let scrubbing: Scrubbing
    private let change: @Sendable ((inout Recording) -> Void) -> Void
    private let take: @Sendable (_ goal: Int) throws -> Recording.Unwritten?
    private let save: @Sendable ([Data], _ first: Int) throws -> Void

    // The disk may keep a thread waiting, which the threads of Swift's tasks must not be.
    private let disk = DispatchQueue(label: "StartSmallTesting.Cassette")

    init(_ file: URL, _ scrubbing: Scrubbing, after exchanges: [Exchange] = []) {
        let recording = Mutex(Recording(exchanges))
        let writer = Mutex(CassetteWriter(file))
        self.file = file
        self.scrubbing = scrubbing
        change = { body in recording.withLock { body(&$0) } }
        take = { goal in try recording.withLock { try $0.takeUnwritten(goal) } }
        save = { texts, first in try writer.withLock { try $0.write(texts, from: first) } }
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
        let (exchange, secrets) = scrubbing.hidden(exchange)
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
        var unwritten: Recording.Unwritten?
        do {
            unwritten = try take(goal)
            if let unwritten { try save(unwritten.texts, unwritten.first) }
            return nil
        } catch {
            if let unwritten { change { $0.giveBack(unwritten) } }
            return .unwritableDestination(debugInfo: "the cassette \(file.lastPathComponent): \(error)")
        }
    }
}

/// What a tape holds, and how much of it is in the file.
private struct Recording {
    /// What is to be written, which is all from an exchange on.
    struct Unwritten {
        var first: Int
        var texts: [Data]
        var written: Int
    }

    private struct Entry {
        /// That of the call; 0 for those that were there before this recording, which stay where they are.
        var number: Int
        var exchange: Exchange {
            didSet { (known, sketch) = (nil, nil) }
        }

        // Made when they are needed first.
        private var known: Data?
        private var sketch: TextSketch?

        init(number: Int, exchange: Exchange) { (self.number, self.exchange) = (number, exchange) }

        /// How it stands in the file.
        mutating func text() throws -> Data {
            let text = try known ?? CassetteLayout.text(of: exchange)
            known = text
            return text
        }

        /// Hides secrets that became known after this was written; false if none is here.
        mutating func hide(_ secrets: KnownSecrets) -> Bool {
            let sketch = sketch ?? exchange.sketch
            self.sketch = sketch
            let found = sketch.among(secrets)
            if found.isEmpty { return false }
            let hidden = exchange.without(found)
            if hidden == exchange { return false }
            exchange = hidden
            return true
        }
    }

    var number = 0
    private(set) var version = 0
    private var entries: [Entry]
    private var secrets = KnownSecrets()

    /// The version that is in the file, and the first exchange that is not, or not as it is here.
    private var written = 0
    private var unwritten = 0

    init(_ exchanges: [Exchange]) { entries = exchanges.map { Entry(number: 0, exchange: $0) } }

    mutating func add(
        _ exchange: Exchange,
        _ number: Int,
        replacing old: Int?,
        _ found: Set<String>,
        _ scrubbing: Scrubbing
    ) {
        version += 1
        // What is only now known to be a secret may stand in what came before.
        let new = secrets.add(found)
        if !new.isEmpty {
            for index in entries.indices where entries[index].hide(new) { unwritten = min(unwritten, index) }
        }
        let exchange = scrubbing.scrubbed(exchange, without: secrets)
        let place = old ?? entries.lastIndex { $0.number < number }.map { $0 + 1 } ?? entries.startIndex
        if old == nil {
            entries.insert(Entry(number: number, exchange: exchange), at: place)
        } else {
            entries[place].exchange = exchange
        }
        unwritten = min(unwritten, place)
    }

    /// What has to be written until this version is in the file; nil if it is.
    mutating func takeUnwritten(_ goal: Int) throws -> Unwritten? {
        if written >= goal { return nil }
        let texts = try entries.indices[unwritten...].map { try entries[$0].text() }
        let taken = Unwritten(first: unwritten, texts: texts, written: written)
        (unwritten, written) = (entries.count, version)
        return taken
    }

    /// Notes that nothing came of the writing.
    mutating func giveBack(_ taken: Unwritten) {
        unwritten = min(unwritten, taken.first)
        written = min(written, taken.written)
    }
}
