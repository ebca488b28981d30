/// A command of the tool; parsing, help, hints and completions all use ``all`` and ``methods``.
struct CommandEntry: Sendable {
    let name: String
    let operand: String?
    let isOperandRequired: Bool
    let categories: Set<Option.Category>
    let help: String

    private init(
        _ name: String,
        _ operand: String? = nil,
        isOperandRequired: Bool = false,
        taking categories: Set<Option.Category> = [],
        help: String
    ) {
        (self.name, self.operand, self.isOperandRequired) = (name, operand, isOperandRequired)
        (self.categories, self.help) = (categories.union([.everywhere]), help)
    }

    /// All commands except the methods, in the order of the help text.
    static let all: [CommandEntry] = [
        CommandEntry("demo", help: "the main features, over real sockets on this machine"),
        CommandEntry("example", "[NAME]", help: "one way to use the kit; without a name, the list"),
        CommandEntry("zen", taking: [.call, .gitHub], help: "a phrase from GitHub"),
        CommandEntry("user", "LOGIN", isOperandRequired: true, taking: [.call, .gitHub], help: "a GitHub user"),
        CommandEntry("completions", "SHELL", isOperandRequired: true, help: "completions for bash, zsh or fish"),
        CommandEntry("help", help: "this text"),
    ]

    /// The methods; each of them is a command.
    static let methods = ["get", "head", "post", "put", "patch", "delete", "options"]

    /// The categories of options of `METHOD URL`.
    static let callCategories: Set<Option.Category> = [.request, .response, .connection, .call, .everywhere]

    /// The names of all commands.
    static let names = methods + all.map(\.name)
}
