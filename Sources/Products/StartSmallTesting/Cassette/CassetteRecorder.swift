import StartSmallCore
import StartSmallDiagnostics
import StartSmallSupport
import Dispatch
import Foundation
import Synchronization

/// The recording of this process to one file, which all recorders of the file share, whatever paths they use.
///
/// Without a recorder, only the secrets and the state of the file are kept: the next recorder reads the exchanges.
final class SharedCassette: Sendable {
    /// An exchange of the recording.
    private struct Entry {
        let id: Int

        /// The number of the call; 0 for an exchange from before this recording, which keeps its position.
        var call: Int
        var exchange: Exchange { didSet { (text, texts) = (exchange.fileText, RecordedTexts(of: exchange)) } }

        /// The exchange in the file.
        private(set) var text: Data
        private(set) var texts: RecordedTexts

        init(id: Int, call: Int, exchange: Exchange) {
            (self.id, self.call, self.exchange) = (id, call, exchange)
            (text, texts) = (exchange.fileText, RecordedTexts(of: exchange))
        }
    }

    private struct State {
        var entries: [Entry] = []

        /// The number of recorders and open calls.
        var seats = 0

        /// Whether the exchanges are in the file only.
        var areForgotten = false
        var secrets = KnownSecrets()

        /// The number of changes, the number of those that are in the file, and of those that a write has tried.
        var version = 0
        var written = 0
        var tried = 0

        /// The state of the file after the last write.
        var stamp: [Double]?

        /// Hides secrets in the exchanges that were recorded before; returns whether one has changed.
        mutating func hide(_ new: KnownSecrets) -> Bool {
            var hasChanged = false
            for index in entries.indices where entries[index].texts.mayContain(new) {
                let hidden = entries[index].exchange.without(new)
                guard hidden != entries[index].exchange else { continue }
                (entries[index].exchange, hasChanged) = (hidden, true)
            }
            return hasChanged
        }
    }

    /// The seat of a recorder at a recording: the exchanges that it has read, by their IDs there.
    final class Seat: Sendable {
        let cassette: SharedCassette
        let ids: [Int?]

        fileprivate init(at cassette: SharedCassette, after earlier: [Exchange]?, _ stamp: [Double]?) throws {
            self.cassette = cassette
            ids = try cassette.ids(of: earlier, stamp)
        }

        deinit { cassette.leave() }
    }

    private struct Recordings {
        /// The recordings by the real paths of their files.
        var all: [String: SharedCassette] = [:]
        var lastNumber = 0
    }

    /// The recordings of the process, and the last number of a call or exchange.
    ///
    /// Nothing but the process itself knows which of its files are recorded, so that this is a variable of the process.
    private static let recordings = Mutex(Recordings())

    // The disk may block a thread, which must not be a thread of Swift's tasks.
    private static let disk = DispatchQueue(label: "StartSmallTesting.Cassette")

    private let file: URL
    private let state = Mutex(State())

    private init(_ file: URL) { self.file = file }

    /// Returns the number of a call: exchanges are ordered by the times of their requests.
    static func takeNumber() -> Int {
        recordings.withLock { recordings in
            recordings.lastNumber += 1
            return recordings.lastNumber
        }
    }

    /// Runs a function where the disk may block.
    static func onDisk<Value: Sendable>(_ act: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { done in disk.async { done.resume(returning: act()) } }
    }

    /// Runs a function while this thread waits: for the end of a body that nobody reads any more.
    static func onDiskAtOnce(_ act: () -> Void) { disk.sync(execute: act) }

    /// Returns a recorder's seat at the recording to a file.
    ///
    /// The recorder adds to a file that this process has written, unless the file was changed or removed since then.
    ///
    /// - Throws: the errors of Foundation, and ``CassetteError`` if the path is no regular file, or a HAR.
    static func seat(at path: URL, after earlier: [Exchange]?) throws -> Seat {
        let place = try CassettePlace(path)
        // The HAR of a browser can't be made again.
        if place.isHAR { throw CassetteError("a HAR is not replaced by a cassette") }
        try FileManager.default.createDirectory(at: place.folder, withIntermediateDirectories: true)
        guard let folder = realpath(place.folder.path(percentEncoded: false), nil) else {
            throw CassetteError("the folder can't be read")
        }
        defer { free(folder) }
        let file = URL(filePath: String(cString: folder)).appending(path: place.file.lastPathComponent)
        let cassette = recordings.withLock { recordings in
            let path = file.path(percentEncoded: false)
            let found = recordings.all[path] ?? SharedCassette(file)
            recordings.all[path] = found
            return found
        }
        return try Seat(at: cassette, after: earlier, place.stamp)
    }

