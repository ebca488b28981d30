import StartSmall

/// The exit code of the tool.
enum ExitCode: Int32, CaseIterable {
    /// Success: the call has a value.
    case success = 0

    /// A response without a value; for `METHOD URL`, a response with a status other than 2xx.
    case transformError = 1

    /// No response.
    case connectionError = 2

    /// Invalid arguments: `EX_USAGE` of sysexits(3).
    case usage = 64

    /// An unexpected result in the demo: `EX_SOFTWARE` of sysexits(3).
    case surprise = 70

    /// An error while writing output: `EX_IOERR` of sysexits(3).
    case outputError = 74

    /// A pipe without a reader: the status that a shell reports for a process ended by SIGPIPE, 128 + 13.
    case closedPipe = 141
}

extension ExitCode {
    /// Creates the exit code for the result of a call.
    init<Failure: Error, Value>(_ fetched: Fetched<Failure, Value>) {
        switch fetched {
        case .left(.left): self = .connectionError
        case .left(.right): self = .transformError
        case .right: self = .success
        }
    }
}

extension Console {
    /// Prints the result of a call, or the reason why there is none, and returns the exit code.
    ///
    /// - Parameters:
    ///   - fetched: the result of the call.
    ///   - refused: receives the failure of a response.
    ///   - value: receives the value.
    func show<Failure: Error, Value>(
        _ fetched: Fetched<Failure, Value>,
        refused: (Failure) -> Void = { _ in },
        value: (Value) -> Void
    ) -> ExitCode {
        switch fetched {
        case .right(let right): value(right)
        case .left(.left(let failure)): error("no response: \(failure)")
        case .left(.right(let failure)):
            refused(failure)
            error("no value: \(failure)")
        }
        return ExitCode(fetched)
    }
}
