import Dispatch
import Foundation
import Synchronization

/// Takes the payload of a call into a file, which appears only if the call ends well.
///
/// If the call is tried again, what was written is kept where the server goes on from there, and written anew where it
/// does not. Where the disk fails, the call fails, and nothing more is written.
struct FileDelivery: Sendable {
    /// Who takes the parts of the response.
    let receiver: Receiver

    /// Puts the file into its place, or removes it; the error is the first that there was.
    let finish: @Sendable (_ whole: Bool) async -> ConnectionError?

    init(to place: URL) {
        let state = Mutex(State(place: place))
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
        receiver = Receiver(resumption: { state.withLock { $0.resume() } }) { part in
            if let failure = await change({ try $0.take(part) }) { throw failure }
        }
        finish = { whole in await change { try $0.finish(whole) } }
    }
}

private struct State {
    let place: URL
    var file: PartialFile?
    var validator: String?
    var asked: Resumption?
    var failure: ConnectionError?

    /// What is to be asked for so that the server goes on from where it was; it is remembered.
    mutating func resume() -> Resumption? {
        guard failure == nil, let validator, let size = file?.size, size > 0 else { return nil }
        asked = Resumption(offset: size, validator: validator)
        return asked
    }

    /// Changes the file, unless that failed before.
    mutating func change(_ change: (inout State) throws -> Void) -> ConnectionError? {
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

    mutating func take(_ part: Receiver.Part) throws {
        switch part {
        case .head(let response): try begin(response)
        case .chunk(let data): try file?.append(data)
        }
    }

    /// Goes on where the server does, or begins anew.
    private mutating func begin(_ response: Response) throws {
        defer { asked = nil }
        if let asked, response.statusCode == .partialContent {
            guard response.rangeStart == asked.offset else { throw ConnectionError.wrongRange(response) }
            return
        }
        if file == nil { file = try PartialFile(beside: place) } else { try file?.clear() }
        validator = response.statusCode == .ok ? response.rangeValidator : nil
    }

    mutating func finish(_ whole: Bool) throws {
        let file = self.file
        self.file = nil
        if whole {
            try (file ?? PartialFile(beside: place)).commit()
        } else {
            file?.discard()
        }
    }
}

extension ConnectionError {
    /// The server went on at another place than it was asked to (RFC 9110 15.3.7).
    fileprivate static func wrongRange(_ response: Response) -> ConnectionError {
        .malformedResponse(Cause(domain: "StartSmall", code: 206, text: "not the range asked for", partial: response))
    }
}