    /// Returns the IDs of the exchanges that a new recorder has read; nil for an exchange that is no longer recorded.
    private func ids(of earlier: [Exchange]?, _ stamp: [Double]?) throws -> [Int?] {
        let areForgotten = state.withLock { state in
            state.seats += 1
            return state.areForgotten && stamp != nil && state.stamp == stamp
        }
        let known: [Entry]
        do { known = areForgotten ? Self.entries(of: try Cassette(at: file).exchanges) : [] } catch {
            leave()
            throw error
        }
        let new = Self.entries(of: earlier ?? [])
        return state.withLock { state in
            if areForgotten {
                state.entries += known
                state.areForgotten = false
            }
            if state.version == state.tried, stamp == nil || state.stamp != stamp {
                state = State(seats: state.seats, stamp: earlier == nil ? nil : stamp)
                state.entries += new
                return new.map(\.id)
            }
            var open = state.entries
            return (earlier ?? []).map { exchange in
                open.firstIndex { $0.exchange == exchange }.map { open.remove(at: $0).id }
            }
        }
    }

    private static func entries(of exchanges: [Exchange]) -> [Entry] {
        exchanges.map { Entry(id: takeNumber(), call: 0, exchange: $0) }
    }

    /// Forgets the exchanges after the last recorder, if all of them are in the file.
    private func leave() {
        state.withLock { state in
            state.seats -= 1
            guard state.seats == 0, state.written == state.version else { return }
            (state.entries, state.areForgotten) = ([], true)
        }
    }

    /// Adds an exchange without its credentials to the recording.
    ///
    /// - Returns: the version of the recording, which is to be written, and the reason why the exchange is not added.
    func add(
        _ exchange: Exchange,
        _ secrets: Set<[UInt8]>,
        call: Int,
        replacing old: Int?,
        _ scrubbing: CassetteRedaction
    ) -> (version: Int, refusal: CassetteError?) {
        let id = Self.takeNumber()
        return state.withLock { state in
            if let new = state.secrets.add(secrets), state.hide(new) { state.version += 1 }
            let hidden = scrubbing.hidden(exchange, without: state.secrets)
            if let reason = scrubbing.revealed(in: hidden) { return (state.version, CassetteError(reason)) }
            state.version += 1
            if let place = old.flatMap({ old in state.entries.firstIndex { $0.id == old } }) {
                state.entries[place].exchange = hidden
            } else {
                let end = state.entries.lastIndex { $0.call < call }.map { $0 + 1 } ?? state.entries.startIndex
                state.entries.insert(Entry(id: id, call: call, exchange: hidden), at: end)
            }
            return (state.version, nil)
        }
    }

    /// Writes all exchanges, unless a later write has done so; returns the error if the file can't be written.
    func write(_ goal: Int) -> ConnectionError? {
        let (now, texts) = state.withLock { state in
            if state.written < goal { state.tried = state.version }
            return (state, state.entries.map(\.text))
        }
        if now.written >= goal { return nil }
        do {
            // Another process would lose its exchanges, as this one has lost those in the file.
            if let last = now.stamp, let stamp = try CassettePlace(file).stamp, stamp != last {
                throw CassetteError("another process or program has changed the file since this one wrote it")
            }
            try Cassette.write(Cassette.data(of: texts), to: file)
            let stamp = try CassettePlace(file).stamp
            state.withLock { ($0.written, $0.stamp) = (now.version, stamp) }
            return nil
        } catch {
            return .unwritable(file, error)
        }
    }
}

extension ConnectionError {
    fileprivate static func unwritable(_ file: URL, _ error: any Error) -> ConnectionError {
        let text = "the cassette \(file.lastPathComponent): \(SystemErrorText.text(of: error))"
        return .unwritableDestination(debugInfo: text)
    }
}

/// A recorder that writes the exchanges of concurrent calls into one cassette file.
struct CassetteRecorder: Sendable {
    private let file: URL
    private let scrubbing: CassetteRedaction
    private let payloadLimit: Int
    private let earlier: [Exchange]?
    private let seat = Locked<SharedCassette.Seat?>(nil)

    init(_ file: URL, _ scrubbing: CassetteRedaction, payloadsUpTo limit: Int, after earlier: [Exchange]? = nil) {
        (self.file, self.scrubbing, payloadLimit, self.earlier) = (file, scrubbing, limit, earlier)
    }

    /// Returns the recording, which is opened for the first call; an error if the file can't be written.
    func opened() async -> Either<ConnectionError, SharedCassette.Seat> {
        if let seat = seat.withLock({ $0 }) { return .right(seat) }
        return await SharedCassette.onDisk { [self] in
            if let seat = seat.withLock({ $0 }) { return .right(seat) }
            do {
                let new = try SharedCassette.seat(at: file, after: earlier)
                seat.withLock { $0 = new }
                return .right(new)
            } catch {
                return .left(.unwritable(file, error))
            }
        }
    }

    /// Adds an exchange without its credentials, and returns a function that writes it.
    func added(
        _ exchange: Exchange,
        to seat: SharedCassette.Seat,
        call: Int,
        replacing old: Int?
    ) -> @Sendable () -> ConnectionError? {
        var (hidden, secrets) = scrubbing.hidden(exchange, payloadsUpTo: payloadLimit)
        // As in the file.
        hidden.recorded = Date(timeIntervalSince1970: exchange.recorded.timeIntervalSince1970.rounded(.down))
        let id = old.flatMap { seat.ids[$0] }
        let (version, refusal) = seat.cassette.add(hidden, secrets, call: call, replacing: id, scrubbing)
        return { seat.cassette.write(version) ?? refusal.map { .unwritable(file, $0) } }
    }
}
