public import StartSmallCore
public import StartSmall
import StartSmallSupport
import StartSmallFoundation

/// An API call whose response is read as it arrives, as a value: the request, and the reading of its parts.
///
/// ```swift
/// let answer = Endpoint.events(.post("https://api.example.com/chat"), until: { $0.data == "[DONE]" })
/// for try await event in answer.values(via: .app) { print(event.data) }
/// ```
///
/// No request is sent until the first element of one of its sequences is requested. Each iteration makes its own call.
public struct StreamEndpoint<Failure: Error, Value: Sendable>: Sendable {
    /// The request, or the error for which it could not be built.
    public var input: Either<ConnectionError, Input>

    /// A function that parses a chunk of a payload into its parts, of which an end is the last.
    ///
    /// Nil instead of a chunk means that no more chunks come.
    typealias ChunkParser = @Sendable (Data?) -> [StreamPart<Failure, Value>]

    /// The failure of a response whose payload is not read, that response, and the event of the failure.
    typealias Refusal = (failure: Failure, response: Response, event: Event)

    /// The function that returns the refusal of the payload after a response head; nil to read the payload.
    let refuse: @Sendable (Response) async -> Refusal?

    /// The function that returns the failure of a part that can't be read, from the head and the reason.
    let unreadable: @Sendable (Response, String) -> Failure

    /// Whether another call can continue after the last value, as a call of events can.
    let hasPositions: Bool

    /// The function that creates the parser for the payload of one call.
    ///
    /// A parser of events begins at the position, if there is one, and moves it.
    let makeParser: @Sendable (Locked<EventPosition>?) -> ChunkParser

    /// Returns a copy with another input: `answer.with { $0.headers["Prefer"] = "wait=1" }`.
    public func with(_ change: (inout Input) -> Void) -> StreamEndpoint {
        var changed = self
        changed.input = input.map { $0.with(change) }
        return changed
    }

    /// Returns a copy with options for each of its calls, whose time limits count until the end of the stream.
    public func with(_ options: CallOption...) -> StreamEndpoint {
        var changed = self
        changed.input = input.with(options)
        return changed
    }

    /// Returns a copy with converted values; the condition that ends the stream sees the original values.
    ///
    /// ```swift
    /// let answer = Endpoint.events(.post("https://api.example.com/chat")).map { try $0.json(Delta.self).get() }
    /// ```
    ///
    /// - Parameter change: converts a value. A value for which it throws is a single failed element, as a value that
    ///   can't be decoded; the next values are delivered.
    public func map<NewValue: Sendable>(
        _ change: @escaping @Sendable (Value) throws -> NewValue
    ) -> StreamEndpoint<Failure, NewValue> {
        changingParser { parse, data in parse(data).map { $0.map(change) } }
    }

    /// Returns a copy with its failure mapped by a function; listeners receive the same events as before.
    ///
    /// ```swift
    /// let answer = Endpoint.events(.post("https://api.example.com/chat"), problem: ChatProblem.self)
    ///     .mapFailure(ChatError.init)
    /// ```
    ///
    /// - Parameter change: converts the failure of the call, and that of a part that can't be read.
    public func mapFailure<NewFailure: Error>(
        _ change: @escaping @Sendable (Failure) -> NewFailure
    ) -> StreamEndpoint<NewFailure, Value> {
        StreamEndpoint<NewFailure, Value>(
            input: input,
            refuse: { [refuse] head in
                guard let refusal = await refuse(head) else { return nil }
                return (change(refusal.failure), refusal.response, refusal.event)
            },
            unreadable: { [unreadable] head, reason in change(unreadable(head, reason)) },
            hasPositions: hasPositions,
            makeParser: { [makeParser] position in
                let parse = makeParser(position)
                return { data in parse(data).map { $0.mapFailure(change) } }
            }
        )
    }

    /// Returns the values as they arrive, and the failures among them, as elements.
    public func stream(via connector: Connector = .standard) -> ResponseStream<Failure, Value> {
        ResponseStream(self, via: connector)
    }

    /// Returns the values as they arrive, for `for try await`; the first failure is thrown, and ends the call.
    public func values(via connector: Connector = .standard) -> ThrowingResponseStream<Failure, Value> {
        ThrowingResponseStream(stream(via: connector))
    }
}

extension StreamEndpoint {
    /// Creates an endpoint from a function that reads the parts of a payload.
    ///
    /// - Parameters:
    ///   - hasPositions: whether another call can continue after the last value.
    ///   - rejectionReason: returns the reason to refuse the payload after a head, before any of it is read; nil to
    ///     read it.
    ///   - ends: returns whether a value ends the stream; the value itself is not delivered.
    init<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        hasPositions: Bool = false,
        refusing rejectionReason: @escaping @Sendable (Response) -> String? = { _ in nil },
        until ends: @escaping @Sendable (Value) -> Bool = { _ in false },
        parser makeParser: @escaping @Sendable (Locked<EventPosition>?) -> @Sendable (Data?) -> [Either<String, Value>]
    ) where Failure == TransformError<Problem> {
        self.init(
            input: input,
            refuse: { await $0.refusal(rejectionReason) },
            unreadable: { head, reason in .malformedData(head, debugInfo: reason) },
            hasPositions: hasPositions,
            makeParser: { position in
                let parse = makeParser(position)
                return { data in
                    let parts = parse(data).lazy.map { value -> StreamPart<Failure, Value> in
                        value.fold({ .unreadable($0) }, { ends($0) ? .end(nil) : .value($0) })
                    }
                    return StreamPart.upToEnd(parts)
                }
            }
        )
    }
}

