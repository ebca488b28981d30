import Foundation
import GitHubAPI
import StartSmall

/// What the user is told when something goes wrong: what it was, and what can be done about it.
struct Complaint: Error, Hashable {
    let text: String

    private init(text: String) {
        self.text = text
    }

    /// The two ways in which a call fails: no response, or one that is not what it should be.
    init(_ failure: Either<ConnectionError, GitHubError>) {
        switch failure {
        case .left(let error): self.init(text: "GitHub can't be reached: \(error)")
        case .right(.problem(_, let response)) where GitHubRateLimit(of: response)?.remaining == 0:
            let time = GitHubRateLimit(of: response)?.resetsAt.formatted(.iso8601) ?? "later"
            self.init(text: "GitHub allows no more calls until \(time); with a token in GITHUB_TOKEN it allows more.")
        case .right(.problem(let problem, _)): self.init(text: "GitHub says: \(problem)")
        case .right(let error): self.init(text: "GitHub's answer can't be read: \(error)")
        }
    }

    /// A list can also fail between its pages, where the server leads to one that must not be called.
    init(_ failure: PaginationError<GitHubError>) {
        switch failure.reason {
        case .noResponse(let error): self.init(.left(error))
        case .failed(let error): self.init(.right(error))
        case .repeated, .otherOrigin, .tooMany: self.init(text: "There are more pages, but \(failure.reason).")
        }
    }
}
