import Foundation
import StartSmall

/// The app: `github-browser repositories octocat`.
@main
struct GitHubBrowser {
    static func main() async {
        let token = ProcessInfo.processInfo.environment["GITHUB_TOKEN"]
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(await run(arguments, .standard, via: .gitHub(token: token)))
    }

    /// Runs the command in the arguments; all effects are parameters, so that a test can replace them.
    ///
    /// - Returns: the exit status; 64 for wrong usage is `EX_USAGE` of sysexits(3).
    static func run(_ arguments: [String], _ terminal: Terminal, via connector: Connector) async -> Int32 {
        if arguments.first == "--times" {
            let calls = LastCalls()
            defer { terminal.complain(calls.text) }
            let connector = connector.wrapped(by: .listen(to: calls.listener))
            return await run(Array(arguments.dropFirst()), terminal, via: connector)
        }
        guard let command = Command(arguments) else {
            terminal.complain(Command.usage)
            return 64
        }
        do throws(Complaint) {
            switch command {
            case .user(let login): try await UserScreen.show(login, terminal, via: connector)
            case .repositories(let login): try await RepositoriesScreen.show(login, terminal, via: connector)
            case .archive(let name, let file): try await ArchiveScreen.show(name, file, terminal, via: connector)
            }
            return 0
        } catch {
            terminal.complain(error.text)
            return 1
        }
    }
}
