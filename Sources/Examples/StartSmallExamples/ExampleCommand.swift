import StartSmall
import StartSmallDiagnostics
import Foundation

/// The command `start-small`, which runs the demonstration and the examples.
@main
struct ExampleCommand {
    static func main() async {
        exit(await run(Array(CommandLine.arguments.dropFirst()), .standard).rawValue)
    }

    /// Runs the command in the arguments and returns its exit code.
    static func run(
        _ arguments: [String],
        _ console: Console,
        via connector: Connector = .standard,
        clock: any Clock<Duration> = ContinuousClock()
    ) async -> ExitCode {
        switch arguments {
        case ["demo"]: return await Demo.run(console, via: connector, clock: clock)
        case ["picture"]:
            guard let timeline = try? await TimedCall.run(via: connector, clock: clock).timeline else {
                console.error("the loopback server did not start")
                return .unavailable
            }
            console.print(timeline.svg)
            return .success
        case ["example"]:
            Example.lines.forEach(console.print)
            return .success
        case let words where words.count == 2 && words[0] == "example":
            if let example = Example.all.first(where: { $0.name == words[1] }) {
                return await example.run(console, via: connector, clock: clock)
            }
            console.error("start-small: there is no such example; there are:")
            Example.lines.forEach(console.error)
            return .usage
        default:
            console.error("usage: start-small demo | start-small picture | start-small example [NAME]")
            return .usage
        }
    }
}

/// The streams of the command.
struct Console: Sendable {
    let print: @Sendable (String) -> Void
    let error: @Sendable (String) -> Void

    static let standard = Console(
        print: { Swift.print($0) },
        error: { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
    )
}

enum ExitCode: Int32 {
    case success = 0

    /// Invalid arguments: `EX_USAGE` of sysexits(3).
    case usage = 64

    /// A loopback server that does not start: `EX_UNAVAILABLE` of sysexits(3).
    case unavailable = 69

    /// An unexpected result in the demonstration: `EX_SOFTWARE` of sysexits(3).
    case surprise = 70
}
