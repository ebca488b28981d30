public import StartSmallCore
public import StartSmallFoundation

/// Requests with parameters from a value: `.get("https://api.example.com/items").queries(Filter(page: 2))`.
extension Either where Left == ConnectionError, Right == Input {
    /// Adds the query items of a value after the existing ones.
    ///
    /// - Parameters:
    ///   - value: the value, whose members become query items.
    ///   - encoder: the encoder of the value.
    /// - Returns: The input, or ``ConnectionError/malformedURL(debugInfo:)`` if the encoder can't write the value.
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

    /// Adds a value to the query if the method can't carry a payload, as GET and HEAD, and as JSON payload otherwise.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - queryEncoder: the encoder of the query.
    ///   - jsonEncoder: the encoder of the payload.
    /// - Returns: The input; or an error as from ``queries(_:encoder:)``; or
    ///   ``ConnectionError/malformedPayload(debugInfo:)`` if the value can't be encoded as JSON, or if there is a
    ///   payload already.
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
                return .left(.malformedPayload(debugInfo: "parameters for a request that already has a payload"))
            }
        }
    }
}

extension Either where Left == ConnectionError, Right == Payload {
    /// Creates a payload of a value as `application/x-www-form-urlencoded`: its query items, with a space as `+`.
    ///
    /// - Parameters:
    ///   - value: the value to encode.
    ///   - encoder: the encoder of the query items.
    /// - Returns: the payload; ``ConnectionError/malformedPayload(debugInfo:)``, with the coding path, on the left if
    ///   the value can't be encoded.
    public static func form(_ value: some Encodable, encoder: QueryEncoder = QueryEncoder()) -> Self {
        do throws(QueryEncoder.Failure) {
            return .form(Queries(try encoder.items(of: value)))
        } catch {
            return .left(.malformedPayload(debugInfo: "\(error)"))
        }
    }
}
