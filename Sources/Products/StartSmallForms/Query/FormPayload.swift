public import StartSmallCore

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
