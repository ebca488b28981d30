import Foundation
import StartSmallTesting

/// A program of this machine, run in a process of its own.
enum Program {
    struct Failed: Error {
        let command: [String]
        let status: Int32
    }

    /// Returns what a program writes when it gets an input.
    ///
    /// - Throws: ``Failed`` for another exit status than 0, and on platforms without processes.
    static func output(of command: [String], input: Data = Data()) async throws -> Data {
        #if (os(macOS) || os(Linux)) && !APPLE_BRANCH
            let (process, written, read, ended) = (Process(), Pipe(), Pipe(), Latch())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = command
            (process.standardInput, process.standardOutput) = (read, written)
            process.terminationHandler = { _ in ended.open() }
            try process.run()
            try read.fileHandleForWriting.write(contentsOf: input)
            try read.fileHandleForWriting.close()
            await ended.wait()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                throw Failed(command: command, status: process.terminationStatus)
            }
            return written.fileHandleForReading.readDataToEndOfFile()
        #else
            throw Failed(command: command, status: -1)
        #endif
    }
}
