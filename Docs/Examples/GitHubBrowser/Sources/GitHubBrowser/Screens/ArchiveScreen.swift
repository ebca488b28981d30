import Foundation
import StartSmall

/// `github-browser archive OWNER/NAME FILE`: downloads a repository to a file, with a progress line.
enum ArchiveScreen {
    static func show(
        _ repository: RepositoryName,
        _ file: URL,
        _ terminal: Terminal,
        via connector: Connector
    ) async throws(Complaint) {
        let told = connector.wrapped(by: .listen(to: ProgressLine.listener(terminal)))
        let fetched = await Archive.endpoint(of: repository, to: file).fetch(via: told)
        terminal.show("saved: \(try fetched.mapLeft(Complaint.init).get().path(percentEncoded: false))")
    }
}
