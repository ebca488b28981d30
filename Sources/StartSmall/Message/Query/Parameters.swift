public import Foundation

/// Parameters from a value: `.get("https://api.example.com/items").queries(Filter(page: 2))`.
extension Either where Left == ConnectionError, Right == Input {
    /// The same with the query items of a value after those that are there.
    ///
    /// Left with ``ConnectionError/malformedURL(debugInfo:)`` if ``QueryEncoder`` can't write the value.
    public func queries(_ value: some Encodable, encoder: QueryEncoder = QueryEncoder()) -> Self {
        flatMap { input in
            do throws(QueryEncoder.Failure) {
                var input = input
                input.queries += try encoder.items(of: value)
                return .right(input)
            } catch {
                return .left(.malformedURL(debugInfo: "\(error)"))
            }
        }
    }

    /// The same with a value in the query if the method can't carry a payload, as GET and HEAD, and as JSON otherwise.
    ///
    /// Left as ``queries(_:encoder:)`` is, or with ``ConnectionError/malformedPayload(debugInfo:)`` if the value can't be
    /// encoded as JSON, or if there is a payload already.
    public func parameters(
        _ value: some Encodable,
        queryEncoder: QueryEncoder = QueryEncoder(),
        jsonEncoder: JSONEncoder = JSONEncoder()
    ) -> Self {
        flatMap { input in
            switch input.methodAndPayload {
            case .get, .head, .connect, .trace:
                return self.queries(value, encoder: queryEncoder)
            case .post(nil), .put(nil), .patch(nil), .delete(nil), .options(nil), .custom(_, nil):
                return Either<ConnectionError, Payload>.json(value, encoder: jsonEncoder).map { payload in
                    var input = input
                    input.methodAndPayload = HTTPMethodAndPayload(
                        method: input.methodAndPayload.method,
                        payload: payload
                    )
                    return input
                }
            case .post, .put, .patch, .delete, .options, .custom:
                return .left(.malformedPayload(debugInfo: "parameters for a request that has a payload"))
            }
        }
    }
}
