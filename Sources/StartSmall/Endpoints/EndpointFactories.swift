public import StartSmallCore
public import StartSmallFoundation

/// Endpoints in one line: `Endpoint.json(User.self, .get("https://api.example.com/user"))`.
///
/// They accept 2xx unless `accepting` states otherwise. `problem` is the type of the API's error payload for any other
/// status, and `Never` if it is left out.
extension Endpoint {
    /// Creates an endpoint whose value is decoded from JSON; an empty payload is nil if the value is optional.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - input: the request, or the error that occurred while building it.
    ///   - decoder: decodes the payload.
    ///   - accepting: the statuses to accept.
    public static func json(
        _ type: Value.Type,
        _ input: Either<ConnectionError, Input>,
        decoder: JSONDecoder = JSONDecoder(),
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Never>, Value: Decodable {
        Endpoint(input) { $0.json(type, decoder: decoder, accepting: accepting) }
    }

    /// Creates an endpoint whose value is decoded from JSON, and whose failure includes the API's problem.
    ///
    /// The payload for a status that is not accepted is read as a `problem`.
    ///
    /// - SeeAlso: ``json(_:_:decoder:accepting:)``
    public static func json<Problem: Decodable & Sendable>(
        _ type: Value.Type,
        _ input: Either<ConnectionError, Input>,
        decoder: JSONDecoder = JSONDecoder(),
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Problem>, Value: Decodable {
        Endpoint(input) { $0.json(type, decoder: decoder, problem: problem, accepting: accepting) }
    }

    /// Creates an endpoint whose value is the payload as text.
    ///
    /// - Parameters:
    ///   - input: the request, or the error that occurred while building it.
    ///   - encoding: the encoding of the text; nil for the charset of `Content-Type`, or UTF-8 without one.
    ///   - accepting: the statuses to accept.
    public static func text(
        _ input: Either<ConnectionError, Input>,
        encoding: String.Encoding? = nil,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Never>, Value == String {
        Endpoint(input) { $0.text(encoding: encoding, accepting: accepting) }
    }

    /// Creates an endpoint whose value is the payload as text, and whose failure includes the API's problem.
    ///
    /// The payload for a status that is not accepted is read as a `problem`.
    ///
    /// - SeeAlso: ``text(_:encoding:accepting:)``
    public static func text<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        encoding: String.Encoding? = nil,
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Problem>, Value == String {
        Endpoint(input) { $0.text(encoding: encoding, problem: problem, accepting: accepting) }
    }

    /// Creates an endpoint whose value is the unchanged payload.
    ///
    /// - Parameters:
    ///   - input: the request, or the error that occurred while building it.
    ///   - accepting: the statuses to accept.
    public static func data(
        _ input: Either<ConnectionError, Input>,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Never>, Value == Data {
        Endpoint(input) { $0.data(accepting: accepting) }
    }

    /// Creates an endpoint whose value is the unchanged payload, and whose failure includes the API's problem.
    ///
    /// The payload for a status that is not accepted is read as a `problem`.
    ///
    /// - SeeAlso: ``data(_:accepting:)``
    public static func data<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Problem>, Value == Data {
        Endpoint(input) { $0.data(problem: problem, accepting: accepting) }
    }

    /// Creates an endpoint without a value, for an API that responds with a status alone.
    ///
    /// - Parameters:
    ///   - input: the request, or the error that occurred while building it.
    ///   - accepting: the statuses to accept.
    public static func empty(
        _ input: Either<ConnectionError, Input>,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Never>, Value == Void {
        Endpoint(input) { $0.empty(accepting: accepting) }
    }

    /// Creates an endpoint without a value, whose failure includes the API's problem.
    ///
    /// The payload for a status that is not accepted is read as a `problem`.
    ///
    /// - SeeAlso: ``empty(_:accepting:)``
    public static func empty<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success
    ) -> Endpoint where Failure == TransformError<Problem>, Value == Void {
        Endpoint(input) { $0.empty(problem: problem, accepting: accepting) }
    }

    /// Creates an endpoint that downloads the payload to a file, which appears only when the payload is complete.
    ///
    /// Until then, an existing file stays. The value is the URL of the file. The request asks for an uncompressed
    /// payload, so that a download can be resumed (``Wrapper/resumeDownloads(_:clock:random:now:)``) and its progress
    /// contains the remaining bytes.
    ///
    /// - Parameters:
    ///   - input: the request, or the error that occurred while building it.
    ///   - file: the URL of the file.
    public static func download(
        _ input: Either<ConnectionError, Input>,
        to file: URL
    ) -> Endpoint where Failure == TransformError<Never>, Value == URL {
        download(input, to: file, problem: Never.self)
    }

    /// Creates an endpoint that downloads the payload to a file, and whose failure includes the API's problem.
    ///
    /// The payload for a status that is not 2xx is read as a `problem`.
    ///
    /// - SeeAlso: ``download(_:to:)``
    public static func download<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        to file: URL,
        problem: Problem.Type
    ) -> Endpoint where Failure == TransformError<Problem>, Value == URL {
        let input = input.map { input in
            input.with {
                $0.delivery = .file(file)
                $0.headers.setIfAbsent("Accept-Encoding", to: "identity")
            }
        }
        return Endpoint(input) { $0.empty(problem: problem).map { file } }
    }

    /// Creates an endpoint whose value is the complete response, with any status.
    public static func response(
        _ input: Either<ConnectionError, Input>
    ) -> Endpoint where Failure == Never, Value == Response {
        Endpoint(input) { .right($0) }
    }

    /// Creates an endpoint whose value is read by a custom function, such as a property list or Protocol Buffers.
    ///
    /// - Parameters:
    ///   - input: the request, or the error that occurred while building it.
    ///   - accepting: the statuses to accept.
    ///   - read: reads the payload; an error that it throws becomes ``TransformError/malformedData(_:debugInfo:)``.
    public static func model(
        _ input: Either<ConnectionError, Input>,
        accepting: AcceptedStatuses = .success,
        _ read: @escaping @Sendable (Data) throws -> Value
    ) -> Endpoint where Failure == TransformError<Never> {
        Endpoint(input) { $0.model(accepting: accepting, read) }
    }

    /// Creates an endpoint whose value is read by a custom function, and whose failure includes the API's problem.
    ///
    /// The payload for a status that is not accepted is read as a `problem`.
    ///
    /// - SeeAlso: ``model(_:accepting:_:)``
    public static func model<Problem: Decodable & Sendable>(
        _ input: Either<ConnectionError, Input>,
        problem: Problem.Type,
        accepting: AcceptedStatuses = .success,
        _ read: @escaping @Sendable (Data) throws -> Value
    ) -> Endpoint where Failure == TransformError<Problem> {
        Endpoint(input) { $0.model(problem: problem, accepting: accepting, read) }
    }
}
