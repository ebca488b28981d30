public import Foundation
import StartSmall

extension Cassette {
    /// Reads what a browser or a proxy recorded: HAR 1.2 (w3c.github.io/web-performance, *HTTP Archive format*).
    ///
    /// Entries without a response, as of calls that a browser blocked, are left out; so are the pseudo-fields of HTTP/2.
    /// Payloads are decompressed in such a file already. Nothing is written anywhere: ``write(to:)`` does that.
    ///
    /// - Parameters:
    ///   - data: the text of the file.
    ///   - scrubbing: what is replaced; such files are full of credentials.
    /// - Throws: ``CassetteError``, which says where in the file something is wrong.
    public init(har data: Data, scrubbing: Scrubbing = .standard) throws(CassetteError) {
        let file: HARFile
        do {
            file = try JSONDecoder().decode(HARFile.self, from: data)
        } catch {
            throw CassetteError(DecodingError.text(of: error, in: data, calling: "the file"))
        }
        let exchanges = try file.log.entries.filter { $0.response.status > 0 }.map { entry throws(CassetteError) in
            try entry.exchange
        }
        let secrets = KnownSecrets(exchanges.reduce(into: []) { $0.formUnion(scrubbing.secrets(in: $1)) })
        self.init(exchanges.map { scrubbing.scrubbed($0, without: secrets) })
    }
}

/// What of a HAR file is read.
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

    /// Of a form, there may be a text, or its items alone.
    struct Posted: Decodable {
        var mimeType: String?
        var text: String?
        var params: [Item]?
    }

    struct Item: Decodable {
        var name: String
        var value: String?
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
            let input = Input(
                url: try .cassette(url),
                headers: HTTPHeaders(har: request.headers),
                methodAndPayload: HTTPMethodAndPayload(method: request.method, payload: request.postData?.payload)
            )
            let response = StartSmall.Response(
                statusCode: .from(code: response.status),
                headers: HTTPHeaders(har: response.headers),
                payload: try response.content?.data ?? Data()
            )
            return Exchange(input: input, response: response, recorded: date)
        }
    }
}

extension HARFile.Posted {
    fileprivate var payload: Payload {
        let items = (params ?? []).map { URLQueryItem(name: $0.name, value: $0.value) }
        let mediaType = mimeType.map(MediaType.init(rawValue:))
        guard let text, !text.isEmpty || items.isEmpty else {
            return Payload(.data(Either.form(items).right?.bytes ?? Data()), mediaType: mediaType ?? .form)
        }
        return Payload(.data(Data(text.utf8)), mediaType: mediaType)
    }
}

extension Payload {
    fileprivate var bytes: Data? {
        if case .data(let data) = content { data } else { nil }
    }
}

extension HARFile.Content {
    fileprivate var data: Data {
        get throws(CassetteError) {
            guard let text else { return Data() }
            guard encoding == "base64" else { return Data(text.utf8) }
            guard let data = Data(base64Encoded: text) else { throw CassetteError("a payload is not Base64") }
            return data
        }
    }
}

extension HTTPHeaders {
    /// Fields without those of HTTP/2 that are none, such as `:authority` (RFC 9113 8.3).
    fileprivate init(har fields: [HARFile.Field]) {
        self.init(fields.filter { !$0.name.hasPrefix(":") }.map { Field(name: $0.name, value: $0.value) })
    }
}
