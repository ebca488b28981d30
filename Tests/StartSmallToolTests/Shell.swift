import Foundation
import StartSmallTesting

/// A runner of bash scripts in a separate folder, in which `$TOOL` is the built tool.
struct Shell {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    /// A script's output including standard error, its exit status, and the files that it left.
    struct Result {
        let status: Int32
        let output: String
        let files: [String]
    }

    /// Runs a script, and calls `started` with its process, which becomes the tool's process by `exec`.
    func run(_ script: String, started: (Process) async -> Void = { _ in }) async throws -> Result {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (process, output, hasEnded) = (Process(), try FileHandle(forWritingTo: file), Latch())
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", script]
        // A tool that is built for coverage would write its counters into the folder.
        process.environment = ["TOOL": Self.tool, "PATH": "/usr/bin:/bin", "LLVM_PROFILE_FILE": "/dev/null"]
        process.currentDirectoryURL = folder
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        process.terminationHandler = { _ in hasEnded.open() }
        try process.run()
        await started(process)
        await hasEnded.wait()
        return Result(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: file), as: UTF8.self),
            files: try FileManager.default.contentsOfDirectory(atPath: folder.path)
        )
    }

    /// The path of the tool, which is built into the folder of the tests.
    private static let tool = Bundle.main.bundleURL.appendingPathComponent("start-small").path
}
