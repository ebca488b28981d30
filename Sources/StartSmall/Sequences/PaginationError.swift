public import Foundation

/// Why a sequence of pages ended before its last page, and where.
public struct PaginationError<Failure: Error>: Error {
    /// The page that could not be had, from 1.
    public var page: Int

    /// Why it could not be had.
    public var reason: Reason

    /// Creates a failure.
    public init(page: Int, reason: Reason) {
        self.page = page
        self.reason = reason
    }

    /// Why there is no page.
    public enum Reason: Error {
        /// The page's request could not be built, or there was no response.
        case noResponse(ConnectionError)

        /// The response could not become a page.
        case failed(Failure)

        /// The server leads back to a page that was there before.
        case repeated(URL)

        /// The server leads to another origin, where the request's credentials do not belong.
        case otherOrigin(URL)

        /// There are more pages than allowed.
        case tooMany(limit: Int)
    }
}

extension PaginationError: Equatable where Failure: Equatable {}
extension PaginationError: Hashable where Failure: Hashable {}
extension PaginationError.Reason: Equatable where Failure: Equatable {}
extension PaginationError.Reason: Hashable where Failure: Hashable {}

extension PaginationError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The page and the reason on one line, credentials redacted.
    public var description: String { "page \(page): \(reason)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["failure": description]) }
}

extension PaginationError.Reason: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The reason on one line, credentials redacted.
    public var description: String {
        switch self {
        case .noResponse(let error): "\(error)"
        case .failed(let failure): "\(failure)"
        case .repeated(let url): "the server leads back to \(Redaction.standard.shown(url: url.absoluteString))"
        case .otherOrigin(let url):
            "the server leads to another origin: \(Redaction.standard.shown(url: url.absoluteString))"
        case .tooMany(let limit): "more than \(limit) pages"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["reason": description]) }
}

extension PaginationLoopDetector.Objection {
    /// The same, as a reason why there is no page.
    func reason<Failure>() -> PaginationError<Failure>.Reason {
        switch self {
        case .repeated(let url): .repeated(url)
        case .otherOrigin(let url): .otherOrigin(url)
        case .tooMany(let limit): .tooMany(limit: limit)
        }
    }
}
