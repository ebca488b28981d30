import Foundation

/// A program of this machine, run in a separate process.
enum Program {
    struct Failure: Error {
        var status: Int32
        var said: String
    }

    /// The output of the program.
    static func output(of name: String, _ arguments: [String], in directory: URL? = nil) throws -> Data {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.currentDirectoryURL = directory
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(status: process.terminationStatus, said: String(decoding: said, as: UTF8.self))
        }
        return printed
    }
}
