import Foundation
import StartSmall

/// What the tool is asked to do.
enum Command: Hashable {
    case help
    case demo
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
        usage: startsmall demo                     the main job, over real sockets on this machine
               startsmall zen [options]            a phrase of GitHub's
               startsmall user LOGIN [options]     a user of GitHub's
               startsmall METHOD URL [options]     any request; METHOD is get, head, post, put, patch, delete or options

        options: --base-url URL      call this server instead (zen, user)
                 -H, --header 'N: V' a header field, may be repeated (METHOD)
                 -d, --data TEXT     the payload, @FILE for that of a file; JSON unless -H says otherwise (METHOD)
                 -o, --output FILE   a file for the payload, which appears when it is whole (METHOD)
                 --trace             what happens in the call, with times, on standard error
        exit:    0 a value, 1 a response that is none, 2 no response, 64 wrong usage
        """

    private static let methods = ["get", "head", "post", "put", "patch", "delete", "options"]

    /// Reads the arguments that follow the tool's name.
    static func parse(_ arguments: [String]) -> Either<UsageError, Command> {
        Either { () throws(UsageError) in
            guard let name = arguments.first else { throw UsageError(reason: "nothing to do") }
            if arguments.contains("--help") || arguments.contains("-h") || name == "help" { return .help }
            var reader = Reader(rest: arguments.dropFirst())
            switch name {
            case "demo":
                try reader.end(allowing: [])
                return .demo
            case "zen":
                try reader.end(allowing: [.baseURL, .trace])
                return .zen(reader.options)
            case "user":
                let login = try reader.word("LOGIN")
                try reader.end(allowing: [.baseURL, .trace])
                return .user(login: login, reader.options)
            case let method where methods.contains(method.lowercased()):
                let url = try reader.word("URL")
                try reader.end(allowing: [.header, .data, .output, .trace])
                return .call(
                    Call(
                        method: method.uppercased(),
                        url: url,
                        headers: reader.headers,
                        data: reader.data,
                        output: reader.output,
                        options: reader.options
                    )
                )
            default: throw UsageError(reason: "unknown command: \(name)")
            }
        }
    }
}

/// What is left of the arguments, and what was found so far.
private struct Reader {
    enum Option: String {
        case baseURL = "--base-url"
        case header = "--header"
        case data = "--data"
        case output = "--output"
        case trace = "--trace"

        init?(_ text: String) {
            switch text {
            case "-H": self = .header
            case "-d": self = .data
            case "-o": self = .output
            default: self.init(rawValue: text)
            }
        }
    }

    var rest: ArraySlice<String>
    var options = Command.Options()
    var headers: HTTPHeaders = [:]
    var data: String?
    var output: String?

    /// The next argument, which is no option.
    mutating func word(_ name: String) throws(Command.UsageError) -> String {
        guard let word = rest.popFirst(), Option(word) == nil else {
            throw Command.UsageError(reason: "\(name) is missing")
        }
        return word
    }

    /// Reads the options to the end.
    mutating func end(allowing allowed: [Option]) throws(Command.UsageError) {
        while let argument = rest.popFirst() {
            guard let option = Option(argument), allowed.contains(option) else {
                throw Command.UsageError(reason: "unexpected argument: \(argument)")
            }
            try read(option, named: argument)
        }
    }

    private mutating func read(_ option: Option, named name: String) throws(Command.UsageError) {
        if option == .trace {
            options.tracing = true
            return
        }
        guard let value = rest.popFirst() else { throw Command.UsageError(reason: "\(name) needs a value") }
        switch option {
        case .trace: break
        case .data: data = value
        case .output: output = value
        case .baseURL:
            guard let url = URL(string: value), Origin(url) != nil else {
                throw Command.UsageError(reason: "no http or https URL: \(value)")
            }
            options.baseURL = url
        case .header:
            guard let colon = value.firstIndex(of: ":") else {
                throw Command.UsageError(reason: "a header is 'Name: value', not \(value)")
            }
            let text = value[value.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers.append(String(value[..<colon]), text)
        }
    }
}
