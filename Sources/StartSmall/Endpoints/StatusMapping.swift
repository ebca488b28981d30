/// What some statuses mean in an API, whatever the payload says: a value, so that all endpoints can share it.
///
/// ```swift
/// let common: StatusMapping<AppError> = [.unauthorized: AppError.unauthenticated, .forbidden: AppError.forbidden]
/// ```
public struct StatusMapping<Failure: Error>: Sendable, ExpressibleByDictionaryLiteral {
    /// Makes a failure of the whole response, as a case such as `case forbidden(Response)` does.
    public typealias Meaning = @Sendable (Response) -> Failure

    private let meanings: [HTTPStatus: Meaning]

    /// Creates a table; of two meanings of one status the first counts.
    public init(dictionaryLiteral elements: (HTTPStatus, Meaning)...) {
        meanings = Dictionary(elements, uniquingKeysWith: { first, _ in first })
    }

    /// What the response means by its status alone, or nil if the table has no such status.
    public func failure(of response: Response) -> Failure? {
        meanings[response.statusCode]?(response)
    }
}

extension Endpoint {
    /// The same endpoint, but a response whose status is in the table fails as the table says, before its payload is read.
    ///
    /// Listeners hear of it as ``Event/refused(_:)``.
    public func failing(by table: StatusMapping<Failure>) -> Endpoint {
        Endpoint(input) { [read] response in
            table.failure(of: response).map { (.left($0), .refused(response)) } ?? read(response)
        }
    }
}
