import Foundation
import StartSmall

/// The command line tool `start-small`.
@main
struct StartSmallTool {
    static func main() async {
        StandardStream.reserveDescriptors()
        let console = Console.standard
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(await Interruption.cancelling { await run(arguments, console) })
    }

    /// Runs the command in the arguments and returns its exit code.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the name of the tool.
    ///   - console: the streams of the tool.
    ///   - engine: the connector that sends requests.
    ///   - clock: the clock of all waits.
    static func run(
        _ arguments: [String],
        _ console: Console,
        via engine: Connector = .engine,
        clock: any Clock<Duration> = ContinuousClock()
    ) async -> ExitCode {
        let standard = Connector.standard(over: engine)
        switch Command.parse(arguments) {
        case .left(let error):
            console.error("start-small: \(error.line)")
            return .usage
        case .right(.help): return console.writing(line: Usage.text)
        case .right(.version): return console.writing(line: "start-small \(Usage.version)")
        case .right(.completions(let shell)): return console.writing(line: Completions.script(for: shell))
        case .right(.demo): return await Demo.run(console, via: standard)
        case .right(.example(let name)): return await Example.run(name, console, via: standard, clock: clock)
        case .right(.zen(let options)): return await GitHubRequests.zen(options, console, via: standard)
        case .right(.user(let login, let options)):
            return await GitHubRequests.user(login, options, console, via: standard)
        case .right(.call(let call)):
            return await AnyRequest(call: call, console: console, engine: engine, clock: clock).run()
        }
    }
}
