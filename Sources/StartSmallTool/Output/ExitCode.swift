import StartSmall

/// The exit code of the tool.
enum ExitCode: Int32, CaseIterable {
    /// There was a value.
    case success = 0

    /// There was a response, but it could not become a value; in a call, its status was not 2xx.
    case transformError = 1

    /// There was no response.
    case connectionError = 2

    /// The arguments make no sense: `EX_USAGE` of sysexits(3).
    case usage = 64

    /// The demo came out otherwise than it should: `EX_SOFTWARE` of sysexits(3).
    case surprise = 70

    /// Output could not be written: `EX_IOERR` of sysexits(3).
    case outputError = 74

    /// The reader of a pipe is gone: what a shell says of a process that SIGPIPE ended, 128 and 13.
    case closedPipe = 141
}

extension ExitCode {
    /// The exit code for the outcome of a call.
    init<Failure: Error, Value>(_ fetched: Fetched<Failure, Value>) {
        switch fetched {
        case .left(.left): self = .connectionError
        case .left(.right): self = .transformError
        case .right: self = .success
        }
    }
}

extension Console {
    /// Shows a person how a call came out: its value, or why there is none.
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
