public import Foundation
import StartSmall

extension Cassette {
    /// Creates a cassette from a browser's or proxy's recording in the format HAR 1.2.
    ///
    /// The format is defined in w3c.github.io/web-performance, *HTTP Archive format*. Entries without a response, such
    /// as blocked calls, are omitted; so are the pseudo-fields of HTTP/2. Payloads in such a file are already
    /// decompressed. The text of a response is encoded in the charset of its type; if that is impossible, the text is
    /// encoded in UTF-8, and the type names UTF-8. No file is written; call ``write(to:)`` for that.
    ///
    /// - Parameters:
    ///   - data: the text of the file.
    ///   - scrubbing: the redaction; such files are full of credentials.
    /// - Throws: ``CassetteError`` with the position of an error in the file, and the URL of the call.
    public init(har data: Data, scrubbing: CassetteRedaction = .standard) throws(CassetteError) {
        let file: HARFile
        do {
            file = try JSONDecoder().value(HARFile.self, from: data)
        } catch {
            throw CassetteError(DecodingError.text(of: error, in: data, calling: "the file"))
        }
        let entries = file.log.entries.enumerated().filter { $0.element.response.status > 0 }
        let exchanges = try entries.map { index, entry throws(CassetteError) in
            do throws(CassetteError) { return try entry.exchange } catch {
                let url = scrubbing.redaction.shown(url: entry.request.url)
                throw CassetteError("log.entries[\(index)], \"\(url)\": \(error)")
            }
        }
        let numbers = NumberedSecrets()
        let hidden = exchanges.map { scrubbing.hidden($0, numbers) }
        var secrets = KnownSecrets(hidden.reduce(into: [:]) { $0.merge($1.secrets) { known, _ in known } })
        var numbered = FileNumbers(numbers)
        self.init(
            hidden.map { exchange, _ in
                let present = secrets.among(exchange.content)
                return numbered.exchange(scrubbing.scrubbed(exchange, without: present))
            }
        )
    }
}

/// The decoded part of a HAR file.
private struct HARFile: Decodable {
    var log: Log

    struct Log: Decodable {
        var entries: [Entry]
    }

    struct Entry: Decodable {
        var startedDateTime: String
        var request: Request
        var response: Response
    }

    struct Request: Decodable {
        var method: String
        var url: String
        var headers: [Field]
        var postData: Posted?
    }

    struct Response: Decodable {
        var status: Int
        var headers: [Field]
        var content: Content?
    }

    struct Field: Decodable {
        var name: String
        var value: String
    }

    /// The payload of a request; a form has a text, or its items only.
    struct Posted: Decodable {
        var mimeType: String?
        var text: String?
        var params: [Item]?
    }

    struct Item: Decodable {
        var name: String
        var value: String?
        var fileName: String?
        var contentType: String?
    }

    struct Content: Decodable {
        var text: String?
        var encoding: String?
    }
}

extension HARFile.Entry {
    var exchange: Exchange {
        get throws(CassetteError) {
            guard let date = Date(cassette: startedDateTime) else {
                throw CassetteError("not a time: \"\(startedDateTime)\"")
            }
            let url = String(request.url.unicodeScalars.prefix { $0 != "#" })
            let headers = try HTTPHeaders(har: request.headers)
            let input = Input(
                url: try .cassette(url),
                headers: headers,
                methodAndPayload: HTTPMethodAndPayload(
                    method: request.method,
                    payload: request.postData?.payload(of: headers.contentType)
                )
            )
            let asked: Input
            do throws(ConnectionError) { asked = try input.asRecorded() } catch { throw CassetteError("\(error)") }
            return Exchange(input: asked, response: try response.response, recorded: date)
        }
    }
}

extension HARFile.Response {
    fileprivate var response: StartSmall.Response {
        get throws(CassetteError) {
            var headers = try HTTPHeaders(har: headers)
            let (payload, encoding) = try content?.payload(in: headers.contentType?.encoding ?? .utf8) ?? (Data(), nil)
            if let type = headers.contentType, type.charset != nil, encoding == .utf8, type.encoding != .utf8 {
                headers["Content-Type"] = type.setting("charset", to: "utf-8").rawValue
            }
            return StartSmall.Response(
                statusCode: try .har(status),
                headers: headers,
                payload: payload
            )
        }
    }
}

extension HARFile.Posted {
    /// Returns the payload of a request.
    ///
    /// - Parameter sent: the media type in a header field.
    fileprivate func payload(of sent: MediaType?) -> Payload {
        let mediaType = mimeType.map(MediaType.init(rawValue:))
        let params = params ?? []
        if let text, !text.isEmpty || params.isEmpty { return Payload(.data(Data(text.utf8)), mediaType: mediaType) }
        if let type = sent ?? mediaType, type.beginning.isSame(as: "multipart/form-data") {
            let boundary = type.parameter("boundary") ?? Payload.recordedBoundary
            let form = Payload.Content.multipart(MultipartForm(params.map(\.part), boundary: boundary))
            let isWhole = (try? form.bytes()) != nil
            return Payload(isWhole ? form : .data(Data(Redaction.placeholder.utf8)), mediaType: type)
        }
        let items = params.map { URLQueryItem(name: $0.name, value: $0.value) }
        return Payload(.data(Either.form(items).right?.bytes ?? Data()), mediaType: mediaType ?? .form)
    }
}

extension HARFile.Item {
    fileprivate var part: MultipartForm.Part {
        let content = Data((value ?? "").utf8)
        return .data(name, content, fileName: fileName, mediaType: contentType.map(MediaType.init(rawValue:)))
    }
}

extension Payload {
    fileprivate var bytes: Data? {
        if case .data(let data) = content { data } else { nil }
    }
}

extension HARFile.Content {
    /// Returns the payload, and its encoding if the file contains a text: the requested encoding, or UTF-8.
    fileprivate func payload(in encoding: String.Encoding) throws(CassetteError) -> (Data, String.Encoding?) {
        guard let text else { return (Data(), nil) }
        if self.encoding == "base64" {
            guard let data = Data(base64Encoded: text.filter { !$0.isWhitespace }) else {
                throw CassetteError("a payload is not Base64")
            }
            return (data, nil)
        }
        let encoded = Charset.data(text, in: encoding)
        return encoded.map { ($0, encoding) } ?? (Data(text.utf8), .utf8)
    }
}

extension HTTPHeaders {
    /// Creates header fields without the pseudo-fields of HTTP/2, such as `:authority` (RFC 9113 8.3).
    fileprivate init(har fields: [HARFile.Field]) throws(CassetteError) {
        self.init(fields.filter { !$0.name.hasPrefix(":") }.map { Field(name: $0.name, value: $0.value) })
        try check()
    }
}
