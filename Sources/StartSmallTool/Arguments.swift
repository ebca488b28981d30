/// The arguments apart: words, and options with their values; what they mean is for ``Command`` to say.
///
/// Options may stand anywhere, as `-H value`, `-Hvalue`, `--header value` or `--header=value`; after `--` all are words.
struct Arguments {
    enum Option: String {
        case help = "--help"
        case baseURL = "--base-url"
        case header = "--header"
        case data = "--data"
        case output = "--output"
        case trace = "--trace"

        init?(_ name: String) {
            switch name {
            case "-h": self = .help
            case "-H": self = .header
            case "-d": self = .data
            case "-o": self = .output
            default: self.init(rawValue: name)
            }
        }

        var takesValue: Bool {
            switch self {
            case .help, .trace: false
            case .baseURL, .header, .data, .output: true
            }
        }
    }

    /// An option as it was given; its value is empty if it takes none.
    struct Given {
        let option: Option
        let name: String
        let value: String
    }

    private(set) var words: [String] = []
    private(set) var options: [Given] = []

    init(_ arguments: [String]) throws(Command.UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                return
            }
            if argument.hasPrefix("-") && argument != "-" {
                options.append(try Self.option(argument, &rest))
            } else {
                words.append(argument)
            }
        }
    }

    private static func option(
        _ argument: String,
        _ rest: inout ArraySlice<String>
    ) throws(Command.UsageError) -> Given {
        let (name, attached) = parts(of: argument)
        guard let option = Option(name) else { throw .unexpected(name) }
        guard option.takesValue else {
            if attached != nil { throw Command.UsageError(reason: "\(name) takes no value") }
            return Given(option: option, name: name, value: "")
        }
        guard let value = attached ?? rest.popFirst() else {
            throw Command.UsageError(reason: "\(name) needs a value")
        }
        return Given(option: option, name: name, value: value)
    }

    /// The name, and the value that is attached to it; only the name is ever shown.
    private static func parts(of argument: String) -> (name: String, value: String?) {
        guard argument.hasPrefix("--") else {
            let letters = argument.unicodeScalars
            return (String(letters.prefix(2)), letters.count > 2 ? String(letters.dropFirst(2)) : nil)
        }
        guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (argument, nil) }
        return (String(argument[..<equals]), String(argument[argument.utf8.index(after: equals)...]))
    }
}
