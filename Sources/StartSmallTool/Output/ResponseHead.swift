import Foundation
import StartSmall

/// The printer of a response's head: its status and its header fields, with credentials redacted.
struct ResponseHead {
    let call: Call
    let console: Console

    /// Writes the head if the options of the call request it: `-i` and HEAD to standard output, `-v` to standard error.
    ///
    /// Without these options, the head is written to standard error on a terminal, and not at all for a pipe.
    func write(_ response: Response) throws(StreamError) {
        let lines = Self.lines(of: response)
        // The head with any other status was written when it arrived.
        if call.isVerbose, response.statusCode.isSuccess { Self.trace(response, console) }
        if call.includesHead || call.sentMethod == "HEAD" {
            try console.write(Data((lines.joined(separator: "\n") + "\n\n").utf8))
        } else if !call.isVerbose, console.isTerminal(.error), call.isToFile || console.isTerminal(.output) {
            for line in lines + [""] { console.error(console.styled(line, .faint, on: .error)) }
        }
    }

    /// Returns the status and the header fields, one per line.
    static func lines(of response: Response) -> [String] {
        ["\(response.statusCode)"] + response.headers.fields.map(\.description)
    }

    /// Writes each request, and each response without success, to standard error.
    static func tracing(_ console: Console) -> Wrapper {
        Wrapper { input, next in
            let target = Redaction.standard.shown(
                url: URIEncoding.appending(input.queries, to: input.url.absoluteString)
            )
            console.error("> \(Redaction.standard.shown(text: input.methodAndPayload.method)) \(target)")
            for field in input.headers.fields { console.error("> \(field)") }
            console.error(input.methodAndPayload.payload.map { ">\n> (\($0))" } ?? ">")
            let output = await next(input)
            if case .hasResponse(let response) = output, !response.statusCode.isSuccess { trace(response, console) }
            return output
        }
    }

    private static func trace(_ response: Response, _ console: Console) {
        for line in lines(of: response) { console.error("< \(line)") }
        console.error("<")
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
