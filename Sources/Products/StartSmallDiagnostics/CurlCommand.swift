public import StartSmallCore
import StartSmallForms
import StartSmallSupport
import StartSmallFoundation

extension Request {
    /// Returns a command for a POSIX shell that sends the same request with curl.
    ///
    /// ```swift
    /// print(input.curlCommand(redacting: .none))
    /// ```
    ///
    /// All values are quoted, so that neither the shell nor curl interprets any of their characters. The command is one
    /// line without control characters: a payload that is not plain text on one line is written by `printf`, and one
    /// with files in it by `cat`; the files are not inspected here. A
    /// ``PayloadStream`` is not produced here: a comment replaces it. Another comment says that the URL is relative.
    /// Illegal header fields, which no engine would send, are omitted.
    ///
    /// - Parameter redaction: the rules for credentials, which are redacted by default; `.none` shows them.
    public func curlCommand(redacting redaction: Redaction = .standard) -> String {
        curlCommand(redacting: redaction, payloadLimit: .max)
    }

    /// Returns the command without a payload of more than `limit` bytes; a comment replaces it.
    func curlCommand(redacting redaction: Redaction, payloadLimit limit: Int) -> String {
        let sent = sentPayload
        let payload = sent.map { payload in
            payload.countInMemory > limit ? CurlPayload(over: limit) : CurlPayload(payload, hiding: redaction)
        }
        // A configuration file of the user would change the request; `--disable` works only as the first word.
        // Without `--path-as-is`, curl removes `/../` and `/./` from the path.
        var words = ["curl", "--disable", "--globoff", "--path-as-is"]
        words += methodWords(hasPayload: payload != nil)
        words += headerWords(redaction, mediaType: sent?.mediaType, hasPayload: payload != nil)
        words += payload?.words ?? []
        words += ["--url", ShellWord.quoted(Self.urlWord(redaction.hidingForms(in: redaction.shown(url: target))))]
        let remark = (url.scheme == nil ? Self.relativeRemark : "") + (payload?.remark ?? "")
        return (payload?.producer.map { "\($0) | " } ?? "") + words.joined(separator: " ") + remark
    }

    /// A comment of the shell after a URL that an app resolves by `.baseURL`, and curl can't.
    private static let relativeRemark =
        " # the URL is relative: a dry run of the connector returns the one that is sent"

    private var target: String { URIEncoding.appending(queries, to: url.absoluteString) }

    /// Returns a URL that curl takes for one: from version 8.13 on, it reads a file of URLs after an `@`.
    private static func urlWord(_ url: String) -> String {
        url.utf8.first == UInt8(ascii: "@") ? "%40\(String(url.unicodeScalars.dropFirst()))" : url
    }

    private func methodWords(hasPayload: Bool) -> [String] {
        switch methodAndPayload.method {
        case "GET" where !hasPayload: []
        case "HEAD" where !hasPayload: ["--head"]
        default: ["--request", ShellWord.quoted(methodAndPayload.method.onOneLine)]
        }
    }

    private func headerWords(_ redaction: Redaction, mediaType: MediaType?, hasPayload: Bool) -> [String] {
        var headers = headers
        if let mediaType { headers.setIfAbsent("Content-Type", to: mediaType.rawValue) }
        var lines = headers.fields.filter { $0.rejectionReason == nil }.map { field in
            // `Name:` would omit the field, and `Name;` sends it empty.
            let isEmpty = field.value.allSatisfy { $0 == " " || $0 == "\t" }
            if isEmpty { return "\(field.name);" }
            let isHidden = redaction.hides(field.name)
            return
                "\(field.name): \(isHidden ? Redaction.placeholder : redaction.hidingForms(in: redaction.hiding(text: field.value)))"
        }
        // By default, curl adds its own `User-Agent`, accepts anything, and labels a payload as a form.
        let own = ["Accept", "User-Agent"] + (hasPayload ? ["Content-Type"] : [])
        lines += own.filter { !headers.contains($0) }.map { "\($0):" }
        return lines.flatMap { ["--header", ShellWord.onOneLine($0)] }
    }
}

/// The payload of a curl command: as words, or from a command in front.
private struct CurlPayload {
    private(set) var words: [String]
    private(set) var producer: String?
    private(set) var remark: String?

    /// The maximum number of bytes of a word: half of the limit of Linux (`MAX_ARG_STRLEN`, 128 KiB).
    private static let longestWord = 64 * 1024

    init(over limit: Int) {
        words = ["--data-binary", "@-"]
        remark = Self.remark("more than \(limit) bytes of payload")
    }

    init(_ payload: Payload, hiding redaction: Redaction) {
        words = ["--data-binary", "@-"]
        switch payload.content {
        case .data(let data):
            guard let shown = redaction.hiding(payload: data, mediaType: payload.mediaType) else {
                // Without the media type: a shell that knows no remarks would interpret the marks in one.
                remark = Self.remark("\(data.count) bytes of payload, which may contain secrets")
                return
            }
            if shown.count <= Self.longestWord, let text = String(validating: shown, as: UTF8.self),
                text.onOneLine.isSame(as: text)
            {
                words = ["--data-raw", ShellWord.quoted(text)]
            } else {
                producer = ShellWord.printing(shown)
            }
        case .file(let url): words = ["--data-binary", ShellWord.onOneLine("@" + Self.path(of: url))]
        case .assembled:
            guard let form = payload.content.multipartForm, form.streams.isEmpty else {
                remark = Self.remark("a form with a stream")
                return
            }
            let commands = form.contents(hiding: redaction).compactMap { content in
                switch content {
                case .data(let data): ShellWord.printing(data)
                case .file(let url): "cat \(ShellWord.onOneLine(Self.path(of: url)))"
                case .assembled, .stream: nil
                }
            }
            producer = "{ \(commands.joined(separator: "; ")); }"
        case .stream(let stream): remark = Self.remark("a \(stream)")
        }
    }

    private static func remark(_ leftOut: String) -> String {
        " # \(leftOut), omitted: pass them on standard input"
    }

    /// Returns a path that is neither an option nor the `-` of the standard input.
    private static func path(of url: URL) -> String {
        let path = url.absoluteURL.path
        return path.utf8.first == UInt8(ascii: "/") ? path : "./\(path)"
    }
}

extension Payload {
    fileprivate var countInMemory: Int {
        switch content {
        case .data(let data): data.count
        case .file, .stream: 0
        case .assembled:
            (content.multipartForm?.parts ?? []).reduce(0) { count, part in
                if case .data(let data) = part.content { count + data.count } else { count }
            }
        }
    }
}

extension HTTPHeaders {
    fileprivate func hidden(by redaction: Redaction) -> HTTPHeaders {
        HTTPHeaders(fields.map { Field(name: $0.name, value: redaction.shown($0.value, of: $0.name)) })
    }
}

extension MultipartForm {
    /// Returns the form as it is sent, with secret parts, and parts that can't be searched for secrets, replaced.
    fileprivate func contents(hiding redaction: Redaction) -> [Part.Content] {
        var form = self
        for index in form.parts.indices {
            let part = form.parts[index]
            guard case .data(let data) = part.content else { continue }
            let shown =
                redaction.hides(part.name) ? nil : redaction.hiding(payload: data, mediaType: part.sentMediaType)
            form.parts[index].content = .data(shown ?? Data(Redaction.placeholder.utf8))
        }
        for index in form.parts.indices { form.parts[index].headers = form.parts[index].headers.hidden(by: redaction) }
        return form.contents
    }
}
