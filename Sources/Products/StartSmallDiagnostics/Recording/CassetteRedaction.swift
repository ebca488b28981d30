public import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// The redaction of exchanges before a cassette or a HAR is written, so that the file never contains a credential.
///
/// Hidden are the values of sensitive names in queries, forms and JSON, secrets of a known form, and the header fields
/// that are not in a list of harmless ones; and each of these values anywhere else, from eight bytes on. A payload that
/// can't be searched is described by its type and size. A text of another syntax, in which the name of a secret is
/// followed by a value, is not written: a call that is recorded in a cassette fails, and a HAR says so. The guide *Test
/// without a network* of StartSmallTesting has all rules.
public struct CassetteRedaction: Sendable {
    /// The rules for names whose values are hidden.
    public var redaction: Redaction

    /// The names of values that are no secrets: header fields besides the standard ones, and names in texts; in lower case.
    private let names: Set<String>

    private let also: @Sendable (String) -> String

    /// Creates a redaction of cassettes.
    ///
    /// - Parameters:
    ///   - redaction: the rules for names whose values are hidden.
    ///   - names: the names of the header fields that are shown besides the standard ones, such as `X-Total-Count`; and
    ///     names in payloads of XML and other texts whose values are no secrets, such as `token`.
    ///   - also: changes each text before it is written: URLs, values of header fields, text payloads, and errors.
    ///     Requests are changed likewise before the lookup in a cassette.
    public init(
        _ redaction: Redaction = .standard,
        showing names: Set<String> = [],
        also: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.redaction = redaction
        self.names = Set(names.map { $0.lowercased() })
        self.also = also
    }

    /// The redaction by `Redaction.standard`.
    public static let standard = CassetteRedaction()

    /// The minimum length in bytes of a secret that is hidden in places without a sensitive name.
    ///
    /// Shorter texts occur by chance.
    public static let shortestSecret = 8

    /// The text in place of each hidden value.
    public static let placeholder = "[redacted]"
    package static let encodedPlaceholder = URIEncoding.encoded(placeholder)
}

extension CassetteRedaction {
    /// Returns an exchange without the values of sensitive names, and these values.
    package func hidden(_ exchange: Exchange, payloadsUpTo limit: Int = .max) -> (
        exchange: Exchange, secrets: Set<[UInt8]>
    ) {
        var secrets: Set<[UInt8]> = []
        let hidden = exchange.changed { text in
            if let count = text.payload?.data.count, count > limit {
                text.omission = "record it with payloadsUpTo: \(count) or more"
            }
            if redaction.hidesNothing { return }
            if let field = text.field, hides(field) {
                if redaction.sensitivity(of: field.name).hides(field.value.utf8) { secrets.formUnion(field.secrets) }
                return text.bytes = text.bytes.isEmpty ? [] : Array(Self.placeholder.utf8)
            }
            let places = SecretSearch(redaction, isCut: text.isCut).places(in: text.bytes, text.kind)
            secrets.formUnion(places?.secrets ?? [])
            text.omission = text.omission ?? text.payload?.unsearchable
            if let places { text.hide(places) } else { text.omit("it is not the JSON that its type says") }
        }
        if case .stream(let stream)? = exchange.input.methodAndPayload.payload?.content, !redaction.hidesNothing {
            secrets.formUnion(stream.secrets.map { Array($0.utf8) })
        }
        return (hidden, secrets)
    }

    /// Returns an already hidden exchange without these secrets, changed by the custom function.
    ///
    /// In a text that is no payload, the rest behind the name of a secret is hidden, as in a log.
    package func hidden(_ exchange: Exchange, without secrets: KnownSecrets...) -> Exchange {
        exchange.changed { text in
            // Together, since a secret of one may be the beginning of a secret of another one.
            var places = HiddenPlaces()
            for secrets in secrets { places.add(secrets.places(in: text.bytes, isCut: text.isCut)) }
            text.hide(places)
            if text.isContent { text.replace(by: also) }
            if redaction.hidesNothing || text.payload != nil { return }
            let search = SecretSearch(redaction)
            guard let place = search.revealed(in: text.bytes, text.kind, isPayload: false) else { return }
            text.bytes.replaceSubrange(place.index..., with: Self.placeholder.utf8)
        }
    }

