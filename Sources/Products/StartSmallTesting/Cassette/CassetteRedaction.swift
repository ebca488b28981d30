public import StartSmallCore
import StartSmallDiagnostics
import StartSmallSupport
import Foundation

/// The redaction of exchanges before a ``Cassette`` is written, so that the file never contains a credential.
///
/// The redaction hides the values of query items, form fields and JSON members with sensitive names, secrets that are
/// known by their form, and the values of header fields that are not in a list of harmless ones. A value that is hidden
/// by its name is then hidden anywhere else in the recording, if it has eight bytes or more: as it is, in URLs, in JSON
/// and in Base64. There is one placeholder, `[redacted]`.
///
/// In a log, hiding too much does no harm; in a cassette, `/airports?code=NRT` and `?code=CDG` would become the same
/// request. A value of one of the names `access`, `code`, `key`, `refresh`, `sign` and `ticket` is hidden if it has at
/// least 20 characters, and a shorter value if it is no word: a short key that consists of letters only is visible.
///
/// In JSON, only texts become the placeholder: `null`, booleans and the empty text stay, a number becomes 0, and
/// objects and arrays keep their structure, so that the response is still decodable.
///
/// A payload is written only if what is to be hidden in it can be known: JSON, a form, and text in UTF-8; other bytes,
/// if they contain nothing to hide. Any other payload is described by its type and size: multipart forms, compressed
/// payloads, and JSON that can't be read.
///
/// In XML, scripts and other texts, the end of a value is not known. A payload in which the name of a secret is followed
/// by a value, as in `<token>x</token>` and `password: x`, is not written, and the call fails.
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

    /// The placeholder in a URL.
    static let encodedPlaceholder = URIEncoding.encoded(placeholder)
}

extension CassetteRedaction {
    /// Returns an exchange without the values of sensitive names, and these values.
    func hidden(_ exchange: Exchange, payloadsUpTo limit: Int = .max) -> (exchange: Exchange, secrets: Set<[UInt8]>) {
        var secrets: Set<[UInt8]> = []
        let hidden = exchange.hiding { text in
            if redaction.hidesNothing { return HiddenPlaces() }
            if let field = text.field, hides(field) {
                if redaction.sensitivity(of: field.name).hides(field.value.utf8) { secrets.formUnion(field.secrets) }
                var whole = HiddenPlaces()
                whole.hide(text.bytes.indices)
                return whole
            }
            let places = SecretSearch(redaction, isCut: text.isCut).places(in: text.bytes, text.kind)
            secrets.formUnion(places?.secrets ?? [])
            return places
        } omitting: { payload in
            payload.data.count > limit
                ? "record it with payloadsUpTo: \(payload.data.count) or more"
                : redaction.hidesNothing ? nil : payload.unsearchable
        }
        return (hidden, secrets)
    }

    /// Returns an already hidden exchange without these secrets, changed by the custom function.
    ///
    /// In a text that is no payload, the rest behind the name of a secret is hidden, as in a log.
    func hidden(_ exchange: Exchange, without secrets: KnownSecrets) -> Exchange {
        let search = redaction.hidesNothing ? nil : SecretSearch(redaction)
        return exchange.hiding {
            secrets.places(in: $0.bytes, isCut: $0.isCut)
        } also: {
            also($0)
        } last: { text, kind in
            let bytes = Array(text.utf8)
            guard let place = search?.revealed(in: bytes, kind, isPayload: false) else { return text }
            return String(decoding: bytes[..<place.index] + Self.placeholder.utf8, as: UTF8.self)
        }
    }

    /// Returns the reason why a hidden exchange is not written: a payload in which the name of a secret has a value.
    func revealed(in exchange: Exchange) -> CassetteError? {
        if redaction.hidesNothing { return nil }
        let payloads =
            (exchange.omittedInput == nil ? [(exchange.sent, "request")] : [])
            + (exchange.omittedResponse == nil ? [(exchange.received, "response")] : [])
        for (payload, message) in payloads {
            let search = SecretSearch(redaction, isCut: payload.isCut)
            let places = payload.texts.lazy.filter(payload.hasNames).compactMap {
                search.revealed(in: $0, payload.kind, isPayload: true, besides: names)
            }
            guard let place = places.first else { continue }
            // A longer name may be a secret itself.
            let isShort = place.name.utf8.count <= Self.longestName
            let name = isShort ? "\"\(place.name.onOneLine)\"" : "a long name"
            let option = isShort ? "showing: [\(name)]" : "also: to replace it"
            return CassetteError(
                """
                the payload of the \(message) of \(exchange.input.url) is not written: behind \(name), at byte \
                \(place.index), may be a secret; if it is none, create the CassetteRedaction with \(option)
                """
            )
        }
        return nil
    }

    /// The maximum length in bytes of a name in an error: names that people choose are shorter.
    private static let longestName = 40

    /// Returns whether the value of a field is hidden as a whole.
    private func hides(_ field: HTTPHeaders.Field) -> Bool {
        let name = field.name.lowercased()
        let isShown = Self.shownNames.contains(name) || Self.shownBeginnings.contains { name.hasPrefix($0) }
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
        "x-total-count", "x-total-pages",
    ]

