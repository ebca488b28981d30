public import Foundation

/// What a response means: pure functions from a response to a value.
///
/// Each accepts 2xx unless told otherwise, and each is left with
/// - ``TransformError/problem(_:_:)`` if the status is not accepted and the payload can be read as a `Problem`,
/// - ``TransformError/unexpectedStatusCode(_:)`` if the status is not accepted,
/// - ``TransformError/malformedData(_:debugInfo:)`` if the payload is not what it should be.
///
/// A `Problem` is read by a plain `JSONDecoder` everywhere, so that it is read alike whatever the value is.
extension Response {
    /// The payload read as JSON.
    public func json<Value: Decodable, Problem: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder(),
        problem: Problem.Type = Problem.self,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Problem>, Value> {
        accepted(accepting, problem: problem).flatMap { payload in
            do {
                return .right(try decoder.decode(type, from: payload))
            } catch {
                return .left(.malformedData(self, debugInfo: "\(error)"))
            }
        }
    }

    /// The payload read as text.
    public func text<Problem: Decodable & Sendable>(
        encoding: String.Encoding = .utf8,
        problem: Problem.Type = Problem.self,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Problem>, String> {
        accepted(accepting, problem: problem).flatMap { payload in
            guard let text = String(data: payload, encoding: encoding) else {
                return .left(.malformedData(self, debugInfo: "not \(encoding): \(payload.count) bytes"))
            }
            return .right(text)
        }
    }

    /// The payload as it is.
    public func data<Problem: Decodable & Sendable>(
        problem: Problem.Type = Problem.self,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Problem>, Data> {
        accepted(accepting, problem: problem)
    }

    /// Nothing but that the status is accepted; a payload is not looked at.
    public func empty<Problem: Decodable & Sendable>(
        problem: Problem.Type = Problem.self,
        accepting: AcceptedStatuses = .success
    ) -> Either<TransformError<Problem>, Void> {
        accepted(accepting, problem: problem).map { _ in }
    }

    /// The payload if the status is accepted.
    private func accepted<Problem: Decodable>(
        _ statuses: AcceptedStatuses,
        problem: Problem.Type
    ) -> Either<TransformError<Problem>, Data> {
        if statuses.contains(statusCode) { return .right(payload) }
        guard problem != Never.self, let said = try? JSONDecoder().decode(problem, from: payload) else {
            return .left(.unexpectedStatusCode(self))
        }
        return .left(.problem(said, self))
    }
}