    /// Returns the reason why a hidden exchange is not written: a payload in which the name of a secret has a value.
    package func revealed(in exchange: Exchange) -> String? {
        var error: String?
        if redaction.hidesNothing { return nil }
        _ = exchange.changed { text in
            guard error == nil, let payload = text.payload, let place = revealed(in: text) else { return }
            // A longer name may be a secret itself.
            let isShort = place.name.utf8.count <= Self.longestName
            let name = isShort ? "\"\(place.name.onOneLine)\"" : "a long name"
            let option = isShort ? "showing: [\(name)]" : "also: to replace it"
            error = """
                the payload of the \(payload.message) of \(exchange.input.url) is not written: behind \(name), at \
                byte \(place.index), may be a secret; if it is none, create the CassetteRedaction with \(option)
                """
        }
        return error
    }

    /// Returns a hidden exchange without the payloads in which the name of a secret has a value.
    package func omittingRevealed(_ exchange: Exchange) -> Exchange {
        if redaction.hidesNothing { return exchange }
        return exchange.changed { text in
            if revealed(in: text) != nil { text.omit("behind the name of a secret may be one") }
        }
    }

    private func revealed(in text: ExchangeText) -> (name: String, index: Int)? {
        guard text.payload?.hasNames(text.bytes) == true else { return nil }
        let search = SecretSearch(redaction, isCut: text.isCut)
        return search.revealed(in: text.bytes, text.kind, isPayload: true, besides: names)
    }

    /// The maximum length in bytes of a name in an error: names that people choose are shorter.
    private static let longestName = 40

    /// Returns whether the value of a field is hidden as a whole.
    private func hides(_ field: HTTPHeaders.Field) -> Bool {
        let name = field.name.lowercased()
        let isShown = Self.shownNames.contains(name) || Self.shownBeginnings.contains { name.hasPrefix($0) }
        if Self.digestNames.contains(name) { return !names.contains(name) }
        return !isShown && !names.contains(name) || redaction.sensitivity(of: name).hides(field.value.utf8)
    }

    /// The names of header fields whose values are written: those of RFC 9110, 9111, 5988 and 6797, of RFC 9457 and
    /// its kin, and of the pages and limits of the large APIs.
    private static let shownNames: Set<String> = [
        "age", "alt-svc", "cache-control", "connection", "date", "deprecation", "etag", "expect", "expires", "host",
        "last-modified", "link", "location", "max-forwards", "origin", "pragma", "prefer", "preference-applied",
        "priority", "proxy-authenticate", "range", "referer", "refresh", "retry-after", "server",
        "strict-transport-security",
        "sunset", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "vary", "via", "warning",
        "www-authenticate", "x-content-type-options", "x-page", "x-per-page", "x-prev-page", "x-next-page", "x-total",
        "x-should-retry", "x-total-count", "x-total-pages",
    ]

    /// The digests of payloads: a short secret in one could be found by it, and it is not that of a payload without secrets.
    private static let digestNames: Set<String> = ["content-digest", "content-md5", "digest", "repr-digest"]

    private static let shownBeginnings = [
        "accept", "access-control-", "allow", "anthropic-ratelimit-", "content-", "if-", "ratelimit", "sec-fetch-",
        "x-rate-limit-",
        "x-ratelimit-",
    ]
}

/// A text of an exchange, in which something may be hidden.
struct ExchangeText {
    /// The bytes of the text; of a payload that is no text in UTF-8, those that are searched.
    var bytes: [UInt8]
    var kind = TextKind.text

    /// Whether the text may end within a secret.
    var isCut = false

    /// Whether the custom function changes the text: not a method, a media type or the name of a field.
    var isContent = true
    var field: HTTPHeaders.Field?

    /// The payload that the text is, and the sizes of its chunks.
    var payload: ExchangePayload?
    var chunks: [Int] = []
    var omission: String?

    /// Omits the payload, unless there is a reason already.
    mutating func omit(_ reason: String) { omission = omission ?? reason }

    /// Hides places; a payload that is no text is omitted.
    mutating func hide(_ places: HiddenPlaces) {
        if payload?.isText == false {
            if !places.isEmpty { omit("it contains a secret") }
        } else {
            (bytes, chunks) = places.replaced(in: bytes, chunks: chunks)
        }
    }

