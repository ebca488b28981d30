import StartSmallCore
import StartSmallDiagnostics
import StartSmallSupport
import Foundation

/// A reader of HTTP Archives (HAR 1.2), as browsers and proxies write them.
///
/// A field that is missing or of another type counts as none, and an entry that is no exchange is left out with a
/// remark. Nothing but broken JSON, a file without a list of entries, and too many of them are errors.
struct HARReader: Decodable {
    private var exchanges: [Exchange] = []

    /// The entries that are no exchanges, with the reasons.
    private var odd: [String] = []

    /// The numbers of other parts that were left out, by their descriptions.
    private var counts: [String: Int] = [:]

    /// The parts that were left out, with their numbers.
    var remarks: [String] { odd + counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } }

    /// The maximum number of entries: 100,000, a hundred times those of a page with everything on it.
    private static let mostEntries = 100_000

    /// A reason why an entry is no exchange.
    private struct Odd: Error {
        let reason: String
    }

    init(from decoder: any Decoder) throws {
        let file = try decoder.container(keyedBy: HARFields.Name.self)
        let log = try file.nestedContainer(keyedBy: HARFields.Name.self, forKey: "log")
        var entries = try log.nestedUnkeyedContainer(forKey: "entries")
        var number = 0
        while !entries.isAtEnd {
            number += 1
            guard number <= Self.mostEntries else { throw CassetteError("more than \(Self.mostEntries) entries") }
            let entry = try entries.decode(HARFields.self)
            do throws(Odd) { exchanges.append(try exchange(of: entry)) } catch {
                odd.append("entry \(number): \(error.reason)")
            }
        }
    }

    /// Returns the exchanges without secrets, each of which is hidden in all of them, as in a recording.
    mutating func exchanges(hiding scrubbing: CassetteRedaction) -> [Exchange] {
        var secrets = KnownSecrets()
        let named = exchanges.map { exchange in
            let (hidden, found) = scrubbing.hidden(exchange)
            _ = secrets.add(found)
            return hidden
        }
        return zip(named, exchanges).map { named, read in
            let hidden = scrubbing.omittingRevealed(scrubbing.hidden(named, without: secrets))
            if read.omittedResponse == nil, hidden.omittedResponse != nil {
                count("payloads of responses that can't be searched for secrets")
            }
            if read.omittedInput == nil, hidden.omittedInput != nil {
                count("payloads of requests that can't be searched for secrets, and match any")
            }
            return hidden
        }
    }

    // MARK: - Entries

    private mutating func exchange(of entry: HARFields) throws(Odd) -> Exchange {
        guard let request = entry.object("request"), let response = entry.object("response") else {
            throw Odd(reason: "no request or no response")
        }
        guard let url = request.text("url").flatMap({ URL(string: $0) }), url.host?.isEmpty == false,
            ["http", "https"].contains(url.scheme?.lowercased())
        else { throw Odd(reason: "the URL is not one of HTTP") }
        guard let method = request.text("method"), HTTPToken.isToken(method) else {
            throw Odd(reason: "the method is not a token")
        }
        // Chrome writes the status 0, and WebPageTest a negative one.
        guard let status = response.number("status"), (100...999).contains(status) else {
            throw Odd(reason: "there was no response")
        }
        if entry.text("_error")?.isEmpty == false { throw Odd(reason: "the response broke off") }
        let (payload, omittedInput) = self.payload(of: request)
        let (received, omittedResponse) = self.response(status, response, entry)
        let time = entry.text("startedDateTime").flatMap(Self.date)
        if time == nil { count("entries without a time, as old as 1970") }
        return Exchange(
            input: Input(
                url: url,
                headers: headers(request.list("headers")),
                methodAndPayload: HTTPMethodAndPayload(method: method, payload: payload)
            ),
            response: received,
            recorded: time ?? Date(timeIntervalSince1970: 0),
            omittedInput: omittedInput,
            omittedResponse: omittedResponse
        )
    }

    private mutating func payload(of request: HARFields) -> (payload: Payload?, omitted: String?) {
        guard let data = request.object("postData") else { return (nil, nil) }
        let type = data.text("mimeType").flatMap { $0.isEmpty ? nil : MediaType(rawValue: $0) }
        let (text, params) = (data.text("text", upTo: .max) ?? "", data.list("params"))
        var omitted = text.isEmpty && params.isEmpty ? data.comment : nil
        var bytes = Data(text.utf8)
        if text.isEmpty, !params.isEmpty {
            let items = params.map { URLQueryItem(name: $0.text("name") ?? "", value: $0.text("value")) }
            if items.contains(where: { $0.value == nil }) || params.contains(where: { $0.text("fileName") != nil }) {
                omitted = "a form with a value that is no text"
            } else if type?.beginning.hasPrefix("multipart/") == true {
                omitted = "the parts of a form, without their boundaries"
            }
            bytes = Data(FormEncoding.encoded(items).utf8)
        }
        omitted = omitted ?? Self.excess(of: bytes)
        if omitted != nil { count("payloads of requests that are not in the file, and match any") }
        if bytes.isEmpty, omitted == nil { return (nil, nil) }
        return (Payload(.data(omitted == nil ? bytes : Data()), mediaType: type), omitted)
    }

    private mutating func response(
        _ status: Int,
        _ response: HARFields,
        _ entry: HARFields
    ) -> (response: Response, omitted: String?) {
        var headers = headers(response.list("headers"))
        let content = response.object("content")
        let text = content?.text("text", upTo: .max) ?? ""
        var (payload, omitted) = (Data(text.utf8), String?.none)
        if content?.text("encoding")?.isSame(withoutCase: "base64") == true {
            payload = Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
            if payload.isEmpty, !text.isEmpty { omitted = "no Base64" }
        } else if let type = headers.contentType, let charset = type.charset, !charset.isSame(as: "utf-8"),
            payload.contains(where: { $0 >= 0x80 })
        {
            // The text is decoded, and so its bytes are UTF-8, whatever the server sent.
            headers["Content-Type"] = type.setting("charset", to: "utf-8").rawValue
        }
        if let excess = Self.excess(of: payload) { (payload, omitted) = (Data(), excess) }
        if text.isEmpty, let size = content?.number("size"), size > 0 {
            omitted = content?.comment ?? "\(size) bytes: not in the HAR"
        }
        if omitted != nil { count("payloads of responses that are not in the file") }
        if !payload.isEmpty || omitted != nil {
            // The content is decoded, and nobody may decode it once more.
            for name in ["Content-Encoding", "Content-Length", "Transfer-Encoding"] { headers[name] = nil }
        }
        let trailers = self.headers(entry.list("_trailers"))
        let whole = Response(statusCode: .from(code: status), headers: headers, payload: payload, trailers: trailers)
        return (whole, omitted)
    }

    /// Returns the reason why a payload over the limit is left out: a search for secrets takes many times its size.
    private static func excess(of payload: Data) -> String? {
        let (count, limit) = (payload.count, Cassette.defaultPayloadLimit)
        return count > limit ? "\(count) bytes: more than \(limit) bytes" : nil
    }

    private mutating func headers(_ fields: [HARFields]) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in fields {
            guard let name = field.text("name"), let value = field.text("value") else {
                count("header fields without a name or a value")
                continue
            }
            guard HTTPToken.isToken(name) else {
                let isPseudo = name.utf8.first == UInt8(ascii: ":")
                count(isPseudo ? "pseudo header fields of HTTP/2" : "header fields with an illegal name")
                continue
            }
            // Chrome joins the values of several fields by line ends.
            let lines = value.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { Substring($0) }
            for line in lines.isEmpty ? [""] : lines {
                let value = line.trimmingCharacters(in: .whitespaces)
                if HTTPToken.isFieldValue(value) {
                    headers.append(name, value)
                } else {
                    count("header fields with a control character")
                }
            }
        }
        return headers
    }

    /// Reads a time in ISO 8601, with or without fractions of a second.
    private static func date(_ text: String) -> Date? {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true).date(text) ?? Date.ISO8601FormatStyle().date(text)
    }

    private mutating func count(_ part: String) { counts[part, default: 0] += 1 }
}

