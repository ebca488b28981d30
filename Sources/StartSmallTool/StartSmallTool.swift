import Foundation
import StartSmall

/// The command line tool `start-small`.
@main
struct StartSmallTool {
    static func main() async {
        let console = Console.standard
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(await run(arguments, console).rawValue)
    }

    /// Does what the arguments say, and tells how it ended; examples that wait do so by the clock.
    static func run(
        _ arguments: [String],
        _ console: Console,
        via engine: Connector = .standard,
        clock: any Clock<Duration> = ContinuousClock()
    ) async -> ExitCode {
        switch Command.parse(arguments) {
        case .left(let error):
            console.error("start-small: \(error.reason)\n\(Command.usage)")
            return .usage
        case .right(.help):
            console.print(Command.usage)
            return .success
        case .right(.demo): return await Demo.run(console, via: engine)
        case .right(.example(let name)): return await Example.run(name, console, via: engine, clock: clock)
        case .right(.zen(let options)): return await GitHubRequests.zen(options, console, via: engine)
        case .right(.user(let login, let options)):
            return await GitHubRequests.user(login, options, console, via: engine)
        case .right(.call(let call)): return await AnyRequest.run(call, console, via: engine)
        }
    }
}