    /// Changes the text by a function, unless it is a payload that is no text.
    fileprivate mutating func replace(by change: (String) -> String) {
        if payload?.isText == false { return }
        let text = String(decoding: bytes, as: UTF8.self)
        let changed = change(text)
        if changed.isSame(as: text) { return }
        bytes = Array(changed.utf8)
        if !chunks.isEmpty { chunks = [bytes.count] }
    }
}

struct ExchangePayload {
    /// The name of its message: request or response.
    let message: String
    let data: Data
    let mediaType: MediaType?
    let isCoded: Bool

    /// Whether the payload is text in UTF-8: one in UTF-16 has zeros.
    let isText: Bool

    fileprivate init(_ message: String, _ data: Data, _ mediaType: MediaType?, _ headers: HTTPHeaders) {
        (self.message, self.data, self.mediaType) = (message, data, mediaType)
        isCoded = headers.values(of: "Content-Encoding").contains { !$0.isSame(withoutCase: "identity") }
        isText = !data.contains(0) && String(validating: data, as: UTF8.self) != nil
    }

    fileprivate var type: String { mediaType?.beginning ?? "" }

    /// The payload as a text, in which secrets of ASCII are also found in UTF-16 and UTF-32.
    fileprivate func text(isCut: Bool, chunks: [Int]) -> ExchangeText {
        let kind: TextKind = mediaType?.isJSON == true ? .json : type == MediaType.form.rawValue ? .form : .text
        let bytes = isText ? Array(data) : data.filter { $0 != 0 }
        return ExchangeText(bytes: bytes, kind: kind, isCut: isCut, payload: self, chunks: chunks)
    }

    /// The reason why secrets in the payload can't be searched for; nil for most payloads.
    fileprivate var unsearchable: String? {
        if type.hasPrefix("multipart/") || isForm { return "the parts of a form are not searched for secrets" }
        if type.hasSuffix("/http") { return "a message of HTTP is not searched for secrets" }
        if isTextual, data.contains(0) { return "text in UTF-16 or UTF-32 is not searched for secrets" }
        return isCompressed || isCoded && !isText ? "compressed data is not searched for secrets" : nil
    }

    private var isTextual: Bool {
        type.hasPrefix("text/") || mediaType?.charset != nil
            || ["json", "xml", "script", "yaml", "urlencoded"].contains(where: type.hasSuffix)
    }

    /// Returns whether names are searched for in the bytes of the payload, which are not random.
    fileprivate func hasNames(_ bytes: [UInt8]) -> Bool {
        isText || isTextual || !bytes.contains { $0 < UInt8(ascii: " ") && !"\t\n\r".utf8.contains($0) }
    }

    /// Whether the payload begins as a multipart form, whatever its type is.
    private var isForm: Bool {
        guard data.starts(with: "--".utf8) else { return false }
        let beginning = String(decoding: data.prefix(Self.beginning), as: UTF8.self)
        return Array(beginning.lowercased().utf8)[...].holds("content-disposition:")
    }

    /// The number of bytes in which the first field of a form is looked for: more than a boundary has (RFC 2046 5.1.1).
    private static let beginning = 1024

    /// Whether the payload has a signature of gzip or Zstandard, but not the media type of such a file.
    ///
    /// The signatures are those of RFC 1952 2.3.1 and RFC 8878 3.1.1.
    private var isCompressed: Bool {
        guard data.starts(with: [0x1F, 0x8B, 0x08]) || data.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) else { return false }
        return !["zip", "zstd", "tar", "tgz", "compress"].contains(where: Array(type.utf8)[...].holds)
    }
}

extension Exchange {
    /// Returns an already hidden exchange without these secrets.
    package func without(_ secrets: KnownSecrets) -> Exchange {
        changed { $0.hide(secrets.places(in: $0.bytes, isCut: $0.isCut)) }
    }

    /// All texts of the exchange in which something may be hidden.
    var texts: [ExchangeText] {
        var texts: [ExchangeText] = []
        _ = changed { texts.append($0) }
        return texts
    }

