import StartSmallCore
import StartSmallFoundation

/// The elements of one call: a loop that opens the call, pulls its chunks, and parses them.
///
/// The call is opened for the first element. Opening, reading and parsing leave the caller's actor, once for the
/// elements of a chunk; taking an element that was read does not. The call ends when the last copy of the reader is
/// released.
struct StreamReader<Failure: Error, Value: Sendable>: Sendable {
    typealias Element = Fetched<Failure, Value>

    private enum Phase: Sendable {
        case unopened(StreamEndpoint<Failure, Value>, Connector)
        case open(StreamPayload<Failure, Value>)
        case over
    }

    private var phase: Phase

    /// The elements that were read and not yet taken, the last one first.
    private var elements: [Element] = []

    init(_ endpoint: StreamEndpoint<Failure, Value>, via connector: Connector) {
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
                switch await WebAPI.open(endpoint.input, via: connector, refusing: endpoint.refuse) {
                case .left(let failure): elements = [.left(failure)]
                case .right(let call): phase = .open(StreamPayload(call, of: endpoint))
                }
            case .open(var payload):
                let (read, isLast) = await payload.read()
                (elements, phase) = (read.reversed(), isLast ? .over : .open(payload))
            }
        }
    }
}

/// The payload of one call, as it is read.
private struct StreamPayload<Failure: Error, Value: Sendable>: Sendable {
    typealias Element = Fetched<Failure, Value>

    let call: OpenCall
    private let parse: StreamEndpoint<Failure, Value>.ChunkParser
    private let unreadable: @Sendable (Response, String) -> Failure

    /// Whether all parts were read: the response has ended, or its rest is not wanted.
    private var isComplete = false

    /// The creation of the failure that has ended the stream; nil if none has.
    private var ending: StreamPart<Failure, Value>.Ending?

    init(_ call: OpenCall, of endpoint: StreamEndpoint<Failure, Value>) {
        (self.call, parse, unreadable) = (call, endpoint.makeParser(nil), endpoint.unreadable)
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
        if case .end(let ending)? = parts.last { (isComplete, self.ending) = (true, ending) }
        return (parts.compactMap(element), false)
    }

    /// Ends the call, and returns the failure of the stream.
    private func end() -> Failure? {
        let response = call.ending.output?.response ?? call.head
        let end = ending?(response)
        call.ending.end(with: .hasResponse(response), end?.event ?? .transformed)
        return end?.failure
    }

    /// Returns the element of a part; nil for the end.
    private func element(of part: StreamPart<Failure, Value>) -> Element? {
        switch part {
        case .value(let value): .right(value)
        case .unreadable(let reason): .left(.right(unreadable(call.head, reason)))
        case .end: nil
        }
    }
}
