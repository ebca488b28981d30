/// The parsed arguments: words, and options with their values.
///
/// ``Command`` interprets them. Options can be anywhere, as `-H value`, `-Hvalue`, `--header value` or
/// `--header=value`. Short options without a value can be combined, as in `-iv`. After `--`, all arguments are words.
struct Arguments {
    /// A parsed option; the value is empty for an option without an argument.
    struct ParsedOption {
        let definition: Option
        let name: String
        let value: String
    }

    private(set) var words: [String] = []
    private(set) var options: [ParsedOption] = []

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                return
            }
            if argument.utf8.starts(with: "--".utf8) {
                try takeLong(argument, &rest)
            } else if argument.utf8.first == UInt8(ascii: "-"), argument != "-" {
                try takeShort(argument, &rest)
            } else {
                words.append(argument)
            }
        }
    }

    /// Parses a long option; an error does not show a value after `=`.
    private mutating func takeLong(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let bytes = argument.utf8
        let equals = bytes.firstIndex(of: UInt8(ascii: "="))
        let name = String(argument[..<(equals ?? bytes.endIndex)])
        guard let option = Option.typed(name) else { throw .unknownOption(name) }
        try add(option, name, equals.map { String(argument[bytes.index(after: $0)...]) }, &rest)
    }

    /// Parses short options; a letter with a value ends the group, and the rest of the argument is its value.
    private mutating func takeShort(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = argument.unicodeScalars.dropFirst()
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            guard let option = Option.typed(name) else { throw .unknownOption(name) }
            let takesRest = option.argument != nil && !letters.isEmpty
            try add(option, name, takesRest ? String(letters) : nil, &rest)
            if option.argument != nil { return }
        }
    }

    private mutating func add(
        _ option: Option,
        _ name: String,
        _ attached: String?,
        _ rest: inout ArraySlice<String>
    ) throws(UsageError) {
        guard let argument = option.argument else {
            if attached != nil { throw UsageError(reason: "\(name) takes no value") }
            return options.append(ParsedOption(definition: option, name: name, value: ""))
        }
        guard let value = attached ?? rest.popFirst() else {
            throw UsageError(reason: "\(name) needs a value", hint: "\(name) \(argument.name)")
        }
        options.append(ParsedOption(definition: option, name: name, value: value))
    }
}
