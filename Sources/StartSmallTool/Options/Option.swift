/// An option of the tool; parsing, help, hints and completions all use ``all``.
struct Option: Sendable {
    /// The long name, without dashes.
    enum Name: String {
        case request, header, data, json, urlencoded, form, user
        case output, download, include, verbose
        case showSecrets = "show-secrets"
        case trace
        case printAs = "as"
        case follow, timeout, retry, cache, cookies
        case baseURL = "base-url"
        case help, version
    }

    /// A category of options, by the commands that accept them.
    enum Category {
        /// `METHOD URL`: options of the request.
        case request

        /// `METHOD URL`: options of the response's destination and format.
        case response

        /// `METHOD URL`: time limits and retries.
        case connection

        /// Every command that calls a server.
        case call

        /// The commands `zen` and `user`.
        case gitHub

        /// Every command.
        case everywhere
    }

    /// The value of an option.
    struct Argument {
        /// The name in the help text.
        let name: String

        /// Whether the value can be the path of a file.
        var isFile = false

        /// All possible values, if there are only a few.
        var words: [String] = []
    }

    let name: Name
    let short: String?
    let argument: Argument?
    let category: Category
    let help: String

    /// The long name with its dashes.
    var long: String { "--\(name.rawValue)" }

    private init(_ name: Name, _ short: String?, _ argument: Argument?, _ category: Category, _ help: String) {
        (self.name, self.short, self.argument) = (name, short.map { "-\($0)" }, argument)
        (self.category, self.help) = (category, help)
    }

    /// Returns the option with a name such as `-H` or `--header`; nil if there is none.
    static func typed(_ text: String) -> Option? {
        all.first { $0.long == text || $0.short == text }
    }

    /// All options, in the order of the help text.
    static let all: [Option] = [
        Option(.request, "X", Argument(name: "METHOD"), .request, "any other method"),
        Option(
            .header,
            "H",
            Argument(name: "'NAME: VALUE'"),
            .request,
            "a header field; 'NAME:' leaves it out, 'NAME;' sends it empty; may be repeated"
        ),
        Option(
            .data,
            "d",
            Argument(name: "TEXT", isFile: true),
            .request,
            "the payload, @FILE or @- for standard input; JSON unless -H says otherwise"
        ),
        Option(.json, nil, Argument(name: "JSON", isFile: true), .request, "like -d, checked, with Accept: JSON"),
        Option(.urlencoded, nil, nil, .request, "sends name=text items, or -d, as application/x-www-form-urlencoded"),
        Option(
            .form,
            "F",
            Argument(name: "NAME=VALUE", isFile: true),
            .request,
            "a part of a multipart form, NAME=@FILE for a file; may be repeated"
        ),
        Option(
            .user,
            "u",
            Argument(name: "USER[:PASSWORD]"),
            .request,
            "credentials for Basic authentication; asks for a password that is left out"
        ),
        Option(
            .output,
            "o",
            Argument(name: "FILE", isFile: true),
            .response,
            "a file for the payload; - writes raw bytes"
        ),
        Option(.download, "O", nil, .response, "a file named by the server or the URL; replaces no file"),
        Option(.include, "i", nil, .response, "status and headers before the payload"),
        Option(.verbose, "v", nil, .response, "requests with payloads, and response heads, on standard error"),
        Option(.showSecrets, nil, nil, .response, "shows credentials instead of <redacted>"),
        Option(
            .printAs,
            nil,
            Argument(name: "curl|swift", words: ["curl", "swift"]),
            .response,
            "prints the request as a command or as Swift, sends nothing"
        ),
        Option(.follow, "L", nil, .connection, "follows redirects"),
        Option(.timeout, nil, Argument(name: "SECONDS"), .connection, "the total time limit, retries included"),
        Option(
            .retry,
            nil,
            Argument(name: "COUNT"),
            .connection,
            "retries of an idempotent request; a broken download resumes"
        ),
        Option(
            .cache,
            nil,
            Argument(name: "DIR", isFile: true),
            .connection,
            "answers with responses kept in a directory, and keeps new ones there (RFC 9111)"
        ),
        Option(
            .cookies,
            nil,
            Argument(name: "FILE", isFile: true),
            .connection,
            "sends the cookies of a file, and saves received ones there"
        ),
        Option(.trace, nil, nil, .call, "events with their times on standard error"),
        Option(.baseURL, nil, Argument(name: "URL"), .gitHub, "another server (zen, user)"),
        Option(.help, "h", nil, .everywhere, "this text"),
        Option(.version, "V", nil, .everywhere, "the version"),
    ]
}