    /// The beginnings of such names.
    private static let shownBeginnings = [
        "accept", "access-control-", "allow", "content-", "if-", "ratelimit", "sec-fetch-", "x-rate-limit-",
        "x-ratelimit-",
    ]
}

extension Exchange {
    /// Returns an already hidden exchange without these secrets.
    func without(_ secrets: KnownSecrets) -> Exchange {
        hiding { secrets.places(in: $0.bytes, isCut: $0.isCut) }
    }

    /// All texts of the exchange in which something may be hidden.
    var texts: [ExchangeText] {
        var texts: [ExchangeText] = []
        _ = hiding { text in
            texts.append(text)
            return HiddenPlaces()
        }
        return texts
    }

    /// The payload of the request; an empty one for none.
    fileprivate var sent: ExchangePayload {
        ExchangePayload(
            data: input.methodAndPayload.body ?? Data(),
            mediaType: input.headers.contentType ?? input.methodAndPayload.payload?.mediaType,
            headers: input.headers
        )
    }

    /// The payload of the response.
    fileprivate var received: ExchangePayload {
        ExchangePayload(
            data: response.payload,
            mediaType: response.headers.contentType,
            headers: response.headers,
            chunks: chunks,
            isCut: failure != nil || !chunks.isEmpty
        )
    }
}

/// A text of an exchange, in which something may be hidden.
struct ExchangeText {
    var bytes: [UInt8]
    var kind = TextKind.text

    /// Whether the text may end within a secret.
    var isCut = false

    /// The field whose value the text is.
    var field: HTTPHeaders.Field?
}

/// A payload of an exchange.
struct ExchangePayload {
    var data: Data
    var mediaType: MediaType?

    /// The header fields of its message.
    var headers: HTTPHeaders
    var chunks: [Int] = []
    var isCut = false

    /// The reason why secrets in the payload can't be searched for; nil for most payloads.
    var unsearchable: String? {
        let type = mediaType?.beginning ?? ""
        if type.hasPrefix("multipart/") || isForm { return "the parts of a form are not searched for secrets" }
        if type.hasSuffix("/http") { return "a message of HTTP is not searched for secrets" }
        let isCoded = headers.values(of: "Content-Encoding").contains { !$0.isSame(withoutCase: "identity") }
        return isCompressed || isCoded && !isText ? "compressed data is not searched for secrets" : nil
    }

    /// The kind of text that the media type says.
    fileprivate var kind: TextKind {
        if mediaType?.isJSON == true { return .json }
        return mediaType?.beginning == MediaType.form.rawValue ? .form : .text
    }

    /// Whether the payload is text in UTF-8: one in UTF-16 has zeros.
    fileprivate var isText: Bool { !data.contains(0) && String(validating: data, as: UTF8.self) != nil }

    /// The texts in which secrets are found: bytes that are no UTF-8 without their zeros, and as UTF-16 and UTF-32.
    fileprivate var texts: [[UInt8]] {
        if isText { return [Array(data)] }
        let bytes = data.filter { $0 != 0 }
        return [Array(bytes)] + (bytes.count == data.count ? [] : wide(UTF16.self) + wide(UTF32.self))
    }

    /// Returns the payload as a text of wide units, in both orders of their bytes.
    private func wide<Encoding: UnicodeCodec>(_ encoding: Encoding.Type) -> [[UInt8]] {
        let size = MemoryLayout<Encoding.CodeUnit>.size
        let units = Windows<Encoding.CodeUnit>(Array(data)[...]).filter { $0.start.isMultiple(of: size) }.map(\.window)
        return [units, units.map(\.byteSwapped)].map { Array(String(decoding: $0, as: encoding).utf8) }
    }

    /// Returns whether names are searched for in one of the ``texts``, which is not random bytes.
    fileprivate func hasNames(_ text: [UInt8]) -> Bool {
        let type = mediaType?.beginning ?? ""
        return isText || type.hasPrefix("text/") || mediaType?.charset != nil
            || ["json", "xml", "script", "yaml", "urlencoded"].contains(where: type.hasSuffix)
            || !text.contains { $0 < UInt8(ascii: " ") && !"\t\n\r".utf8.contains($0) }
    }

    /// Whether the payload begins as a multipart form, whatever its type is.
    private var isForm: Bool {
        guard data.starts(with: "--".utf8) else { return false }
        return String(decoding: data.prefix(Self.beginning), as: UTF8.self).lowercased().contains(
            "content-disposition:"
        )
    }

    /// The number of bytes in which the first field of a form is looked for: more than a boundary has (RFC 2046 5.1.1).
    private static let beginning = 1024

    /// Whether the payload has a signature of gzip or Zstandard, but not the media type of such a file.
    ///
    /// The signatures are those of RFC 1952 2.3.1 and RFC 8878 3.1.1.
    private var isCompressed: Bool {
        guard data.starts(with: [0x1F, 0x8B, 0x08]) || data.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) else { return false }
        let type = mediaType?.beginning ?? ""
        return !["gzip", "zstd", "tar", "tgz", "compress", "zip"].contains { type.contains($0) }
    }

    /// The description in place of the payload.
    fileprivate func omitted(_ reason: String) -> String {
        "\(data.count) bytes of \(mediaType?.beginning ?? "an unknown type"): \(reason)"
    }
}

