public import Foundation

/// Endpoints whose responses are read as they arrive: `Endpoint.lines(.get("https://…")).values(via: .app)`.
///
/// Where `until` is true for a value, the stream ends in front of it, and the call succeeds: that value is not delivered,
/// and nothing behind it is read. The connection is not used again, unless other calls share it.
///
/// `problem` is the type of what the API says where it refuses, and `Never` if it is left out.
extension Endpoint where Value == Data {
    /// The payload in pieces of whatever size they come, never empty.
    public static func chunks(
        _ input: Either<ConnectionError, Input>
    ) -> StreamEndpoint<Never, Data> where Failure == TransformError<Never> {
        chunks(input, problem: Never.self)
    }

    /// The payload in pieces of whatever size they come, never empty, or the problem that the API tells of.
    public static func chunks<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type
    ) -> StreamEndpoint<Problem, Data> where Failure == TransformError<Problem> {
        StreamEndpoint(input) { { data in data.map { [.right($0)] } ?? [] } }
    }
}

extension Endpoint where Value == String {
    /// The lines of a text in UTF-8, without their ends (LF or CRLF).
    ///
    /// A line that is longer than `limit` bytes, or not UTF-8, is a failure alone.
    public static func lines(
        _ input: Either<ConnectionError, Input>,
        limit: Int = DefaultLimits.lineBytes,
        until ends: @escaping @Sendable (String) -> Bool = { _ in false }
    ) -> StreamEndpoint<Never, String> where Failure == TransformError<Never> {
        lines(input, problem: Never.self, limit: limit, until: ends)
    }

    /// The lines of a text in UTF-8, without their ends (LF or CRLF), or the problem that the API tells of.
    ///
    /// A line that is longer than `limit` bytes, or not UTF-8, is a failure alone.
    public static func lines<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type,
        limit: Int = DefaultLimits.lineBytes,
        until ends: @escaping @Sendable (String) -> Bool = { _ in false }
    ) -> StreamEndpoint<Problem, String> where Failure == TransformError<Problem> {
        StreamEndpoint(input, until: ends) {
            LineSplitter.reading(limit: limit) { line in
                String(bytes: line, encoding: .utf8).map(Either.right) ?? .left("not UTF-8: \(line.count) bytes")
            }
        }
    }
}

extension Endpoint where Value: Decodable {
    /// A value of each line's JSON (JSON Lines, <https://jsonlines.org>); empty lines are passed over.
    ///
    /// A line that is longer than `limit` bytes, or can't be read, is a failure alone.
    public static func jsonLines(
        _ type: Value.Type,
        _ input: Either<ConnectionError, Input>,
        decoder: JSONDecoder = JSONDecoder(),
        limit: Int = DefaultLimits.lineBytes,
        until ends: @escaping @Sendable (Value) -> Bool = { _ in false }
    ) -> StreamEndpoint<Never, Value> where Failure == TransformError<Never> {
        jsonLines(type, input, decoder: decoder, problem: Never.self, limit: limit, until: ends)
    }

    /// A value of each line's JSON (JSON Lines, <https://jsonlines.org>), or the problem that the API tells of.
    ///
    /// Empty lines are passed over. A line that is longer than `limit` bytes, or can't be read, is a failure alone.
    public static func jsonLines<Problem: Decodable & Sendable>(
        _ type: Value.Type,
        _ input: Either<ConnectionError, Input>,
        decoder: JSONDecoder = JSONDecoder(),
        problem: Problem.Type,
        limit: Int = DefaultLimits.lineBytes,
        until ends: @escaping @Sendable (Value) -> Bool = { _ in false }
    ) -> StreamEndpoint<Problem, Value> where Failure == TransformError<Problem> {
        StreamEndpoint(input, until: ends) {
            LineSplitter.reading(limit: limit, skippingEmpty: true) { line in
                do {
                    return .right(try decoder.decode(type, from: line))
                } catch {
                    return .left(DecodingError.text(of: error))
                }
            }
        }
    }
}
