import StartSmall

/// An error in the arguments, with a hint.
struct UsageError: Error, Hashable {
    var reason: String
    var hint = "see start-small --help"

    /// The reason and the hint on one line.
    var line: String { "\(reason); \(hint)" }
}

extension UsageError {
    /// Creates the error for an unexpected argument, without the credentials in it.
    static func unexpected(_ argument: String) -> UsageError {
        UsageError(reason: "unexpected argument: \(Redaction.standard.shown(url: argument))")
    }

    /// Creates the error for an option that the command does not accept.
    static func notTaken(_ option: String, by command: String) -> UsageError {
        UsageError(reason: "\(command) takes no \(option)")
    }

    /// Creates the error for an unknown option, with the most similar option as a hint.
    static func unknownOption(_ name: String) -> UsageError {
        unknown("option \(Redaction.standard.shown(url: name))", name, among: Option.all.map(\.long))
    }

    /// Creates the error for an unknown command, with the most similar command as a hint.
    static func unknownCommand(_ name: String) -> UsageError {
        unknown("command \(Redaction.standard.shown(url: name))", name.lowercased(), among: CommandEntry.names)
    }

    private static func unknown(_ what: String, _ name: String, among names: [String]) -> UsageError {
        let error = UsageError(reason: "unknown \(what)")
        guard let similar = EditDistance.nearest(to: name, among: names) else { return error }
        return UsageError(reason: error.reason, hint: "did you mean \(similar)?")
    }
}
