import StartSmallCore
import StartSmallDiagnostics
import StartSmallSupport
import Foundation

struct CassetteFile: Codable {
    var version: Int
    var exchanges: [Entry]

    struct Entry: Codable {
        var failure: RecordedFailure?
        var recorded: Date
        var request: Request

        /// The response; nil only beside a failure.
        var response: Answer?
    }

    struct Request: Codable {
        var method: String
        var url: String
        var headers: [String]?
        var mediaType: String?
        var payload: Bytes?
    }

    struct Answer: Codable {
        var status: Int
        var headers: [String]?
        var payload: Bytes?
        var trailers: [String]?
        var redirections: [Step]?
    }

    struct Step: Codable {
        var from: String
        var status: Int
        var to: String
    }

    /// A payload in a file.
    ///
    /// The payload is a text in lines, or one line of JSON in pieces, so that a diff shows the changed lines. Other
    /// bytes are in Base64. A payload that is not in the file has a description.
    struct Bytes: Codable {
        var text: [String]?
        var json: [String]?
        var base64: String?
        var omitted: String?

        /// The sizes in bytes of the parts in which a stream arrived.
        var chunks: [Int]?
    }

    init(version: Int, exchanges: [Entry]) { (self.version, self.exchanges) = (version, exchanges) }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decode(Int.self, forKey: .version)
        guard version == Cassette.version else {
            throw CassetteError(
                "version \(version) is not supported, only version \(Cassette.version): record the file again"
            )
        }
        exchanges = try values.decode([Entry].self, forKey: .exchanges)
    }
}

extension CassetteFile.Entry {
    init(_ exchange: Exchange) {
        failure = exchange.failure
        recorded = exchange.recorded
        let (input, response) = (exchange.input, exchange.response)
        request = CassetteFile.Request(
            method: input.methodAndPayload.method,
            url: input.url.cassetteText,
            headers: input.headers.lines,
            mediaType: input.methodAndPayload.payload?.mediaType?.rawValue,
            payload: input.methodAndPayload.payload.map { _ in
                CassetteFile.Bytes(input.methodAndPayload.body ?? Data(), omitted: exchange.omittedInput)
            }
        )
        if failure != nil, exchange.arrived == nil { return }
        let steps = response.redirections.map { step in
            CassetteFile.Step(from: step.from.cassetteText, status: step.statusCode.code, to: step.to.cassetteText)
        }
        var payload = CassetteFile.Bytes(response.payload, omitted: exchange.omittedResponse)
        payload.chunks = exchange.chunks.isEmpty ? nil : exchange.chunks
        self.response = CassetteFile.Answer(
            status: response.statusCode.code,
            headers: response.headers.lines,
            payload: response.payload.isEmpty && exchange.omittedResponse == nil ? nil : payload,
            trailers: response.trailers.lines,
            redirections: steps.isEmpty ? nil : steps
        )
    }

    var exchange: Exchange {
        get throws(CassetteError) {
            if response == nil, failure == nil {
                throw CassetteError("an exchange has neither \"response\" nor \"failure\"")
            }
            return Exchange(
                input: try request.input,
                response: try response?.response ?? Exchange.nothing,
                chunks: try response?.payload?.sizes ?? [],
                failure: failure,
                recorded: recorded,
                omittedInput: request.payload?.omitted,
                omittedResponse: response?.payload?.omitted
            )
        }
    }
}

extension CassetteFile.Request {
    fileprivate var input: Input {
        get throws(CassetteError) {
            let content = try payload?.data
            let payload = content.map { Payload(.data($0), mediaType: mediaType.map(MediaType.init(rawValue:))) }
            return Input(
                url: try URL.cassette(url),
                headers: try HTTPHeaders(lines: headers),
                methodAndPayload: HTTPMethodAndPayload(method: method, payload: payload)
            )
        }
    }
}

extension CassetteFile.Answer {
    fileprivate var response: Response {
        get throws(CassetteError) {
            var steps: [Redirection] = []
            for step in redirections ?? [] {
                let (from, to) = (try URL.cassette(step.from), try URL.cassette(step.to))
                steps.append(Redirection(from: from, statusCode: .from(code: step.status), to: to))
            }
            return Response(
                statusCode: .from(code: status),
                headers: try HTTPHeaders(lines: headers),
                payload: try payload?.data ?? Data(),
                trailers: try HTTPHeaders(lines: trailers),
                redirections: steps
            )
        }
    }
}

extension CassetteFile.Bytes {
    fileprivate init(_ data: Data, omitted: String?) {
        self.omitted = omitted
        if omitted != nil { return }
        guard let text = String(validating: data, as: UTF8.self) else {
            base64 = data.base64EncodedString()
            return
        }
        json = JSONPieces.pieces(of: text)
        if json != nil { return }
        // By bytes: `\r\n` is one `Character`, which differs from `\n`.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        self.text = lines.map { String(Substring($0)) }
    }

    /// The payload; empty if it is not in the file.
    fileprivate var data: Data {
        get throws(CassetteError) {
            switch (text, json, base64, omitted) {
            case (let lines?, nil, nil, nil): return Data(lines.joined(separator: "\n").utf8)
            case (nil, let pieces?, nil, nil): return Data(pieces.joined().utf8)
            case (nil, nil, let base64?, nil):
                guard let data = Data(base64Encoded: base64) else { throw CassetteError("a payload is not Base64") }
                return data
            case (nil, nil, nil, _?): return Data()
            default:
                throw CassetteError("a payload needs exactly one of \"text\", \"json\", \"base64\" and \"omitted\"")
            }
        }
    }

    fileprivate var sizes: [Int] {
        get throws(CassetteError) {
            let (sizes, count) = (chunks ?? [], try data.count)
            guard sizes.allSatisfy({ (0...count).contains($0) }) else {
                throw CassetteError("a chunk has a size that its payload can't have")
            }
            return sizes
        }
    }
}

extension URL {
    /// The text in a file, where placeholders are readable.
    fileprivate var cassetteText: String { absoluteString.withPlaceholders }

    fileprivate static func cassette(_ text: String) throws(CassetteError) -> URL {
        let encoded = text.replacingOccurrences(
            of: CassetteRedaction.placeholder,
            with: CassetteRedaction.encodedPlaceholder
        )
        guard let url = URL(string: encoded) else {
            throw CassetteError("not a URL: \"\(Redaction.standard.shown(url: text))\"")
        }
        return url
    }
}

extension HTTPHeaders {
    /// The fields as lines of the form `Name: value`; nil for none.
    fileprivate var lines: [String]? {
        fields.isEmpty ? nil : fields.map { "\($0.name): \($0.value)" }
    }

    /// Creates fields from lines, none of which may end its line in a message (RFC 9110 5.1, 5.5).
    fileprivate init(lines: [String]?) throws(CassetteError) {
        self.init()
        for line in lines ?? [] {
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
                throw CassetteError("not a header field: \"\(Redaction.standard.shown(text: line))\"")
            }
            let (name, value) = (String(line[..<colon]), line[line.utf8.index(after: colon)...])
            guard HTTPToken.isToken(name) else {
                throw CassetteError("not the name of a header field: \"\(Redaction.standard.shown(text: name))\"")
            }
            append(name, value.trimmingCharacters(in: .whitespaces))
            guard HTTPToken.isFieldValue(String(value)) else {
                throw CassetteError("a control character in the header field \(name)")
            }
        }
    }
}
