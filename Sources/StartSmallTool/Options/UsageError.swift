import StartSmall

/// The reason why arguments make no sense, and a hint.
struct UsageError: Error, Hashable {
    var reason: String
    var hint = "see start-small --help"

    /// Both on one line.
    var line: String { "\(reason); \(hint)" }
}

extension UsageError {
    /// Reports an argument that has no place here, without the credentials in it.
    static func unexpected(_ argument: String) -> UsageError {
        UsageError(reason: "unexpected argument: \(Redaction.standard.shown(url: argument))")
    }

    /// Reports an option that the command does not take.
    static func notTaken(_ option: String, by command: String) -> UsageError {
        UsageError(reason: "\(command) takes no \(option)")
    }

    /// Reports an option that does not exist, and the one with the most similar name.
    static func unknownOption(_ name: String) -> UsageError {
        unknown("option \(Redaction.standard.shown(url: name))", name, among: Option.all.map(\.long))
    }

    /// Reports a command that does not exist, and the one with the most similar name.
    static func unknownCommand(_ name: String) -> UsageError {
        unknown("command \(Redaction.standard.shown(url: name))", name.lowercased(), among: CommandEntry.names)
    }

    private static func unknown(_ what: String, _ name: String, among names: [String]) -> UsageError {
        let error = UsageError(reason: "unknown \(what)")
        guard let similar = EditDistance.nearest(to: name, among: names) else { return error }
        return UsageError(reason: error.reason, hint: "did you mean \(similar)?")
    }
}
