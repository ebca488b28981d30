public import Foundation

/// Endpoints in one line: `Endpoint.json(User.self, .get("https://api.example.com/user"))`.
///
/// They accept 2xx unless `accepting` says otherwise; `problem` is the type of what the API says of anything else, and
/// `Never` if it is left out.
extension Endpoint {
    /// A value of the payload's JSON; an empty payload is nil where the value may be.
    public static func json(
        _ type: Value.Type,
        _ input: Either<ConnectionError, Input>,
        decoder: JSONDecoder = JSONDecoder(),
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Never>, Value: Decodable {
        Endpoint(input) { $0.json(type, decoder: decoder, accepting: accepting) }
    }

    /// A value of the payload's JSON, or the problem that the API tells of.
    public static func json<Problem: Decodable & Sendable>(
        _ type: Value.Type,
        _ input: Either<ConnectionError, Input>,
        decoder: JSONDecoder = JSONDecoder(),
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Problem>, Value: Decodable {
        Endpoint(input) { $0.json(type, decoder: decoder, problem: problem, accepting: accepting) }
    }

    /// The payload as text, in the charset of `Content-Type` or else in UTF-8, unless an encoding is given.
    public static func text(
        _ input: Either<ConnectionError, Input>,
        encoding: String.Encoding? = nil,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Never>, Value == String {
        Endpoint(input) { $0.text(encoding: encoding, accepting: accepting) }
    }

    /// The payload as text, or the problem that the API tells of.
    public static func text<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        encoding: String.Encoding? = nil,
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Problem>, Value == String {
        Endpoint(input) { $0.text(encoding: encoding, problem: problem, accepting: accepting) }
    }

    /// The payload as it is.
    public static func data(
        _ input: Either<ConnectionError, Input>,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Never>, Value == Data {
        Endpoint(input) { $0.data(accepting: accepting) }
    }

    /// The payload as it is, or the problem that the API tells of.
    public static func data<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Problem>, Value == Data {
        Endpoint(input) { $0.data(problem: problem, accepting: accepting) }
    }

    /// Nothing, for an API that answers with a status alone.
    public static func empty(
        _ input: Either<ConnectionError, Input>,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Never>, Value == Void {
        Endpoint(input) { $0.empty(accepting: accepting) }
    }

    /// Nothing, for an API that answers with a status alone, or the problem that the API tells of.
    public static func empty<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Problem>, Value == Void {
        Endpoint(input) { $0.empty(problem: problem, accepting: accepting) }
    }

    /// The payload as a file, which appears only when it is whole; until then whatever was there stays.
    ///
    /// The value is the file. A compressed payload is not asked for, so that a download can be gone on with
    /// (``Wrapper/resumeDownloads()``) and its progress says how much is left.
    public static func download(
        _ input: Either<ConnectionError, Input>,
        to file: URL
    ) -> Endpoint where Failure == TransformError<Never>, Value == URL {
        download(input, to: file, problem: Never.self)
    }

    /// The payload as a file, which appears only when it is whole, or the problem that the API tells of.
    public static func download<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        to file: URL,
        problem: Problem.Type
    ) -> Endpoint where Failure == TransformError<Problem>, Value == URL {
        let input = input.map { input in
            input.with {
                $0.destination = .file(file)
                $0.headers.setIfAbsent("Accept-Encoding", to: "identity")
            }
        }
        return Endpoint(input) { $0.empty().map { file } }
    }

    /// The whole response, of whatever status.
    public static func response(
        _ input: Either<ConnectionError, Input>
    ) -> Endpoint where Failure == Never, Value == Response {
        Endpoint(input) { .right($0) }
    }

    /// A value of one's own from the payload, as of a property list or Protocol Buffers; what `read` throws makes it
    /// ``TransformError/malformedData(_:debugInfo:)``.
    public static func model(
        _ input: Either<ConnectionError, Input>,
        accepting: AcceptedStatuses = .success,
        _ read: @escaping @Sendable (Data) throws -> Value
    ) -> Endpoint where Failure == TransformError<Never> {
        Endpoint(input) { $0.model(accepting: accepting, read) }
    }

    /// A value of one's own from the payload, or the problem that the API tells of.
    public static func model<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success,
        _ read: @escaping @Sendable (Data) throws -> Value
    ) -> Endpoint where Failure == TransformError<Problem> {
        Endpoint(input) { $0.model(problem: problem, accepting: accepting, read) }
    }
}
