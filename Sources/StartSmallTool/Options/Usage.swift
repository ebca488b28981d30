/// The help text, generated from the tables of commands and options.
enum Usage {
    /// The version of the tool and of the kit, as in the changelog.
    static let version = "0.1.0"

    static let text = """
        usage: start-small [METHOD] URL [ITEM ...] [options]
        \(commands)

        METHOD   \(CommandEntry.methods.joined(separator: ", ")); without it GET, or POST with a payload;
                 standard input that is no terminal is the payload of a method that takes one
        URL      without a scheme http for localhost, 127.0.0.1, [::1] and :PORT, https for any other host
        ITEM     name=text and name:=json for a JSON payload, name=@FILE and name:=@FILE with the content of a file,
                 name==value for a query, Name:value for a header, Name: to leave it out, Name; to send it empty

        options:
        \(options)
          --                       the end of the options

        exit:    0 a value; 1 a response of another status than 2xx, or that can't be read; 2 no response;
                 64 wrong usage; 70 a failed demo; 74 output that can't be written; 141 a closed pipe;
                 130 Ctrl-C; 143 SIGTERM; 129 SIGHUP
        """

    private static var commands: String {
        CommandEntry.all.map { entry in
            let use = "\(entry.name)\(entry.operand.map { " \($0)" } ?? "")"
            return "       start-small \(padded(use, to: 22)) \(entry.help)"
        }.joined(separator: "\n")
    }

    private static var options: String {
        Option.all.map { option in
            let names = [option.short, option.long].compactMap { $0 }.joined(separator: ", ")
            let use = "\(names)\(option.argument.map { " \($0.name)" } ?? "")"
            let line = "  \(padded(use, to: 24))"
            return use.utf8.count > 24 ? "  \(use)\n\(padded("", to: 27))\(option.help)" : "\(line) \(option.help)"
        }.joined(separator: "\n")
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.utf8.count))
    }
}
