import StartSmall

/// The error payload of the API, in either of its two formats.
public struct BookshelfProblem: Decodable, Hashable, Sendable {
    /// The kind of error, for apps.
    public let code: String
    /// The description of the error, for people.
    public let message: String

    private enum CodingKeys: CodingKey { case code, message, type, detail }

    /// Decodes a problem of RFC 9457, or `{"code": "…", "message": "…"}`, the format of older calls.
    public init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        let isProblem = object.contains(.type)
        code = try object.decode(String.self, forKey: isProblem ? .type : .code)
        message = try object.decode(String.self, forKey: isProblem ? .detail : .message)
    }
}

/// The reason why a response has no value, with that response.
public enum BookshelfError: Error, Hashable {
    /// Nobody is signed in.
    case signedOut(Response)

    /// The API refused, and said why.
    case refused(BookshelfProblem, Response)

    /// The response is none that the API documents.
    case unexpected(TransformError<BookshelfProblem>)
}

extension BookshelfError {
    init(_ error: TransformError<BookshelfProblem>) {
        if error.response.statusCode == .unauthorized {
            self = .signedOut(error.response)
        } else if case .problem(let problem, let response) = error {
            self = .refused(problem, response)
        } else {
            self = .unexpected(error)
        }
    }

    /// The name by which the support of Bookshelf finds the request.
    public var requestID: String? {
        switch self {
        case .signedOut(let response), .refused(_, let response): response.requestID
        case .unexpected(let error): error.response.requestID
        }
    }
}

extension Endpoint where Failure == BookshelfError {
    /// Creates a call of Bookshelf whose value is JSON.
    static func bookshelf(_ request: Either<ConnectionError, Input>) -> Endpoint where Value: Decodable {
        Endpoint<_, Value>.json(Value.self, request, problem: BookshelfProblem.self).mapFailure(BookshelfError.init)
    }
}
