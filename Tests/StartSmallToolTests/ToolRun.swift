import Foundation
import StartSmall
import StartSmallTesting

@testable import StartSmallTool

/// A run of the tool with recorded streams.
struct ToolRun {
    let output = Recorder<Data>()
    let errors = Recorder<Data>()
    var terminals: Set<Console.Stream> = []
    var isColoured = true
    var input: Either<StreamError, Data> = .right(Data())
    var hasInput = false
    var password: String?
    var folder = FileManager.default.temporaryDirectory

    /// A function called after each part that is written to standard output; an error that it returns is thrown.
    var written: @Sendable () -> StreamError? = { nil }

    func callAsFunction(_ arguments: String..., via engine: Connector = .engine) async -> ExitCode {
        let console = Console(
            write: { [output, written] data throws(StreamError) in
                output.append(data)
                if let error = written() { throw error }
            },
            writeError: { [errors] in errors.append($0) },
            read: { [input] () throws(StreamError) in try input.get() },
            readPassword: { [errors, password] prompt in
                errors.append(Data(prompt.utf8))
                return password
            },
            hasInput: hasInput,
            folder: folder,
            terminals: terminals,
            isColoured: isColoured
        )
        return await StartSmallTool.run(arguments, console, via: engine, clock: HastyClock())
    }

    var text: String { Self.text(output) }
    var errorText: String { Self.text(errors) }

    private static func text(_ recorder: Recorder<Data>) -> String {
        String(decoding: recorder.elements.reduce(Data(), +), as: UTF8.self)
    }
}