/// The members of an object of which nothing is required; none, if the value is no object.
private struct HARFields: Decodable {
    struct Name: CodingKey, ExpressibleByStringLiteral {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringLiteral value: String) { stringValue = value }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let values: KeyedDecodingContainer<Name>?

    init(from decoder: any Decoder) { values = try? decoder.container(keyedBy: Name.self) }

    /// The text that says why something is left out; some writers give each object an empty one.
    var comment: String? { text("comment").flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns a text, or the text of a number; nil for a text over a limit in bytes.
    func text(_ name: Name, upTo limit: Int = Cassette.defaultPayloadLimit) -> String? {
        guard let values, values.contains(name) else { return nil }
        return (try? values.decode(String.self, forKey: name)).flatMap { $0.utf8.count > limit ? nil : $0 }
            ?? (try? values.decode(Double.self, forKey: name)).map { Int(exactly: $0).map { "\($0)" } ?? "\($0)" }
    }

    /// Returns a whole number, or one that is written as a text.
    func number(_ name: Name) -> Int? {
        guard let values, values.contains(name) else { return nil }
        return (try? values.decode(Double.self, forKey: name)).flatMap { Int(exactly: $0) }
            ?? (try? values.decode(String.self, forKey: name)).flatMap { Int($0) }
    }

    func object(_ name: Name) -> HARFields? {
        guard let values, values.contains(name) else { return nil }
        return (try? values.decode(HARFields.self, forKey: name)).flatMap { $0.values == nil ? nil : $0 }
    }

    func list(_ name: Name) -> [HARFields] {
        guard let values, values.contains(name) else { return [] }
        return (try? values.decode([HARFields].self, forKey: name)) ?? []
    }
}
