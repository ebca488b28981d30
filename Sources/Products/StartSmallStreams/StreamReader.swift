import StartSmallCore
import StartSmallFoundation

/// The elements of one call: a loop that opens the call, pulls its chunks, and parses them.
///
/// The call is opened for the first element. Opening, reading and parsing leave the caller's actor, once for the
/// elements of a chunk; taking an element that was read does not. The call ends when the last copy of the reader is
/// released.
struct StreamReader<Problem: Decodable & Sendable, Value: Sendable>: Sendable {
    typealias Element = Fetched<TransformError<Problem>, Value>

    private enum Phase: Sendable {
        case unopened(StreamEndpoint<Problem, Value>, Connector)
        case open(StreamPayload<Problem, Value>)
        case over
    }

    private var phase: Phase

    /// The elements that were read and not yet taken, the last one first.
    private var elements: [Element] = []

    init(_ endpoint: StreamEndpoint<Problem, Value>, via connector: Connector) {
        phase = .unopened(endpoint, connector)
    }

    /// Returns the next element; nil after the last one.
    mutating func next() async -> Element? {
        if Task.isCancelled { return cancelled() }
        if elements.isEmpty { await read() }
        return elements.popLast()
    }

    /// Ends the call of a cancelled task; nil if it had ended.
    private mutating func cancelled() -> Element? {
        if case .over = phase { return nil }
        if case .open(let payload) = phase { payload.call.body.discard() }
        (phase, elements) = (.over, [])
        return .left(.left(.cancelled))
    }

    /// Reads until there are elements, or the end.
    @concurrent private mutating func read() async {
        while elements.isEmpty {
            switch phase {
            case .over: return
            case .unopened(let endpoint, let connector):
                phase = .over
                switch await endpoint.open(via: connector) {
                case .left(let failure): elements = [.left(failure)]
                case .right(let call): phase = .open(StreamPayload(call, parse: endpoint.makeParser()))
                }
            case .open(var payload):
                let (read, isLast) = await payload.read()
                (elements, phase) = (read.reversed(), isLast ? .over : .open(payload))
            }
        }
    }
}

/// The payload of one call, as it is read.
private struct StreamPayload<Problem: Decodable & Sendable, Value: Sendable>: Sendable {
    typealias Element = Fetched<TransformError<Problem>, Value>

    let call: OpenCall
    private let parse: StreamEndpoint<Problem, Value>.ChunkParser

    /// Whether all parts were read: the response has ended, or its rest is not wanted.
    private var isComplete = false

    /// The failure that has ended the stream; nil if none has.
    private var failure: StreamPart<Problem, Value>.Failure?

    init(_ call: OpenCall, parse: @escaping StreamEndpoint<Problem, Value>.ChunkParser) {
        (self.call, self.parse) = (call, parse)
    }

    /// Returns the elements of the next chunk; after the elements of the last one, ends the call.
    ///
    /// The end is reported when the elements before it are taken.
    mutating func read() async -> (elements: [Element], isLast: Bool) {
        if isComplete { call.body.finish() }
        let chunk: Data?
        do throws(ConnectionError) { chunk = try await call.body.next() } catch {
            return ([.left(.left(call.ending.output?.connectionError ?? error))], true)
        }
        if chunk == nil, isComplete { return (end().map { [.left(.right($0))] } ?? [], true) }
        let parts = parse(chunk)
        isComplete = chunk == nil
        if case .end(let failure)? = parts.last { (isComplete, self.failure) = (true, failure) }
        return (parts.compactMap(element), false)
    }

    /// Ends the call, and returns the failure of the stream.
    private func end() -> TransformError<Problem>? {
        let response = call.ending.output?.response ?? call.head
        let failure = failure?(response)
        call.ending.end(with: .hasResponse(response), failure?.eventInStream ?? .transformed)
        return failure
    }

    /// Returns the element of a part; nil for the end.
    private func element(of part: StreamPart<Problem, Value>) -> Element? {
        switch part {
        case .value(let value): .right(value)
        case .unreadable(let reason): .left(.right(.malformedData(call.head, debugInfo: reason)))
        case .end: nil
        }
    }
}

extension StreamEndpoint {
    /// Opens the response of one call, unless it is refused.
    fileprivate func open(via connector: Connector) async -> Fetched<TransformError<Problem>, OpenCall> {
        await WebAPI.open(input, via: connector) { response in
            if case .left(let refusal) = response.empty(problem: Problem.self) { return (refusal, refusal.event) }
            guard let reason = rejectionReason(response) else { return nil }
            let kept = await response.keepingPayload()
            let problem = kept.reportedProblem(Problem.self)
            let failure = problem.map { TransformError.problem($0, kept) } ?? .malformedData(kept, debugInfo: reason)
            return (failure, .invalid(kept, reason: reason))
        }
    }
}
