public import Foundation

/// Responses as they arrive: `for await chunk in Endpoint.chunks(.get("https://…"))`.
extension Endpoint where Value == Data, Failure == TransformError<Never> {
    /// The payload in pieces of whatever size they come, never empty.
    public static func chunks(
        _ input: Either<ConnectionError, Input>,
        via connector: Connector = .standard
    ) -> Streamed<Never, Data> {
        Streamed(input, via: connector) { { data in data.map { [.right($0)] } ?? [] } }
    }

    /// The payload as a file, which appears only when it is whole; until then whatever was there stays.
    ///
    /// The value is the file. A compressed payload is not asked for, so that a download can be gone on with
    /// (``Wrapper/resumeDownloads()``) and its progress says how much is left.
    public static func download(
        _ input: Either<ConnectionError, Input>,
        to file: URL
    ) -> Endpoint<TransformError<Never>, URL> {
        let input = input.map { input in
            var input = input
            input.destination = .file(file)
            input.headers.setIfAbsent("Accept-Encoding", to: "identity")
            return input
        }
        return Endpoint<TransformError<Never>, URL>(input) { $0.empty().map { file } }
    }
}

extension Endpoint where Value == String, Failure == TransformError<Never> {
    /// The lines of a text in UTF-8, without their ends (LF or CRLF).
    ///
    /// A line that is longer than `limit` bytes, or not UTF-8, is a failure alone.
    public static func lines(
        _ input: Either<ConnectionError, Input>,
        limit: Int = LineSplitter.standardLimit,
        via connector: Connector = .standard
    ) -> Streamed<Never, String> {
        Streamed(input, via: connector) {
            LineSplitter.reading(limit: limit) { line in
                String(bytes: line, encoding: .utf8).map(Either.right) ?? .left("not UTF-8: \(line.count) bytes")
            }
        }
    }
}

extension Endpoint where Value: Decodable, Failure == TransformError<Never> {
    /// A value of each line's JSON (JSON Lines, <https://jsonlines.org>); empty lines are passed over.
    ///
    /// A line that is longer than `limit` bytes, or can't be read, is a failure alone.
    public static func jsonLines(
        _ type: Value.Type,
        _ input: Either<ConnectionError, Input>,
        decoder: JSONDecoder = JSONDecoder(),
        limit: Int = LineSplitter.standardLimit,
        via connector: Connector = .standard
    ) -> Streamed<Never, Value> {
        Streamed(input, via: connector) {
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
