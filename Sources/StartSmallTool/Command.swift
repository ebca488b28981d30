import Foundation
import StartSmall

/// What the tool is asked to do.
enum Command: Hashable {
    case help
    case demo
    case example(String?)
    case zen(Options)
    case user(login: String, Options)
    case call(Call)

    /// What every call can be given.
    struct Options: Hashable {
        var baseURL: URL?
        var tracing = false
    }

    /// A request to any server.
    struct Call: Hashable {
        var method: String
        var url: String
        var headers: HTTPHeaders = [:]
        var data: String?
        var output: String?
        var options = Options()
    }

    /// Why arguments make no sense.
    struct UsageError: Error, Hashable {
        var reason: String
    }

    static let usage = """
        usage: start-small demo                     the main job, over real sockets on this machine
               start-small example [NAME]           one way to use the kit; without a name, which there are
               start-small zen [options]            a phrase of GitHub's
               start-small user LOGIN [options]     a user of GitHub's
               start-small METHOD URL [options]     any request; METHOD is get, head, post, put, patch, delete or options

        options: --base-url URL      call this server instead (zen, user)
                 -H, --header 'N: V' a header field, may be repeated (METHOD)
                 -d, --data TEXT     the payload, @FILE for that of a file; JSON unless -H says otherwise (METHOD)
                 -o, --output FILE   a file for the payload, which appears when it is whole (METHOD)
                 --trace             what happens in the call, with times, on standard error
                 --                  what follows is no option
        exit:    0 a value, 1 a response that is none, 2 no response, 64 wrong usage, 70 a demo that went wrong
        """

    private static let methods = ["get", "head", "post", "put", "patch", "delete", "options"]

    /// Reads the arguments that follow the tool's name.
    static func parse(_ arguments: [String]) -> Either<UsageError, Command> {
        Either { () throws(UsageError) in
            let arguments = try Arguments(arguments)
            let name = arguments.words.first
            if name == "help" || arguments.options.contains(where: { $0.option == .help }) { return .help }
            guard let name else { throw UsageError(reason: "nothing to do") }
            let words = Array(arguments.words.dropFirst())
            let options = arguments.options
            switch name {
            case "demo":
                try check(words, are: [], options, among: [])
                return .demo
            case "example":
                try check(words, are: words.isEmpty ? [] : ["NAME"], options, among: [])
                return .example(words.first)
            case "zen":
                try check(words, are: [], options, among: [.baseURL, .trace])
                return .zen(try read(options))
            case "user":
                try check(words, are: ["LOGIN"], options, among: [.baseURL, .trace])
                return .user(login: words[0], try read(options))
            case let method where methods.contains(method.lowercased()):
                try check(words, are: ["URL"], options, among: [.header, .data, .output, .trace])
                return .call(try readCall(method.uppercased(), words[0], options))
            default: throw UsageError(reason: "unknown command: \(Redaction.standard.shown(url: name))")
            }
        }
    }

    /// Checks that there are as many words as `names`, and no options but those that the command takes.
    private static func check(
        _ words: [String],
        are names: [String],
        _ options: [Arguments.Given],
        among allowed: [Arguments.Option]
    ) throws(UsageError) {
        if let given = options.first(where: { !allowed.contains($0.option) }) { throw .unexpected(given.name) }
        if words.count < names.count { throw UsageError(reason: "\(names[words.count]) is missing") }
        if words.count > names.count { throw .unexpected(words[names.count]) }
    }

    /// What every call can be given; of an option that is repeated, the last counts.
    private static func read(_ given: [Arguments.Given]) throws(UsageError) -> Options {
        var options = Options(tracing: given.contains { $0.option == .trace })
        if let text = given.last(where: { $0.option == .baseURL })?.value {
            guard let url = URL(string: RFC3986.encodingIllegalCharacters(in: text)), Origin(url) != nil else {
                throw UsageError(reason: "no http or https URL: \(Redaction.standard.shown(url: text))")
            }
            options.baseURL = url
        }
        return options
    }

    private static func readCall(
        _ method: String,
        _ url: String,
        _ given: [Arguments.Given]
    ) throws(UsageError) -> Call {
        var call = Call(method: method, url: url, options: try read(given))
        for given in given {
            switch given.option {
            case .header: try add(given.value, to: &call.headers)
            case .data: call.data = given.value
            case .output: call.output = given.value
            case .help, .baseURL, .trace: break
            }
        }
        return call
    }

    private static func add(_ field: String, to headers: inout HTTPHeaders) throws(UsageError) {
        guard let colon = field.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            // Not the text that was given: without a colon, nothing tells whether it is a credential.
            throw UsageError(reason: "a header is 'Name: value', but this one has no colon")
        }
        let value = field[field.utf8.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        headers.append(String(field[..<colon]), value)
    }
}

extension Command.UsageError {
    /// Tells of an argument that has no place here, without the credentials in it.
    static func unexpected(_ argument: String) -> Command.UsageError {
        Command.UsageError(reason: "unexpected argument: \(Redaction.standard.shown(url: argument))")
    }
}
