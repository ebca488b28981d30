public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// The error that ended a sequence of pages before its last page, and the number of the page.
public struct PaginationError<Failure: Error>: Error {
    /// The number of the page that could not be fetched, from 1.
    public var page: Int

    /// The reason for which the page could not be fetched.
    public var reason: Reason

    /// Creates an error.
    public init(page: Int, reason: Reason) {
        self.page = page
        self.reason = reason
    }

    /// The reason for which a page could not be fetched.
    public enum Reason: Error {
        /// The page's request could not be built, or there was no response.
        case noResponse(ConnectionError)

        /// The response could not be decoded as a page.
        case failed(Failure)

        /// The next page is one that was already fetched.
        case repeated(URL)

        /// The next page is at another origin, to which the request's credentials must not be sent.
        case otherOrigin(URL)

        /// The number of pages is above the limit.
        case tooMany(limit: Int)
    }
}

extension PaginationError: Equatable where Failure: Equatable {}
extension PaginationError: Hashable where Failure: Hashable {}
extension PaginationError.Reason: Equatable where Failure: Equatable {}
extension PaginationError.Reason: Hashable where Failure: Hashable {}

extension PaginationError: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The page and the reason on one line, with credentials redacted.
    public var description: String { "page \(page): \(reason)" }
}

extension PaginationError.Reason: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The reason on one line, with credentials redacted.
    public var description: String {
        switch self {
        case .noResponse(let error): "\(error)"
        case .failed(let failure): "\(failure)"
        case .repeated(let url):
            "the next page was already fetched: \(Redaction.standard.shown(url: url.absoluteString))"
        case .otherOrigin(let url):
            "the next page has another origin: \(Redaction.standard.shown(url: url.absoluteString))"
        case .tooMany(let limit): "more than \(limit) pages"
        }
    }
}
