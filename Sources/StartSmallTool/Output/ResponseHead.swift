import Foundation
import StartSmall

/// The printer of a response's head: its status line and its header fields.
struct ResponseHead {
    let call: Call
    let console: Console

    /// Writes the head if the options of the call request it: `-i` and HEAD to standard output, `-v` to standard error.
    ///
    /// Without these options, the head is written to standard error on a terminal, and not at all for a pipe.
    func write(_ response: Response) throws(StreamError) {
        // The head with any other status was written when it arrived.
        if call.isVerbose, response.statusCode.isSuccess { trace(response) }
        let lines = lines(of: response)
        if call.includesHead || call.sentMethod == "HEAD" {
            try console.write(Data((lines.map(TerminalText.line).joined(separator: "\n") + "\n\n").utf8))
        } else if !call.isVerbose, console.isTerminal(.error), call.isToFile || console.isTerminal(.output) {
            for line in lines + [""] { console.error(line, .faint) }
        }
    }

    /// Returns the status line, without a version of HTTP that is not known, and the header fields.
    private func lines(of response: Response) -> [String] {
        let version = response.httpVersion.map { "/\($0)" } ?? ""
        return ["HTTP\(version) \(response.statusCode)"] + response.headers.fields.map(text)
    }

    private func text(of field: HTTPHeaders.Field) -> String { field.description(redacting: call.redaction) }

    /// Writes each request as it is sent, and each response without success, to standard error.
    func tracing() -> Wrapper {
        Wrapper { input, next in
            trace(input)
            let output = await next(input)
            if case .hasResponse(let response) = output, !response.statusCode.isSuccess { trace(response) }
            return output
        }
    }

    private func trace(_ response: Response) {
        for line in lines(of: response) { console.error("< \(line)") }
        console.error("<")
    }

    /// The maximum number of payload bytes that `-v` shows, 64 KiB.
    private static let payloadLimit = 64 * 1024

    private func trace(_ input: Input) {
        let target = call.redaction.shown(url: URIEncoding.appending(input.queries, to: input.url.absoluteString))
        console.error("> \(call.redaction.shown(text: input.methodAndPayload.method)) \(target)")
        let request = ValidatedRequest.from(input).right
        for field in request.map(Self.sentFields) ?? input.headers.fields { console.error("> \(text(of: field))") }
        console.error(">")
        guard let payload = input.sentPayload else { return }
        let shown = request?.payload.map { data in
            call.redaction.shown(payload: data, mediaType: payload.mediaType, limit: Self.payloadLimit)
        }
        console.error("> \(shown ?? "(\(payload))")")
    }

    /// Returns all header fields of a request, with those that the engine for Linux adds.
    private static func sentFields(of request: ValidatedRequest) -> [HTTPHeaders.Field] {
        #if os(Linux) && !APPLE_BRANCH
            let lines = request.fieldLines(for: ConnectionOptions())
        #else
            let lines = request.headers.fields.map { "\($0.name): \($0.value)" }
        #endif
        var headers = HTTPHeaders()
        if let host = request.url.host(percentEncoded: true), !request.headers.contains("Host") {
            let port = request.url.port.flatMap { $0 == (request.url.scheme == "http" ? 80 : 443) ? nil : ":\($0)" }
            headers.append("Host", (host.contains(":") ? "[\(host)]" : host) + (port ?? ""))
        }
        // The engine's notation: `Name: value`, `Name;` for an empty value, `Name:` for a field that is not sent.
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 1 { headers.append(String(line.dropLast()), "") }
            guard let name = parts.first, parts.count == 2, let value = parts.last, !value.isEmpty else { continue }
            headers.append(String(name), value.trimmingCharacters(in: .whitespaces))
        }
        let count = request.payload?.count ?? request.source?.count ?? (request.mustTellLength ? 0 : nil)
        if let count { headers["Content-Length"] = "\(count)" }
        return headers.fields
    }
}

extension Call {
    /// Whether the payload goes to a file.
    var isToFile: Bool {
        switch output {
        case .terminalOrPipe, .rawBytes: false
        case .file, .namedFile: true
        }
    }
}
