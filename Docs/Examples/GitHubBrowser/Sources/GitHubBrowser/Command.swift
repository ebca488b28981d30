import Foundation

/// A command of the user.
enum Command: Hashable {
    case user(String)
    case repositories(String)
    case archive(RepositoryName, file: URL)

    static let usage = """
        usage: github-browser user LOGIN                who somebody is
               github-browser repositories LOGIN        what somebody has, page by page
               github-browser archive OWNER/NAME [FILE] a repository as a file; NAME.tar.gz unless you say which
        --times before a command shows where the time of its calls went
        """

    /// Parses the arguments after the app's name; nil if they are no valid command.
    init?(_ arguments: [String]) {
        switch (arguments.first, arguments.count) {
        case ("user", 2): self = .user(arguments[1])
        case ("repositories", 2): self = .repositories(arguments[1])
        case ("archive", 2), ("archive", 3):
            guard let name = RepositoryName(arguments[1]) else { return nil }
            let path = arguments.count == 3 ? arguments[2] : "\(name.name).tar.gz"
            self = .archive(name, file: URL(filePath: path))
        default: return nil
        }
    }
}

/// A repository's full name: its owner's login and its own name, such as `octocat/Hello-World`.
struct RepositoryName: Hashable {
    let owner: String
    let name: String

    /// Parses a text; nil if it is not two names separated by a slash.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts.contains("") else { return nil }
        (owner, name) = (parts[0], parts[1])
    }
}
