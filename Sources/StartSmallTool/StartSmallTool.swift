import Foundation
import StartSmall

/// The command line tool `startsmall`.
@main
struct StartSmallTool {
    static func main() async {
        let console = Console.standard
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(await run(arguments, console).rawValue)
    }

    /// Does what the arguments say, and tells how it ended.
    static func run(_ arguments: [String], _ console: Console, via engine: Connector = .standard) async -> ExitCode {
        switch Command.parse(arguments) {
        case .left(let error):
            console.error("startsmall: \(error.reason)\n\(Command.usage)")
            return .usage
        case .right(.help):
            console.print(Command.usage)
            return .success
        case .right(.demo): return await Demo.run(console, via: engine)
        case .right(.example(let name)): return await Example.run(name, console, via: engine)
        case .right(.zen(let options)): return await GitHubRequests.zen(options, console, via: engine)
        case .right(.user(let login, let options)):
            return await GitHubRequests.user(login, options, console, via: engine)
        case .right(.call(let call)): return await AnyRequest.run(call, console, via: engine)
        }
    }
}

/// How the tool ends.
enum ExitCode: Int32 {
    /// There was a value.
    case success = 0

    /// There was a response, but it could not become a value.
    case transformError = 1

    /// There was no response.
    case connectionError = 2

    /// The arguments make no sense: `EX_USAGE` of sysexits(3).
    case usage = 64

    /// The demo came out otherwise than it should: `EX_SOFTWARE` of sysexits(3).
    case surprise = 70
}

extension ExitCode {
    /// What a call that came out like this ends with.
    init<Failure: Error, Value>(_ fetched: Fetched<Failure, Value>) {
        switch fetched {
        case .left(.left): self = .connectionError
        case .left(.right): self = .transformError
        case .right: self = .success
        }
    }
}
