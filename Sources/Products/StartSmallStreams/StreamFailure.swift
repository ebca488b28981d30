import StartSmallCore
import StartSmallFoundation

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
    public func failing(with problem: @escaping @Sendable (Value) throws -> Problem?) -> StreamEndpoint {
        changingParser { parse, data in
            StreamPart.upToEnd(
                parse(data).lazy.map { part in
                    guard case .value(let value) = part else { return part }
                    do {
                        guard let problem = try problem(value) else { return part }
                        return .end { .problem(problem, $0) }
                    } catch {
                        let reason = DecodingError.text(of: error)
                        return .end { .malformedData($0, debugInfo: reason) }
                    }
                }
            )
        }
    }

    /// Returns a copy that calls `observe` when its condition or a problem ends the stream.
    func onEnd(_ observe: @escaping @Sendable () -> Void) -> StreamEndpoint {
        changingParser { parse, data in
            let parts = parse(data)
            if case .end? = parts.last { observe() }
            return parts
        }
    }

    private func changingParser(
        _ change: @escaping @Sendable (ChunkParser, Data?) -> [StreamPart<Problem, Value>]
    ) -> StreamEndpoint {
        StreamEndpoint(self) { [makeParser] in
            let parse = makeParser()
            return { data in change(parse, data) }
        }
    }
}

extension TransformError {
    /// The event of a failure that ends a stream of values.
    ///
    /// The event of a problem describes the problem, because the payload does not.
    var eventInStream: Event {
        guard case .problem(let problem, let response) = self else { return event }
        return .invalid(response, reason: Redaction.standard.shown(text: "problem: \(problem)"))
    }
}
