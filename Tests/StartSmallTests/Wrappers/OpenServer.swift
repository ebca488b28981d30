import Foundation
import StartSmall
import StartSmallTesting

/// A server whose responses have an open body, and which records how the bodies end.
struct OpenServer: Sendable {
    static let head = Response(statusCode: .ok, headers: ["A": "b"])
    static let input = Fixture.input.with { $0.delivery = .stream }

    /// The chunks of each body.
    var chunks = ["ab", "c"]

    /// The error after the chunks; nil for a complete payload.
    var failure: ConnectionError?

    /// Whether nothing follows the chunks.
    var isSilent = false

    /// The outputs, which keep their bodies: whatever ends them is not a release.
    var kept: Recorder<Output>?

    let sent = Recorder<Input>()

    /// The ends of the bodies, and the first of them.
    let ends = Recorder<ResponseBody.End>()
    let ended = Latch()

    /// Opens when a reader waits for bytes after the first chunk.
    let isTaken = Latch()

    var output: Output {
        let output = Output.open(
            Self.head,
            chunks.map(\.utf8),
            then: failure,
            silent: isSilent,
            taken: { [isTaken] _ in isTaken.open() }
        )
        kept?.append(output)
        return output.onEnd { [ends, ended] end in
            ends.append(end)
            ended.open()
        }
    }

    var connector: Connector { .stub(recording: sent) { _ in output } }

    /// Calls the server for a stream.
    func open(via wrappers: Wrapper...) async -> Output { await open(via: wrappers) }

    /// Calls the server for a stream.
    func open(via wrappers: [Wrapper]) async -> Output {
        await WebAPI.call(with: Self.input, via: connector.wrapped(by: wrappers))
    }
}

/// A way in which a body ends from outside.
enum BodyEnding: CaseIterable, Sendable {
    case readToEnd, finish, discard, drop, interrupt, cancelReader

    /// Opens a body and ends it; its last reference is gone when this returns.
    ///
    /// - Parameters:
    ///   - count: the number of reads before.
    ///   - open: makes the call.
    ///   - check: called between its head and its end.
    /// - Returns: the end that the transfer learns of.
    func end(
        after count: Int = 0,
        _ open: () async -> Output,
        while check: () async -> Void = {}
    ) async -> ResponseBody.End? {
        guard let body = await open().response?.body else { return nil }
        await check()
        for _ in 0..<count { _ = await body.read() }
        switch self {
        case .readToEnd:
            while case .success(_?) = await body.read() {}
            return .complete
        case .finish:
            body.finish()
            return .complete
        case .discard:
            body.discard()
            return .discarded
        case .drop: return .discarded
        case .interrupt:
            body.interrupt(with: Fixture.lost)
            return .failed(Fixture.lost)
        case .cancelReader:
            let reader = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await body.read()
            }
            _ = await reader.value
            return .failed(.cancelled)
        }
    }
}
