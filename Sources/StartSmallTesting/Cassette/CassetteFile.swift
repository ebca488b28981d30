import Foundation
import StartSmall

/// The form of a cassette's file.
struct CassetteFile: Codable {
    var version: Int
    var exchanges: [Entry]

    struct Entry: Codable {
        var recorded: String
        var request: Request
        var response: Answer
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

    /// A text line by line, or JSON of one line in pieces, so that a difference shows the lines that it is in, with the name
    /// of its encoding unless it is UTF-8; or any bytes.
    struct Bytes: Codable {
        var text: [String]?
        var json: [String]?
        var charset: String?
        var base64: String?
    }
}

extension CassetteFile.Entry {
    init(_ exchange: Exchange) {
        recorded = exchange.recorded.formatted(.iso8601)
        request = CassetteFile.Request(exchange.input)
        response = CassetteFile.Answer(exchange.response)
    }

    var exchange: Exchange {
        get throws(CassetteError) {
            guard let date = Date(cassette: recorded) else { throw CassetteError("not a time: \"\(recorded)\"") }
            return Exchange(input: try request.input, response: try response.response, recorded: date)
        }
    }
}

extension CassetteFile.Request {
    init(_ input: Input) {
        method = input.methodAndPayload.method
        url = input.url.absoluteString.showingPlaceholder
        headers = input.headers.lines
        mediaType = input.methodAndPayload.payload?.mediaType?.rawValue
        payload = input.methodAndPayload.body == nil ? nil : CassetteFile.Bytes(input.recordedPayload)
    }

    var input: Input {
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
    init(_ response: Response) {
        status = response.statusCode.code
        headers = response.headers.lines
        payload = response.payload.isEmpty ? nil : CassetteFile.Bytes(response.recordedPayload)
        trailers = response.trailers.lines
        let steps = response.redirections.map { step in
            CassetteFile.Step(
                from: step.from.absoluteString.showingPlaceholder,
                status: step.statusCode.code,
                to: step.to.absoluteString.showingPlaceholder
            )
        }
        redirections = steps.isEmpty ? nil : steps
    }

    var response: Response {
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
    init(_ payload: RecordedPayload) {
        let named = payload.text?.named
        if let text = named?.text ?? String(validating: payload.data, as: UTF8.self) {
            json = JSONPieces.pieces(of: text)
            // By bytes: `\r\n` is one `Character`, which would not be taken for a line's end.
            let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            self.text = json == nil ? lines.map { String(Substring($0)) } : nil
            charset = named?.charset
        } else {
            base64 = payload.data.base64EncodedString()
        }
    }

    var data: Data {
        get throws(CassetteError) {
            switch (text, json, base64) {
            case (let lines?, nil, nil): return try data(of: lines.joined(separator: "\n"))
            case (nil, let pieces?, nil): return try data(of: pieces.joined())
            case (nil, nil, let base64?):
                guard let data = Data(base64Encoded: base64) else { throw CassetteError("a payload is not Base64") }
                return data
            default: throw CassetteError("a payload has one of \"text\" and \"base64\", or \"json\"")
            }
        }
    }

    private func data(of text: String) throws(CassetteError) -> Data {
        guard let charset else { return Data(text.utf8) }
        guard let encoding = Charset.encoding(charset) else {
            throw CassetteError("a payload has an unknown charset, \"\(charset)\"")
        }
        guard let data = Charset.data(text, in: encoding) else { throw CassetteError("a payload is not \(charset)") }
        return data
    }
}