    /// Returns the exchange with each of its texts changed.
    fileprivate func changed(_ change: (inout ExchangeText) -> Void) -> Exchange {
        func apply(to text: ExchangeText) -> ExchangeText {
            var text = text
            change(&text)
            return text
        }
        func string(_ text: ExchangeText) -> String { String(decoding: apply(to: text).bytes, as: UTF8.self) }
        func name(_ name: String) -> String { string(ExchangeText(bytes: Array(name.utf8), isContent: false)) }
        func url(_ url: URL) -> URL {
            let (shown, encoded) = (CassetteRedaction.placeholder, CassetteRedaction.encodedPlaceholder)
            let written = url.absoluteString.replacing(encoded, by: shown)
            let text = string(ExchangeText(bytes: Array(written.utf8), kind: .url))
            // A URL that can't be represented without a secret is omitted.
            return URL(string: text.replacing(shown, by: encoded)) ?? URL(filePath: "/")
        }
        // A cassette can't contain some fields, such as one with a secret in its name.
        func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
            HTTPHeaders(
                headers.fields.compactMap { field in
                    let value = string(ExchangeText(bytes: Array(field.value.utf8), field: field))
                    guard HTTPToken.isToken(name(field.name)), HTTPToken.isFieldValue(value) else { return nil }
                    return HTTPHeaders.Field(name: field.name, value: value)
                }
            )
        }
        func payload(_ payload: ExchangePayload, isCut: Bool = false, chunks: [Int] = []) -> WrittenPayload {
            if payload.data.isEmpty { return (payload.data, chunks, nil) }
            let text = apply(to: payload.text(isCut: isCut, chunks: chunks))
            if let reason = text.omission {
                let type = payload.mediaType == nil ? "an unknown type" : payload.type
                return (Data(), [], "\(payload.data.count) bytes of \(type): \(reason)")
            }
            return (payload.isText ? Data(text.bytes) : payload.data, text.chunks, nil)
        }
        var exchange = self
        // The payload that was sent or received decides about itself: its fields may be hidden then.
        var sent = input.methodAndPayload.payload
        if let whole = sent {
            let mediaType = input.headers.contentType ?? whole.mediaType
            var written: WrittenPayload = (Data(), [], omittedInput)
            if whole.content.hasStream {
                written.omitted = "a stream, whose bytes are made while it is sent"
            } else if omittedInput == nil {
                let data = input.methodAndPayload.body ?? Data()
                written = payload(ExchangePayload("request", data, mediaType, input.headers))
            }
            let shownType = whole.mediaType.map { MediaType(rawValue: name($0.rawValue)) }
            sent = Payload(.data(written.data), mediaType: shownType)
            exchange.omittedInput = written.omitted
        }
        if omittedResponse == nil {
            let received = ExchangePayload("response", response.payload, response.headers.contentType, response.headers)
            (exchange.response.payload, exchange.chunks, exchange.omittedResponse) = payload(
                received,
                isCut: failure != nil || !chunks.isEmpty,
                chunks: chunks
            )
        }
        exchange.input.methodAndPayload = HTTPMethodAndPayload(
            method: name(input.methodAndPayload.method),
            payload: sent
        )
        // The type of a payload in its description is a text of the message, too.
        exchange.omittedInput = exchange.omittedInput.map { name($0) }
        exchange.omittedResponse = exchange.omittedResponse.map { name($0) }
        exchange.input.url = url(input.url)
        exchange.input.headers = headers(input.headers)
        exchange.response.headers = headers(response.headers)
        exchange.response.trailers = headers(response.trailers)
        exchange.response.redirections = response.redirections.map { step in
            Redirection(from: url(step.from), statusCode: step.statusCode, to: url(step.to))
        }
        exchange.failure?.text = failure?.text.map { string(ExchangeText(bytes: Array($0.utf8))) }
        return exchange
    }

    /// The bytes of a payload, the sizes of its chunks, and its description if it is not written.
    private typealias WrittenPayload = (data: Data, chunks: [Int], omitted: String?)
}

extension String {
    /// Returns the text with another one in place of each occurrence of a text, compared by bytes.
    func replacing(_ old: String, by new: String) -> String {
        let pieces = Array(utf8).split(separator: Array(old.utf8), omittingEmptySubsequences: false)
        return String(decoding: Array(pieces.joined(separator: Array(new.utf8))), as: UTF8.self)
    }
}
