import Foundation

/// A process that works on one target.
struct Child {
    enum End {
        case fine
        case broken
        case trapped
        case hung
    }

    let target: Target
    let arguments: [String]

    /// How it ended, what it tried last, how much it tried, and what it said.
    struct Outcome {
        let end: End
        let lastInput: [UInt8]
        let tries: Int
        let output: String
    }

    /// Runs it to its end.
    func run() throws -> Outcome {
        let file = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let witness = try Witness(at: file.path)
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments + [file.path]
        process.standardOutput = output
        // The input tells more than where it trapped, and looking for that takes seconds.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        try process.run()
        let said = (try? output.fileHandleForReading.readToEnd()) ?? Data()
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
            output: String(decoding: said, as: UTF8.self)
        )
    }
}
