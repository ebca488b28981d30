import StartSmallCore
import StartSmallSupport
import Foundation

extension WrapperLaws {
    private enum Ending: String, CaseIterable {
        case read, broken, discarded, released, interrupted, cancelled
        case brokenWhileNobodyReads = "broken while nobody reads"

        var expected: ResponseBody.End {
            switch self {
            case .read: .complete
            case .broken, .interrupted, .brokenWhileNobodyReads: .failed(WrapperLaws.error)
            case .discarded, .released: .discarded
            case .cancelled: .failed(.cancelled)
            }
        }
    }

    private struct InnerBody: Sendable {
        let body: ResponseBody.Weak
        let ends = Recorder<ResponseBody.End>()
        let ended = Latch()
    }

    /// The facts about the output of a stream; without the output, which would keep the body.
    private struct Observation: Sendable {
        /// Whether the output has a body, and the inner one is still open.
        var isOpen = false
        var bytes = Data()
        var end: ResponseBody.End?
    }

    /// Returns the violations by the bodies of streams, for each way in which they can end.
    package func endsOfBodies() async -> [String] {
        var details: [String] = []
        for ending in Ending.allCases {
            let (inside, isObserved) = (Recorder<InnerBody>(), Locked(false))
            let connector = Self.connector(ending, inside, isObserved).wrapped(by: make())
            let observed = await Timeout(timeout).result { await observation(of: ending, connector, inside) }
            var found = await self.details(of: ending, inside.elements, observed)
            isObserved.withLock { $0 = true }
            let next = await call(connector)
            if next?.response?.statusCode.isSuccess != true { found.append("the next call got \(shown(next))") }
            details += found.map { "\(ending.rawValue): \($0)" }
        }
        return details
    }

    /// Returns a connector that opens a body for each stream, until such a body was observed.
    private static func connector(
        _ ending: Ending,
        _ inside: Recorder<InnerBody>,
        _ isObserved: Locked<Bool>
    ) -> Connector {
        Connector { input in
            if input.delivery != .stream || isObserved.withLock({ $0 }) { return .data(payload) }
            let (isBroken, isRead) = (ending == .broken, ending == .read)
            let chunks = [payload.prefix(3), payload.dropFirst(3)]
            let response = Response(statusCode: .ok)
            let output = Output.open(response, chunks, then: isBroken ? error : nil, silent: !isBroken && !isRead)
            guard let body = output.response?.body else { return output }
            let inner = InnerBody(body: body.weak)
            body.onEnd { [ends = inner.ends, ended = inner.ended] end in
                ends.append(end)
                ended.open()
            }
            inside.append(inner)
            return output
        }
    }

    private func observation(
        of ending: Ending,
        _ connector: Connector,
        _ inside: Recorder<InnerBody>
    ) async -> Observation {
        let output = await WebAPI.call(with: input.with { $0.delivery = .stream }, via: connector)
        // A wrapper that ended the inner body returned another one in its place.
        guard let body = output.response?.body, inside.elements.last?.ends.elements == [] else { return Observation() }
        var observed = Observation(isOpen: true)
        let ended = Recorder<ResponseBody.End>()
        body.onEnd { ended.append($0) }
        switch ending {
        case .read, .broken: observed.bytes = (try? await body.bytes()) ?? Data()
        case .discarded: body.discard()
        case .released: return observed
        case .interrupted: body.interrupt(with: Self.error)
        case .brokenWhileNobodyReads:
            inside.elements.last?.body.interrupt(with: Self.error)
            await inside.elements.last?.ended.wait()
        case .cancelled:
            await Task {
                _ = try? await body.next()
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try? await body.next()
            }.value
        }
        observed.end = ended.elements.first
        return observed
    }

    private func details(of ending: Ending, _ inside: [InnerBody], _ observed: Observation?) async -> [String] {
        guard let observed else { return ["the call does not end within \(timeout)"] }
        var details: [String] = []
        for inner in inside where await Timeout(timeout).result(of: { await inner.ended.wait() }) == nil {
            details.append("a body of the inner connector is still open after \(timeout)")
        }
        guard details.isEmpty, observed.isOpen, let last = inside.last else { return details }
        let expected = ending.expected
        if last.ends.elements != [expected] { details.append("the inner body: \(last.ends.elements), not \(expected)") }
        if ending != .released, observed.end != expected {
            details.append("the outer body: \(observed.end.map { "\($0)" } ?? "open"), not \(expected)")
        }
        if ending == .read, isOfUnchangedPayloads, observed.bytes != Self.payload {
            details.append("other bytes: \(observed.bytes.count), not \(Self.payload.count)")
        }
        return details
    }

    /// Whether the wrapper must not change the payload of a success.
    private var isOfUnchangedPayloads: Bool {
        outputs.contains { output in
            output.response.map { $0.statusCode.isSuccess && !$0.payload.isEmpty } ?? false
        }
    }

    private static let error = ConnectionError.timedOut(.init(domain: "WrapperLaws", code: 3, text: "ended"))
}
