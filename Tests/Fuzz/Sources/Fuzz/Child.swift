import Foundation

/// A process that tests one target.
struct Child {
    enum End {
        case fine
        case broken
        case trapped
        case hung
    }

    let target: Target
    let arguments: [String]

    /// The end of the process, its last input, its number of inputs, and its output.
    struct Outcome {
        let end: End
        let lastInput: [UInt8]
        let tries: Int
        let output: String
    }

    /// Runs the process to its end.
    func run() throws -> Outcome {
        let file = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let witness = try Witness(at: file.path)
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments + [file.path]
        process.standardOutput = output
        // The input is more useful than a backtrace, and making one takes seconds.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        try process.run()
        let printed = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        let end: End =
            switch (process.terminationReason, process.terminationStatus) {
            case (.exit, 0): .fine
            case (.exit, Worker.broken): .broken
            case (.uncaughtSignal, SIGPROF): .hung
            default: .trapped
            }
        return Outcome(
            end: end,
            lastInput: witness.input,
            tries: witness.count,
            output: String(decoding: printed, as: UTF8.self)
        )
    }
}
