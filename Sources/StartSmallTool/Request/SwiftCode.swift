import Foundation
import StartSmall

/// A call as a Swift program with this kit.
enum SwiftCode {
    /// Returns the program, which compiles; a redacted credential is shown as `<redacted>`, to be replaced.
    static func text(of input: Input, for call: Call) -> String {
        "import Foundation\nimport StartSmall\n\n\(program(of: input, for: call))"
    }

    /// Returns the program without its imports; comments name what is different from the call of the tool.
    static func program(of input: Input, for call: Call) -> String {
        let request = request(input, call.redaction)
        let target = target(of: call, input.url)
        let endpoint =
            target.map { "download(\n    \(request),\n    to: \(file($0))\n)" } ?? "text(\n    \(request)\n)"
        let wrappers = wrappers(for: call).joined(separator: ",\n    ")
        let connector = "let connector = Connector.standard.wrapped(by: [\n    \(wrappers),\n])\n"
        let (name, value) = target == nil ? ("text", "text") : ("file", "file.path")
        return notes(on: call).map { "// \($0)\n" }.joined() + """
            let endpoint = Endpoint.\(endpoint)
            \(wrappers.isEmpty ? "" : connector)
            switch await endpoint.fetch(\(wrappers.isEmpty ? "" : "via: connector")) {
            case .right(let \(name)): print(\(value))
            case .left(.left(let connectionError)): print("no response: \\(connectionError)")
            case .left(.right(let transformError)): print("no value: \\(transformError)")
            }
            """
    }

    /// Returns the file of the response's payload; nil if the program prints the payload.
    private static func target(of call: Call, _ url: URL) -> URL? {
        switch call.output {
        case .terminalOrPipe, .rawBytes: nil
        case .file(let path): URL(fileURLWithPath: path)
        case .namedFile: URL(fileURLWithPath: NamedFile.name(of: Response(statusCode: .ok), from: url))
        }
    }

    /// Returns the wrappers for the options, the outermost first, as ``CallConnector`` creates them.
    private static func wrappers(for call: Call) -> [String] {
        let condition = "condition: .standard.or(.throttled)"
        let retry = ".retry(.exponential(attempts: \(call.retries + 1), \(condition)))"
        return (call.timeoutInSeconds.map { [".timeout(.seconds(\($0)))"] } ?? []) + (call.retries > 0 ? [retry] : [])
    }

    private static func notes(on call: Call) -> [String] {
        var notes: [String] = []
        if !call.followsRedirects { notes.append("Connector.standard follows redirects, as --follow does.") }
        if call.output == .namedFile { notes.append("The file has the name in the URL, and replaces another one.") }
        var omitted = call.output == .rawBytes ? ["--output -"] : []
        if call.includesHead { omitted.append("--include") }
        if call.isVerbose { omitted.append("--verbose") }
        omitted += call.localOptions
        if !omitted.isEmpty { notes.append("Left out: \(omitted.joined(separator: ", ")).") }
        return notes
    }

    /// Returns the code of the request, with the builder for its method.
    static func request(_ input: Input, _ redaction: Redaction = .standard) -> String {
        let payload = input.methodAndPayload.payload
        let method = input.methodAndPayload.method
        let target = SwiftLiteral.text(redaction.shown(url: input.url.absoluteString))
        let isKnown = withoutPayload.contains(method) && payload == nil || withPayload.contains(method)
        var arguments = isKnown ? [target] : [SwiftLiteral.text(method), target]
        let queries = input.queries.map { pair($0, redaction) }
        if !queries.isEmpty { arguments.append("queries: [\(queries.joined(separator: ", "))]") }
        let fields = input.headers.fields.map { pair($0, redaction) }
        if !fields.isEmpty { arguments.append("headers: [\(fields.joined(separator: ", "))]") }
        if let payload { arguments.append("payload: \(text(of: payload, redaction))") }
        let name = isKnown ? method.lowercased() : "custom"
        if arguments.count == 1 { return ".\(name)(\(target))" }
        return ".\(name)(\n        \(arguments.joined(separator: ",\n        "))\n    )"
    }

    private static let withoutPayload: Set = ["GET", "HEAD"]
    private static let withPayload: Set = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private static func pair(_ item: URLQueryItem, _ redaction: Redaction) -> String {
        let value = item.value.map { SwiftLiteral.text(redaction.shown($0, of: item.name)) } ?? "nil"
        return "\(SwiftLiteral.text(item.name)): \(value)"
    }

    private static func pair(_ field: HTTPHeaders.Field, _ redaction: Redaction) -> String {
        "\(SwiftLiteral.text(field.name)): \(SwiftLiteral.text(redaction.shown(field.value, of: field.name)))"
    }

    private static func text(of payload: Payload, _ redaction: Redaction) -> String {
        switch payload.content {
        case .data(let data): content(data, payload.mediaType, redaction)
        case .file(let url): ".file(\(file(url)), mediaType: \(SwiftLiteral.mediaType(payload.mediaType)))"
        case .multipart(let form):
            ".multipart([\n            "
                + form.parts.map { text(of: $0, redaction) }.joined(separator: ",\n            ") + ",\n        ])"
        case .stream: ".writer(\(SwiftLiteral.mediaType(payload.mediaType))) { writer in /* the bytes */ }"
        }
    }

    private static func text(of part: MultipartForm.Part, _ redaction: Redaction) -> String {
        let name = SwiftLiteral.text(part.name)
        switch part.content {
        case .file(let url): return ".file(\(name), \(file(url)))"
        case .stream: return ".writer(\(name)) { writer in /* the bytes */ }"
        case .data(let data):
            let isSecret = redaction.hides(part.name)
            let text = SwiftLiteral.readable(data).map {
                SwiftLiteral.text(isSecret ? Redaction.placeholder : redacted($0, redaction))
            }
            if part.fileName == nil, let text { return ".text(\(name), \(text))" }
            let content = text.map { "\($0).utf8" } ?? "/* \(data.count) bytes */"
            let fileName = part.fileName.map(SwiftLiteral.text) ?? "nil"
            return ".data(\(name), Data(\(content)), fileName: \(fileName))"
        }
    }

    private static func content(_ data: Data, _ mediaType: MediaType?, _ redaction: Redaction) -> String {
        let type = SwiftLiteral.mediaType(mediaType)
        // Redaction turns a text into one line, which does not change JSON without line feeds.
        guard let text = SwiftLiteral.readable(JSONFormatter.format(data) ?? data) else {
            return ".data(Data(/* \(data.count) bytes */), mediaType: \(type))"
        }
        return ".text(\(SwiftLiteral.text(redacted(text, redaction))), mediaType: \(type))"
    }

    /// Returns the text with secrets redacted; on one line if there were any.
    private static func redacted(_ text: String, _ redaction: Redaction) -> String {
        let shown = redaction.shown(text: text)
        return shown == Redaction.none.shown(text: text) ? text : shown
    }

    private static func file(_ url: URL) -> String {
        "URL(fileURLWithPath: \(SwiftLiteral.text(url.path)))"
    }
}
