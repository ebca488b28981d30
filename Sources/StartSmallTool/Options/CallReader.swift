import Foundation
import StartSmall

extension Call {
    /// The maximum timeout in seconds, 11 days: a larger number is a mistake, and its `Duration` could overflow.
    static let longestTimeout = 1_000_000.0

    /// The maximum number of retries, 100: with increasing delays, nobody waits for more.
    static let mostRetries = 100

    /// Parses the words after the method, or all words if there is no method, and the options.
    ///
    /// - Parameters:
    ///   - method: the method in upper case; nil if there is none.
    ///   - words: the URL and the request items.
    ///   - options: the options.
    static func read(
        _ method: String?,
        _ words: [String],
        _ options: [Arguments.ParsedOption]
    ) throws(UsageError) -> Call {
        for option in options where !CommandEntry.callCategories.contains(option.definition.category) {
            throw .notTaken(option.name, by: method.map { $0.lowercased() } ?? "a call")
        }
        guard let url = words.first, !url.isEmpty else { throw UsageError(reason: "URL is missing") }
        var call = Call(method: method, url: url)
        for option in options { try call.apply(option) }
        try call.add(RequestItem.read(words.dropFirst()))
        if call.isURLEncoded, case .form = call.payload { throw .twoPayloads }
        for name in call.omittedHeaders { call.headers[name] = nil }
        return call
    }

    private mutating func apply(_ option: Arguments.ParsedOption) throws(UsageError) {
        let value = option.value
        switch option.definition.name {
        case .request:
            if method != nil { throw UsageError(reason: "two methods", hint: "use METHOD or -X, once") }
            guard HTTPToken.isToken(value) else { throw UsageError(reason: "\(option.name) needs a method") }
            method = value
        case .header:
            // The text is not shown: without a colon, any part of it can be a credential.
            guard case .header(let name, let value) = RequestItem.header(value) else {
                throw UsageError(reason: "a header is 'Name: value', but this one has no colon")
            }
            try addHeader(name, value)
        case .data: try setContent(PayloadArgument.Source(value))
        case .json: try setJSON(PayloadArgument.Source(value))
        case .urlencoded: isURLEncoded = true
        case .form: try addField(value)
        case .user: try authorize(value)
        case .output:
            let path = try path(value, of: option.name)
            output = path == "-" ? .rawBytes : .file(path)
        case .download: output = .namedFile
        case .include: includesHead = true
        case .verbose: isVerbose = true
        case .showSecrets: showsSecrets = true
        case .trace: tracing = true
        case .printAs:
            guard let code = Code(rawValue: value) else {
                throw UsageError(reason: "\(option.name) has an unknown format", hint: "--as curl or --as swift")
            }
            self.code = code
        case .follow: followsRedirects = true
        case .timeout:
            guard let seconds = Double(value), seconds > 0, seconds <= Self.longestTimeout else {
                throw UsageError(reason: "\(option.name) needs a number of seconds, more than 0")
            }
            timeout = .seconds(seconds)
        case .retry:
            guard let count = Int(value), (0...Self.mostRetries).contains(count) else {
                throw UsageError(reason: "\(option.name) needs a count from 0 to \(Self.mostRetries)")
            }
            retries = count
        case .cache: cache = try path(value, of: option.name)
        case .cookies: cookies = try path(value, of: option.name)
        case .baseURL, .help, .version: break
        }
    }

    private func path(_ value: String, of name: String) throws(UsageError) -> String {
        if value.isEmpty { throw UsageError(reason: "\(name) needs a path", hint: "\(name) PATH") }
        return value
    }

    /// Fields that every engine sends, and that HTTP requires or ``Input`` can't suppress.
    private static let requiredHeaders: Set = ["host", "content-length", "user-agent", "accept-encoding"]

    private mutating func addHeader(_ name: String, _ value: String?) throws(UsageError) {
        guard let value else {
            if Self.requiredHeaders.contains(name.lowercased()) {
                throw UsageError(reason: "\(name) can't be left out", hint: "'\(name): VALUE' replaces it")
            }
            omittedHeaders.insert(name.lowercased())
            return
        }
        if name.lowercased() == "authorization" { try checkCredentials() }
        headers.append(name, value)
    }

    private func checkCredentials() throws(UsageError) {
        if user != nil || headers.contains(Authorization.headerName) { throw .twoCredentials }
    }

    private mutating func authorize(_ user: String) throws(UsageError) {
        try checkCredentials()
        guard let colon = user.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            self.user = user
            return
        }
        try authorize(String(user[..<colon]), String(user[user.utf8.index(after: colon)...]))
    }

    /// Sets the credentials of a user.
    mutating func authorize(_ user: String, _ password: String) throws(UsageError) {
        switch Either<ConnectionError, Authorization>.basic(user: user, password: password) {
        case .left(let error): throw UsageError(reason: "\(error)")
        case .right(let authorization): headers.append(Authorization.headerName, authorization.value)
        }
    }

    private mutating func setContent(_ source: PayloadArgument.Source) throws(UsageError) {
        try setPayload(.content(source))
    }

    private mutating func setJSON(_ source: PayloadArgument.Source) throws(UsageError) {
        if case .text(let text) = source, JSONFormatter.format(Data(text.utf8)) == nil {
            throw UsageError(reason: "--json needs JSON", hint: "key=value items are JSON without it")
        }
        try setContent(source)
        headers.setIfAbsent("Accept", to: MediaType.json.rawValue)
    }

    private mutating func addField(_ text: String) throws(UsageError) {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
            throw UsageError(reason: "a part of a form has no =", hint: "-F NAME=VALUE or -F NAME=@FILE")
        }
        let source = PayloadArgument.Source(String(text[text.utf8.index(after: equals)...]))
        let field = PayloadArgument.Field(name: String(text[..<equals]), source: source)
        switch payload {
        case nil: payload = .form([field])
        case .form(let fields):
            if source == .standardInput, fields.contains(where: { $0.source == source }) {
                throw UsageError(reason: "two parts of a form from standard input")
            }
            payload = .form(fields + [field])
        case .content, .items: throw .twoPayloads
        }
    }

    private mutating func add(_ items: [RequestItem]) throws(UsageError) {
        for case .header(let name, let value) in items { try addHeader(name, value) }
        for case .query(let name, let value) in items { queries.append(URLQueryItem(name: name, value: value)) }
        let members = items.filter { $0.member != nil }
        if members.isEmpty { return }
        try RequestItem.check(members, asForm: isURLEncoded)
        try setPayload(.items(members))
        if !isURLEncoded { headers.setIfAbsent("Accept", to: "\(MediaType.json.rawValue), */*;q=0.5") }
    }

    private mutating func setPayload(_ payload: PayloadArgument) throws(UsageError) {
        if self.payload != nil { throw .twoPayloads }
        self.payload = payload
    }
}

extension UsageError {
    fileprivate static let twoPayloads = UsageError(
        reason: "two payloads",
        hint: "a request takes one of -d, --json, -F and key=value"
    )

    fileprivate static let twoCredentials = UsageError(reason: "two Authorization fields", hint: "use -u or -H, once")
}
