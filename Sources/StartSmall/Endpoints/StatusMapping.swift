public import StartSmallCore

/// A mapping from statuses to the failures of an API, independent of the payload, to be shared by its endpoints.
///
/// ```swift
/// let common: StatusMapping<AppError> = [.unauthorized: AppError.unauthenticated, .forbidden: AppError.forbidden]
/// ```
public struct StatusMapping<Failure: Error>: Sendable, ExpressibleByDictionaryLiteral {
    private let meanings: [HTTPStatus: @Sendable (Response) -> Failure]

    /// Creates a mapping; of two functions for one status, the first counts.
    ///
    /// - Parameter elements: statuses, each with a function that creates a failure from the complete response, as an
    ///   enum case such as `case forbidden(Response)` does.
    public init(dictionaryLiteral elements: (HTTPStatus, @Sendable (Response) -> Failure)...) {
        meanings = Dictionary(elements, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the failure for the status of a response; nil if the mapping has no such status.
    package func failure(of response: Response) -> Failure? {
        meanings[response.statusCode]?(response)
    }
}

extension Endpoint {
    /// Fails for a response whose status is in the mapping, before its payload is read.
    ///
    /// Listeners receive the event ``Event/rejected(_:)``.
    public func failing(by mapping: StatusMapping<Failure>) -> Endpoint {
        failing { mapping.failure(of: $0) }
    }
}
