public import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// A log entry of a call: plain values without credentials, as detailed as ``LogVerbosity`` allows.
public struct LogEntry: Equatable, Sendable {
    /// The number of the call among those of one wrapped connector, from 1.
    public var number: Int

    /// The method.
    public var method: String

    /// The URL with all query items.
    public var url: String

    /// The kind and size of the request's payload; nil if there was none.
    public var payload: String?

    /// The header fields of the request, if the verbosity includes them.
    public var headers: HTTPHeaders = [:]

    /// The request's payload on one line, if the verbosity includes it; for a file or form only its kind and size.
    public var payloadText: String?

    /// A curl command that sends the same request, if the verbosity includes it.
    public var curlCommand: String?

    /// The outcome of the call; nil when the call begins.
    public var outcome: Outcome?

    /// The outcome of a call.
    public struct Outcome: Equatable, Sendable {
        /// The status; nil if there was no response.
        public var status: HTTPStatus?

        /// The server's name of the request (``Response/requestID``); nil without one, and for an error, which has it.
        public var requestID: String?

        /// A description of the error; nil if there was a response.
        public var error: String?

        /// The size of the payload that was received into memory or a file, or read from a body, in bytes.
        public var size: Int

        /// The header fields of the response, if the verbosity includes them.
        public var headers: HTTPHeaders = [:]

        /// The response's payload on one line, if the verbosity includes it.
        public var payloadText: String?

        /// The duration of the call.
        public var duration: Duration

        /// Creates an outcome, for tests of functions that receive entries.
        public init(status: HTTPStatus? = nil, error: String? = nil, size: Int = 0, duration: Duration) {
            (self.status, self.error, self.size, self.duration) = (status, error, size, duration)
        }
    }

    /// Creates an entry, for tests of functions that receive entries.
    public init(number: Int, method: String, url: String) {
        (self.number, self.method, self.url) = (number, method, url)
    }
}

extension LogEntry {
    init(_ number: Int, _ input: Input, _ detail: LogVerbosity, _ redaction: Redaction) {
        self.init(
            number: number,
            method: redaction.shown(text: input.methodAndPayload.method),
            url: redaction.shown(url: URIEncoding.appending(input.queries, to: input.url.absoluteString))
        )
        let payload = input.sentPayload
        self.payload = payload?.description
        curlCommand = detail.command.map { $0(input, redaction) }
        if detail.showsHeaders { headers = input.headers.hiding(redaction) }
        if let text = detail.payloadText, let payload {
            payloadText =
                if case .data(let data) = payload.content { text(data, payload.mediaType, redaction, input) } else {
                    payload.description
                }
        }
    }

    mutating func end(
        with output: Output,
        of input: Input,
        after duration: Duration,
        _ detail: LogVerbosity,
        _ redaction: Redaction
    ) {
        switch output {
        case .noResponse(let error):
            let (text, size) = (redaction.shown(text: error.description), error.response?.content.size ?? 0)
            outcome = Outcome(error: text, size: size, duration: duration)
        case .hasResponse(let response):
            var outcome = Outcome(status: response.statusCode, size: response.content.size ?? 0, duration: duration)
            outcome.requestID = response.requestID.map { redaction.shown(text: $0) }
            if detail.showsHeaders { outcome.headers = response.headers.hiding(redaction) }
            if let text = detail.payloadText, !response.payload.isEmpty {
                outcome.payloadText = text(response.payload, response.contentType, redaction, input)
            }
            self.outcome = outcome
        }
    }
}

extension LogEntry: CustomStringConvertible {
    /// The request while there is no outcome, then the outcome; headers, payload and command on the following lines.
    public var description: String {
        guard let outcome else {
            let line = "#\(number) → \(method) \(url)\(payload.map { ", \($0)" } ?? "")"
            return Self.lines(line, headers, payloadText, curlCommand)
        }
        let id = outcome.requestID.map { ", request \($0)" } ?? ""
        let what = outcome.status.map { "\($0)\(id), \(outcome.size) bytes" } ?? outcome.error ?? ""
        return Self.lines("#\(number) ← \(what), \(outcome.duration.inSeconds)", outcome.headers, outcome.payloadText)
    }

    private static func lines(_ first: String, _ headers: HTTPHeaders, _ texts: String?...) -> String {
        let fields = headers.fields.map { "  \($0.name): \($0.value)" }
        return ([first] + fields + texts.compactMap { $0.map { "  \($0)" } }).joined(separator: "\n")
    }
}

extension HTTPHeaders {
    /// Returns these fields as one line each, with credentials redacted.
    fileprivate func hiding(_ redaction: Redaction) -> HTTPHeaders {
        HTTPHeaders(
            fields.map { Field(name: redaction.shown(name: $0.name), value: redaction.shown($0.value, of: $0.name)) }
        )
    }
}

extension Duration {
    /// The duration in seconds with three decimal places, such as `0.012 s`.
    fileprivate var inSeconds: String {
        let (seconds, attoseconds) = max(self, .zero).components
        let milliseconds = "\(attoseconds / 1_000_000_000_000_000)"
        return "\(seconds).\(String(repeating: "0", count: 3 - milliseconds.count))\(milliseconds) s"
    }
}