extension Response {
    /// Returns the failure of a response whose payload is not read, the response with what is kept of it, and the event.
    fileprivate func refusal<Problem: Decodable & Sendable>(
        _ rejectionReason: (Response) -> String?
    ) async -> StreamEndpoint<TransformError<Problem>, Never>.Refusal? {
        if case .left(let failure) = empty(problem: Problem.self) { return (failure, failure.response, failure.event) }
        guard let reason = rejectionReason(self) else { return nil }
        let kept = await keepingPayload()
        let problem = kept.reportedProblem(Problem.self)
        let failure = problem.map { TransformError.problem($0, kept) } ?? .malformedData(kept, debugInfo: reason)
        return (failure, kept, .invalid(kept, reason: reason))
    }
}

/// A part of a payload that is read as it arrives.
enum StreamPart<Failure: Error, Value: Sendable>: Sendable {
    /// A function that creates the failure of the call, and its event, from the response.
    typealias Ending = @Sendable (Response) -> (failure: Failure, event: Event)

    case value(Value)

    /// A part that could not be read, for this reason; the next part may be readable.
    case unreadable(String)

    /// The end of the stream before the response ends.
    ///
    /// The rest of the response is not read. With an ending, the call fails.
    case end(Ending?)

    /// Returns the part with a converted value, if it has one; a value that can't be converted is unreadable.
    func map<NewValue>(_ change: (Value) throws -> NewValue) -> StreamPart<Failure, NewValue> {
        switch self {
        case .value(let value):
            do {
                return .value(try change(value))
            } catch {
                return .unreadable(DecodingError.text(of: error))
            }
        case .unreadable(let reason): return .unreadable(reason)
        case .end(let ending): return .end(ending)
        }
    }

    /// Returns the part with a converted failure, if it has one.
    func mapFailure<NewFailure>(
        _ change: @escaping @Sendable (Failure) -> NewFailure
    ) -> StreamPart<NewFailure, Value> {
        switch self {
        case .value(let value): return .value(value)
        case .unreadable(let reason): return .unreadable(reason)
        case .end(nil): return .end(nil)
        case .end(let ending?):
            return .end { response in
                let (failure, event) = ending(response)
                return (change(failure), event)
            }
        }
    }

    /// Returns the parts up to the first end; no part after the end is computed.
    static func upToEnd(_ parts: some Sequence<Self>) -> [Self] {
        var found: [Self] = []
        for part in parts {
            found.append(part)
            if case .end = part { break }
        }
        return found
    }
}

extension StreamEndpoint {
    /// Returns a copy that fails at the first value that is a problem.
    ///
    /// An example is an error event in a stream that began normally:
    ///
    /// ```swift
    /// let answer = Endpoint.events(.post("https://api.example.com/chat"), problem: ChatProblem.self)
    ///     .failing { event in event.type == "error" ? try event.json(ChatProblem.self).get() : nil }
    /// ```
    ///
    /// The call ends there with ``TransformError/problem(_:_:)`` and the head of the response. Listeners receive
    /// ``Event/invalid(_:reason:)`` and ``Event/failed``. Neither the value nor the rest is delivered. Wrappers see the
    /// response as it arrived, so no request is retried.
    ///
    /// The condition of `until:` is evaluated first: a value that ends the stream is no problem.
    ///
    /// - Parameter problem: returns the problem that a value is, or nil if the value is no problem. An error that it
    ///   throws also ends the call, with ``TransformError/malformedData(_:debugInfo:)``.
    public func failing<Problem>(
        with problem: @escaping @Sendable (Value) throws -> Problem?
    ) -> StreamEndpoint where Failure == TransformError<Problem> {
        changingParser { parse, data in
            StreamPart.upToEnd(
                parse(data).lazy.map { part in
                    guard case .value(let value) = part else { return part }
                    do {
                        guard let problem = try problem(value) else { return part }
                        return .end { TransformError.problem(problem, $0).inStream }
                    } catch {
                        let reason = DecodingError.text(of: error)
                        return .end { TransformError<Problem>.malformedData($0, debugInfo: reason).inStream }
                    }
                }
            )
        }
    }

    /// Returns a copy that reads events from a position on, which also knows whether the stream has ended itself.
    func reading(at position: Locked<EventPosition>) -> StreamEndpoint {
        changingParser(at: position) { parse, data in
            let parts = parse(data)
            if case .end? = parts.last { position.withLock { $0.isCompleted = true } }
            return parts
        }
    }

    private func changingParser<NewValue>(
        at position: Locked<EventPosition>? = nil,
        _ change: @escaping @Sendable (ChunkParser, Data?) -> [StreamPart<Failure, NewValue>]
    ) -> StreamEndpoint<Failure, NewValue> {
        StreamEndpoint<Failure, NewValue>(
            input: input,
            refuse: refuse,
            unreadable: unreadable,
            hasPositions: hasPositions,
            makeParser: { [makeParser] outer in
                let parse = makeParser(position ?? outer)
                return { data in change(parse, data) }
            }
        )
    }
}

extension TransformError {
    /// The failure that ends a stream of values, and its event.
    ///
    /// The event of a problem describes the problem, because the payload does not.
    fileprivate var inStream: (failure: TransformError, event: Event) {
        guard case .problem(let problem, let response) = self else { return (self, event) }
        return (self, .invalid(response, reason: Redaction.standard.shown(text: "problem: \(problem)")))
    }
}
