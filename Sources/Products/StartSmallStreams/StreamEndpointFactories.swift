public import StartSmallCore
public import StartSmallFoundation

/// Endpoints whose responses are read as they arrive: `Endpoint.lines(.get("https://…")).values(via: .app)`.
///
/// If `until` returns true for a value, the stream ends before that value, and the call succeeds: the value is not
/// delivered, and the rest is not read. The connection is not reused, unless other calls share it.
///
/// `problem` is the type of the API's error payload, and `Never` if it is omitted. These functions return a
/// ``StreamEndpoint``, which has the errors of the stream; `Endpoint` is only their namespace.
extension Endpoint where Failure == Never, Value == Data {
    /// Returns a stream of the payload in chunks as they arrive, never empty, or the problem that the API reports.
    ///
    /// - Parameters:
    ///   - input: the request, or the error for which it could not be built.
    ///   - problem: the type of the API's error payload.
    public static func chunks<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type = Never.self
    ) -> StreamEndpoint<TransformError<Problem>, Data> {
        StreamEndpoint(input) { _ in { data in data.map { [.right($0)] } ?? [] } }
    }
}

extension Endpoint where Failure == Never, Value == String {
    /// Returns a stream of the lines of a UTF-8 text, without their line ends (LF or CRLF), or the problem of the API.
    ///
    /// A line that is longer than `limit` bytes, or not UTF-8, is a single failed element.
    ///
    /// - Parameters:
    ///   - input: the request, or the error for which it could not be built.
    ///   - problem: the type of the API's error payload.
    ///   - limit: the maximum length of a line in bytes; 1 MiB by default.
    ///   - ends: returns whether a line ends the stream; that line is not delivered.
    public static func lines<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type = Never.self,
        limit: Int = DefaultLimits.lineBytes,
        until ends: @escaping @Sendable (String) -> Bool = { _ in false }
    ) -> StreamEndpoint<TransformError<Problem>, String> {
        StreamEndpoint(input, until: ends) { _ in
            LineSplitter.reading(limit: limit) { line in
                String(bytes: line, encoding: .utf8).map(Either.right) ?? .left("not UTF-8: \(line.count) bytes")
            }
        }
    }
}

extension Endpoint where Failure == Never, Value: Decodable {
    /// Returns a stream of values decoded from one line of JSON each, or the problem that the API reports.
    ///
    /// The format is JSON Lines (<https://jsonlines.org>). Lines of white space only are skipped. A line that is longer
    /// than `limit` bytes, or can't be decoded, is a single failed element.
    ///
    /// - Parameters:
    ///   - type: the type of the values.
    ///   - input: the request, or the error for which it could not be built.
    ///   - decoder: the JSON decoder.
    ///   - problem: the type of the API's error payload.
    ///   - limit: the maximum length of a line in bytes; 1 MiB by default.
    ///   - ends: returns whether a value ends the stream; that value is not delivered.
    public static func jsonLines<Problem: Decodable & Sendable>(
        _ type: Value.Type,
        _ input: Either<ConnectionError, Input>,
        decoder: JSONDecoder = JSONDecoder(),
        problem: Problem.Type = Never.self,
        limit: Int = DefaultLimits.lineBytes,
        until ends: @escaping @Sendable (Value) -> Bool = { _ in false }
    ) -> StreamEndpoint<TransformError<Problem>, Value> {
        StreamEndpoint(input, until: ends) { _ in
            LineSplitter.reading(limit: limit, skippingBlank: true) { line in
                do {
                    return .right(try decoder.value(type, from: line))
                } catch {
                    return .left(DecodingError.text(of: error))
                }
            }
        }
    }
}
