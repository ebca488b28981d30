package import Foundation
package import StartSmall
package import StartSmallTesting

/// A server whose responses have an open body, and which records how the bodies end.
package struct OpenServer: Sendable {
    package static let head = Response(statusCode: .ok, headers: ["A": "b"])
    package static let input = Fixture.input.with { $0.delivery = .stream }

    /// The chunks of each body.
    package var chunks: [String]

    /// The error after the chunks; nil for a complete payload.
    package var failure: ConnectionError?

    /// Whether nothing follows the chunks.
    package var isSilent: Bool

    /// The outputs, which keep their bodies: whatever ends them is not a release.
    package var kept: Recorder<Output>?

    package let sent = Recorder<Input>()

    /// The ends of the bodies, and the first of them.
    package let ends = Recorder<ResponseBody.End>()
    package let ended = Latch()

    /// Opens when a reader waits for bytes after the first chunk.
    package let isTaken = Latch()

    package init(
        chunks: [String] = ["ab", "c"],
        failure: ConnectionError? = nil,
        isSilent: Bool = false,
        kept: Recorder<Output>? = nil
    ) {
        (self.chunks, self.failure, self.isSilent, self.kept) = (chunks, failure, isSilent, kept)
    }

    package var output: Output {
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

    package var connector: Connector { .stub(recording: sent) { _ in output } }

    /// Calls the server for a stream.
    package func open(via wrappers: Wrapper...) async -> Output { await open(via: wrappers) }

    /// Calls the server for a stream.
    package func open(via wrappers: [Wrapper]) async -> Output {
        await WebAPI.call(with: Self.input, via: connector.wrapped(by: .all(wrappers)))
    }
}

/// A way in which a body ends from outside.
package enum BodyEnding: CaseIterable, Sendable {
    case readToEnd, finish, discard, drop, interrupt, cancelReader

    /// Opens a body and ends it; its last reference is gone when this returns.
    ///
    /// - Parameters:
    ///   - count: the number of reads before.
    ///   - open: makes the call.
    ///   - check: called between its head and its end.
    /// - Returns: the end that the transfer learns of.
    package func end(
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

/// A way in which a body is ended from outside.
package enum EndFromOutside: CaseIterable, Sendable {
    case finish, interrupt, discard, interruptWeakly

    package func end(_ body: ResponseBody) {
        switch self {
        case .finish: body.finish()
        case .interrupt: body.interrupt(with: Fixture.lost)
        case .discard: body.discard()
        case .interruptWeakly: body.weak.interrupt(with: Fixture.lost)
        }
    }

    package var end: ResponseBody.End {
        switch self {
        case .finish: .complete
        case .interrupt, .interruptWeakly: .failed(Fixture.lost)
        case .discard: .discarded
        }
    }

    /// What a read returns after this end.
    package var result: Result<Data?, ConnectionError> {
        switch self {
        case .finish: .success(nil)
        case .interrupt, .interruptWeakly: .failure(Fixture.lost)
        case .discard: .failure(.cancelled)
        }
    }
}

extension ResponseBody {
    /// The result of one read.
    package func read() async -> Result<Data?, ConnectionError> {
        do throws(ConnectionError) { return .success(try await next()) } catch { return .failure(error) }
    }
}
