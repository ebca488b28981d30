import Foundation
import StartSmall

/// A command of the tool with its arguments.
enum Command: Hashable {
    case help
    case version
    case demo
    case example(String?)
    case completions(Completions.Shell)
    case zen(Options)
    case user(login: String, Options)
    case call(Call)

    /// The options of the GitHub commands.
    struct Options: Hashable {
        var baseURL: URL?
        var tracing = false
    }

    /// Parses the arguments after the name of the tool.
    static func parse(_ arguments: [String]) -> Either<UsageError, Command> {
        Either { () throws(UsageError) in
            let arguments = try Arguments(arguments)
            if arguments.words.first == "help" || arguments.has(.help) { return .help }
            if arguments.has(.version) { return .version }
            guard let name = arguments.words.first, !name.isEmpty else {
                throw UsageError(reason: "command or URL is missing")
            }
            if CommandEntry.methods.contains(name.lowercased()) {
                let words = Array(arguments.words.dropFirst())
                return .call(try Call.read(name.uppercased(), words, arguments.options))
            }
            if let entry = CommandEntry.all.first(where: { $0.name == name }) {
                return try command(entry, arguments)
            }
            guard URLArgument.mayBeURL(name) else { throw .unknownCommand(name) }
            return .call(try Call.read(nil, arguments.words, arguments.options))
        }
    }

    private static func command(_ entry: CommandEntry, _ arguments: Arguments) throws(UsageError) -> Command {
        for option in arguments.options where !entry.categories.contains(option.definition.category) {
            throw .notTaken(option.name, by: entry.name)
        }
        let words = arguments.words.dropFirst()
        if let operand = entry.operand, entry.isOperandRequired, words.isEmpty {
            throw UsageError(reason: "\(operand) is missing")
        }
        if let extra = words.dropFirst(entry.operand == nil ? 0 : 1).first { throw .unexpected(extra) }
        let operand = words.first ?? ""
        switch entry.name {
        case "demo": return .demo
        case "example": return .example(words.first)
        case "zen": return .zen(try options(arguments))
        case "user": return .user(login: operand, try options(arguments))
        case "completions":
            guard let shell = Completions.Shell(rawValue: operand) else {
                let shells = Completions.Shell.allCases.map(\.rawValue).joined(separator: ", ")
                throw UsageError(reason: "no completions for this shell", hint: "there are \(shells)")
            }
            return .completions(shell)
        default: return .help
        }
    }

    /// Returns the options of the GitHub commands; of a repeated option, the last one counts.
    private static func options(_ arguments: Arguments) throws(UsageError) -> Options {
        var options = Options(tracing: arguments.has(.trace))
        if let text = arguments.options.last(where: { $0.definition.name == .baseURL })?.value {
            guard let url = URL(string: URIEncoding.encodingIllegalCharacters(in: text)), Origin(url) != nil else {
                throw UsageError(reason: "not an http or https URL: \(Redaction.standard.shown(url: text))")
            }
            options.baseURL = url
        }
        return options
    }
}

extension Arguments {
    /// Whether an option was given.
    fileprivate func has(_ name: Option.Name) -> Bool {
        options.contains { $0.definition.name == name }
    }
}
