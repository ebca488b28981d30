import Foundation
import GitHubAPI
import StartSmall
import StartSmallStreams

/// An error message for the user: the cause of a failure and a remedy.
struct Complaint: Error, Hashable {
    let text: String

    private init(text: String) {
        self.text = text
    }

    /// Creates the message of a failed call: it has no response, or an unexpected one.
    init(_ failure: Either<ConnectionError, GitHubError>) {
        switch failure {
        case .left(let error): self.init(text: "GitHub can't be reached: \(error)")
        case .right(.problem(let problem, let response)):
            guard let limit = response.rateLimits(now: Date())?.requests, limit.remaining == 0 else {
                self.init(text: "GitHub says: \(problem)")
                return
            }
            let time = limit.reset.map { " for \($0.formatted(.units(width: .wide)))" } ?? ""
            self.init(text: "GitHub allows no more calls\(time); with a token in GITHUB_TOKEN it allows more.")
        case .right(let error): self.init(text: "GitHub's answer can't be read: \(error)")
        }
    }

    /// Creates the message of a failed list, which can also fail between its pages if the server links to a page that
    /// must not be requested.
    init(_ failure: PaginationError<GitHubError>) {
        switch failure.reason {
        case .noResponse(let error): self.init(.left(error))
        case .failed(let error): self.init(.right(error))
        case .repeated, .otherOrigin, .tooMany: self.init(text: "There are more pages, but \(failure.reason).")
        }
    }
}
