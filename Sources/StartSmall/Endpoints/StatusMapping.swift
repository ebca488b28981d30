public import StartSmallCore

/// A mapping from statuses to the failures of an API, independent of the payload, to be shared by its endpoints.
///
/// ```swift
/// let common: StatusMapping<AppError> = [.unauthorized: AppError.unauthenticated, .forbidden: AppError.forbidden]
/// ```
///
/// Each function creates a failure from the complete response, as an enum case such as `case forbidden(Response)` does.
public typealias StatusMapping<Failure: Error> = KeyValuePairs<HTTPStatus, @Sendable (Response) -> Failure>

extension Endpoint {
    /// Fails for a response whose status is in the mapping, before its payload is read.
    ///
    /// Of two functions for one status, the first counts. Listeners receive the event ``Event/rejected(_:)``.
    public func failing(by mapping: StatusMapping<Failure>) -> Endpoint {
        failing { response in mapping.first { $0.key == response.statusCode }?.value(response) }
    }
}