extension Exchange {
    /// Returns the exchange with places of its texts hidden.
    fileprivate func hiding(
        _ places: @escaping (ExchangeText) -> HiddenPlaces?,
        also: @escaping (String) -> String = { $0 },
        last: @escaping (String, TextKind) -> String = { text, _ in text },
        omitting: @escaping (ExchangePayload) -> String? = { _ in nil }
    ) -> Exchange {
        let change = ExchangeChange(places: places, also: also, last: last, omitting: omitting)
        var exchange = self
        var shown: Payload?
        // The payload that was sent or received decides about itself: its fields may be hidden then.
        if let payload = input.methodAndPayload.payload {
            let isStream = payload.content.hasStream
            var sent = sent
            if isStream {
                exchange.omittedInput = "a stream, whose bytes are made while it is sent"
            } else if omittedInput == nil {
                exchange.omittedInput = change.apply(to: &sent)
            }
            let mediaType = payload.mediaType.map { MediaType(rawValue: change.text($0.rawValue)) }
            shown = Payload(.data(isStream ? Data() : sent.data), mediaType: mediaType)
        }
        if omittedResponse == nil {
            var received = received
            exchange.omittedResponse = change.apply(to: &received)
            (exchange.response.payload, exchange.chunks) = (received.data, received.chunks)
        }
        exchange.input.methodAndPayload = HTTPMethodAndPayload(
            method: change.text(input.methodAndPayload.method),
            payload: shown
        )
        // The type of a payload in its description is a text of the message, too.
        exchange.omittedInput = exchange.omittedInput.map { change.text($0) }
        exchange.omittedResponse = exchange.omittedResponse.map { change.text($0) }
        exchange.input.url = change.url(input.url)
        exchange.input.headers = change.headers(input.headers)
        exchange.response.headers = change.headers(response.headers)
        exchange.response.trailers = change.headers(response.trailers)
        exchange.response.redirections = response.redirections.map { step in
            Redirection(from: change.url(step.from), statusCode: step.statusCode, to: change.url(step.to))
        }
        exchange.failure?.text = failure?.text.map { change.text(also($0)) }
        return exchange
    }
}

/// A change of the texts of an exchange.
private struct ExchangeChange {
    var places: (ExchangeText) -> HiddenPlaces?
    var also: (String) -> String
    var last: (String, TextKind) -> String
    var omitting: (ExchangePayload) -> String?

    /// Changes a text that is no payload.
    func text(_ text: String) -> String { last(hidden(text), .text) }

    private func hidden(_ text: String, _ kind: TextKind = .text, of field: HTTPHeaders.Field? = nil) -> String {
        let bytes = Array(text.utf8)
        let hidden = places(ExchangeText(bytes: bytes, kind: kind, field: field)) ?? HiddenPlaces()
        return hidden.isEmpty ? text : String(decoding: hidden.replaced(in: bytes).bytes, as: UTF8.self)
    }

    func url(_ url: URL) -> URL {
        let (shown, encoded) = (CassetteRedaction.placeholder, CassetteRedaction.encodedPlaceholder)
        let text = also(hidden(url.absoluteString, .url)).replacingOccurrences(of: encoded, with: shown)
        // A URL that can't be represented without a secret is omitted.
        return URL(string: last(text, .url).replacingOccurrences(of: shown, with: encoded)) ?? URL(filePath: "/")
    }

    /// Returns fields without those that a cassette can't contain, such as one with a secret in its name.
    func headers(_ headers: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(
            headers.fields.compactMap { field in
                let value = last(also(hidden(field.value, of: field)), .text)
                guard HTTPToken.isToken(text(field.name)), HTTPToken.isFieldValue(value) else { return nil }
                return HTTPHeaders.Field(name: field.name, value: value)
            }
        )
    }

    /// Changes a payload; returns the description in place of it if it can't be written.
    func apply(to payload: inout ExchangePayload) -> String? {
        if payload.data.isEmpty { return nil }
        let (whole, isText) = (payload, payload.isText)
        let all = payload.texts.compactMap { places(ExchangeText(bytes: $0, kind: whole.kind, isCut: whole.isCut)) }
        let reason = omitting(whole) ?? (all.isEmpty ? "it is not the JSON that its type says" : nil)
        if let reason = reason ?? (!isText && all.contains { !$0.isEmpty } ? "it contains a secret" : nil) {
            (payload.data, payload.chunks) = (Data(), [])
            return whole.omitted(reason)
        }
        guard isText, let found = all.first else { return nil }
        let (hidden, chunks) = found.replaced(in: Array(payload.data), chunks: payload.chunks)
        let text = String(decoding: hidden, as: UTF8.self)
        let changed = also(text)
        (payload.data, payload.chunks) = (Data(changed.utf8), chunks)
        if !changed.isSame(as: text), !chunks.isEmpty { payload.chunks = [payload.data.count] }
        return nil
    }
}
