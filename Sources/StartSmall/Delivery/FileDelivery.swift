import Dispatch
import Foundation
import Synchronization

/// Takes the payload of a call into a file, which appears only if the call ends well.
///
/// If the call is tried again, what was written is kept where the server goes on from there, and written anew where it
/// does not. Where the disk fails, the call fails, and nothing more is written.
struct FileDelivery: Sendable {
    /// Who takes the parts of the response.
    let consumer: PayloadConsumer

    /// Puts the file into its place, or removes it; the error is the first that there was.
    let finish: @Sendable (_ whole: Bool) async -> ConnectionError?

    init(to place: URL) {
        let memory = ResumeState()
        let state = Mutex(State(place: place, memory: memory))
        // The disk may keep a thread waiting, which the threads of Swift's tasks must not be.
        let disk = DispatchQueue(label: "StartSmall.file")
        let change = { @Sendable (change: @escaping @Sendable (inout State) throws -> Void) async -> ConnectionError? in
            await withCheckedContinuation { done in
                disk.async {
                    let failure = state.withLock { $0.change(change) }
                    done.resume(returning: failure)
                }
            }
        }
        consumer = PayloadConsumer(resumption: { memory.ask() }) { part, isWanted in
            if let failure = await change({ if isWanted() { try $0.take(part) } }) { throw failure }
        }
        finish = { whole in await change { try $0.finish(whole) } }
    }
}

/// From where the server is to go on; apart from the file, so that whoever asks does not wait for the disk.
private struct ResumeState: Sendable {
    private typealias Known = (possible: Resumption?, asked: Resumption?)

    private let known = Locked<Known>((nil, nil))

    /// What is to be asked for so that the server goes on from where it was; it is remembered.
    func ask() -> Resumption? {
        known.withLock { known in
            known.asked = known.possible
            return known.asked
        }
    }

    /// What was last asked for.
    var asked: Resumption? {
        known.withLock { $0.asked }
    }

    /// Says what can be asked for from now on.
    func allow(_ possible: Resumption?) {
        known.withLock { $0.possible = possible }
    }
}

/// A part of a whole that a server sent.
private struct Rest: Sendable {
    let head: Response

    /// The size of the file where this part ends.
    let end: Int

    /// The size of the file that is whole.
    let total: Int
}

private struct State {
    let place: URL
    let memory: ResumeState
    var file: PartialFile?

    /// What the server is to go on with: its offset is where the file ends.
    var version: Resumption?

    /// The last part that the server went on with, or sent as it was asked to; nil if it sent the whole.
    var rest: Rest?
    var failure: ConnectionError?
    var isOver = false

    /// From where the server could go on.
    private var resumption: Resumption? {
        guard failure == nil, var version, let size = file?.size, size > 0 else { return nil }
        version.offset = size
        return version
    }

    /// Changes the file, unless that failed before.
    mutating func change(_ change: (inout State) throws -> Void) -> ConnectionError? {
        defer { memory.allow(resumption) }
        do {
            if failure == nil { try change(&self) }
        } catch {
            file?.discard()
            file = nil
            failure =
                error as? ConnectionError ?? .unwritableDestination(debugInfo: "\(place.lastPathComponent): \(error)")
        }
        return failure
    }

    mutating func take(_ part: PayloadConsumer.Part) throws {
        if isOver { throw ConnectionError.cancelled }
        switch part {
        case .head(let response): try begin(response)
        case .chunk(let data):
            if let rest, let size = file?.size, size + data.count > rest.end {
                throw ConnectionError.malformedResponse(.wrongRange(rest.head))
            }
            try file?.append(data)
        }
    }

    /// Goes on where the server does, or begins anew.
    private mutating func begin(_ response: Response) throws {
        let attempt = response.called.attempt
        if response.statusCode == .partialContent {
            if let asked = memory.asked { return try goOn(with: response, from: asked) }
            // A part that nobody asked for would take the place of a whole file.
            guard let asked = attempt?.range, response.isPart(of: asked) else {
                throw ConnectionError.malformedResponse(.wrongRange(response))
            }
        }
        if file == nil { file = try PartialFile(beside: place) } else { try file?.cut(to: 0) }
        rest = response.contentRange.map { Rest(head: response, end: $0.end - $0.start, total: $0.end - $0.start) }
        version = nil
        guard response.statusCode == .ok, let validator = response.rangeValidator else { return }
        version = Resumption(offset: 0, validator: validator, total: response.wholeCount, url: attempt?.url)
    }

    private mutating func goOn(with response: Response, from asked: Resumption) throws {
        let isAsked = response.called.attempt.map { $0.range == asked.range } != false
        guard isAsked, response.goesOn(from: asked), let range = response.contentRange,
            let total = asked.total ?? range.total
        else { throw ConnectionError.malformedResponse(.wrongRange(response)) }
        // An attempt that was let go, or tried again further in, may have brought more after the rest was asked for.
        try file?.cut(to: asked.offset)
        rest = Rest(head: response, end: range.end, total: total)
        version?.total = total
    }

    /// After this, no part is taken: an engine that was let go may still bring some.
    mutating func finish(_ whole: Bool) throws {
        isOver = true
        if whole {
            if let size = file?.size, let rest, size != rest.total {
                throw ConnectionError.connectionLost(.shortRange(rest.head, size: size, total: rest.total))
            }
            let finished = try file ?? PartialFile(beside: place)
            // Known until it is in its place: whatever fails before, it is removed.
            file = finished
            try finished.commit()
        } else {
            file?.discard()
        }
        file = nil
    }
}
