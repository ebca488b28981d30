import Foundation
import StartSmall

/// A request as a Swift program with this kit, with credentials redacted.
enum SwiftCode {
    /// Returns the program, which compiles; a redacted credential is shown as `<redacted>`, to be replaced.
    static func text(of input: Input) -> String {
        """
        import Foundation
        import StartSmall

        let endpoint = Endpoint.text(
            \(request(input))
        )

        switch await endpoint.fetch() {
        case .right(let text): print(text)
        case .left(.left(let connectionError)): print("no response: \\(connectionError)")
        case .left(.right(let transformError)): print("no value: \\(transformError)")
        }
        """
    }

    /// Returns the code of the request, with the builder for its method.
    static func request(_ input: Input) -> String {
        let payload = input.methodAndPayload.payload
        let method = input.methodAndPayload.method
        let target = SwiftLiteral.text(Redaction.standard.shown(url: input.url.absoluteString))
        let isKnown = withoutPayload.contains(method) && payload == nil || withPayload.contains(method)
        var arguments = isKnown ? [target] : [SwiftLiteral.text(method), target]
        if !input.queries.isEmpty { arguments.append("queries: [\(list(input.queries.map(pair)))]") }
        if !input.headers.fields.isEmpty { arguments.append("headers: [\(list(input.headers.fields.map(pair)))]") }
        if let payload { arguments.append("payload: \(text(of: payload))") }
        let name = isKnown ? method.lowercased() : "custom"
        if arguments.count == 1 { return ".\(name)(\(target))" }
        return ".\(name)(\n        \(arguments.joined(separator: ",\n        "))\n    )"
    }

    private static let withoutPayload: Set = ["GET", "HEAD"]
    private static let withPayload: Set = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    private static func list(_ elements: [String]) -> String {
        elements.joined(separator: ", ")
    }

    private static func pair(_ item: URLQueryItem) -> String {
        let value = item.value.map { SwiftLiteral.text(Redaction.standard.shown($0, of: item.name)) } ?? "nil"
        return "\(SwiftLiteral.text(item.name)): \(value)"
    }

    private static func pair(_ field: HTTPHeaders.Field) -> String {
        "\(SwiftLiteral.text(field.name)): \(SwiftLiteral.text(Redaction.standard.shown(field.value, of: field.name)))"
    }

    private static func text(of payload: Payload) -> String {
        switch payload.content {
        case .data(let data): content(data, payload.mediaType)
        case .file(let url): ".file(\(file(url)), mediaType: \(SwiftLiteral.mediaType(payload.mediaType)))"
        case .multipart(let form):
            ".multipart([\n            \(form.parts.map(text).joined(separator: ",\n            ")),\n        ])"
        case .stream: ".writer(\(SwiftLiteral.mediaType(payload.mediaType))) { writer in /* the bytes */ }"
        }
    }

    private static func text(of part: MultipartForm.Part) -> String {
        let name = SwiftLiteral.text(part.name)
        switch part.content {
        case .file(let url): return ".file(\(name), \(file(url)))"
        case .stream: return ".writer(\(name)) { writer in /* the bytes */ }"
        case .data(let data):
            let isSecret = Redaction.standard.hides(part.name)
            let text = SwiftLiteral.readable(data).map {
                SwiftLiteral.text(isSecret ? Redaction.placeholder : redacted($0))
            }
            if part.fileName == nil, let text { return ".text(\(name), \(text))" }
            let content = text.map { "\($0).utf8" } ?? "/* \(data.count) bytes */"
            let fileName = part.fileName.map(SwiftLiteral.text) ?? "nil"
            return ".data(\(name), Data(\(content)), fileName: \(fileName))"
        }
    }

    private static func content(_ data: Data, _ mediaType: MediaType?) -> String {
        let type = SwiftLiteral.mediaType(mediaType)
        // Redaction turns a text into one line, which does not change JSON without line feeds.
        guard let text = SwiftLiteral.readable(JSONFormatter.format(data) ?? data) else {
            return ".data(Data(/* \(data.count) bytes */), mediaType: \(type))"
        }
        return ".text(\(SwiftLiteral.text(redacted(text))), mediaType: \(type))"
    }

    /// Returns the text with secrets redacted; on one line if there were any.
    private static func redacted(_ text: String) -> String {
        let shown = Redaction.standard.shown(text: text)
        return shown == Redaction.none.shown(text: text) ? text : shown
    }

    private static func file(_ url: URL) -> String {
        "URL(fileURLWithPath: \(SwiftLiteral.text(url.path)))"
    }
}
