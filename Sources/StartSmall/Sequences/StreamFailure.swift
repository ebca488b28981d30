import Foundation

extension StreamEndpoint {
    /// Fails at the first value that is a problem, such as an error event in a stream that began well.
    ///
    /// ```swift
    /// let answer = Endpoint.events(.post("https://api.example.com/chat"), problem: ChatProblem.self)
    ///     .failing { event in event.type == "error" ? try event.json(ChatProblem.self).get() : nil }
    /// ```
    ///
    /// The call ends there with ``TransformError/problem(_:_:)`` and the head of the response. Listeners hear
    /// ``Event/invalid(_:reason:)`` and ``Event/failed``. Neither the value nor what follows is delivered. Wrappers see the
    /// response as it came, so nothing is retried.
    ///
    /// The condition of `until:` is asked first: what it ends is no problem.
    ///
    /// - Parameter problem: the problem that a value is; nil if it is none. What it throws ends the call, too, with
    ///   ``TransformError/malformedData(_:debugInfo:)``.
    public func failing(with problem: @escaping @Sendable (Value) throws -> Problem?) -> StreamEndpoint {
        reading { read, data in
            StreamPart.upToEnd(
                read(data).lazy.map { part in
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

    /// A copy that calls `hear` when its condition or a problem ends the stream.
    func onEnd(_ hear: @escaping @Sendable () -> Void) -> StreamEndpoint {
        reading { read, data in
            let parts = read(data)
            if case .end? = parts.last { hear() }
            return parts
        }
    }

    /// A copy whose parts are read otherwise.
    private func reading(
        _ change: @escaping @Sendable (Reading, Data?) -> [StreamPart<Problem, Value>]
    ) -> StreamEndpoint {
        StreamEndpoint(self) { [startReading] in
            let read = startReading()
            return { data in change(read, data) }
        }
    }
}

extension TransformError {
    /// The event of a failure that a stream of values ends with: that of a problem tells which, as the payload does not.
    var eventInStream: Event {
        guard case .problem(let problem, let response) = self else { return event }
        return .invalid(response, reason: Redaction.standard.shown(text: "problem: \(problem)"))
    }
}
