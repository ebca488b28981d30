import Foundation
public import StartSmall

extension Redaction {
    /// The redaction of a ``Cassette``: `Redaction.standard`, but ambiguous names hide no ordinary words.
    ///
    /// In a log, hiding too much does no harm; in a cassette, `/airports?code=NRT` and `?code=CDG` would become the
    /// same request. A value of one of the names `access`, `code`, `key`, `refresh` and `sign` is hidden if it has at
    /// least 20 characters, and a shorter value if it is no word: a short key that consists of letters only is visible.
    /// A page token of Google, AWS, Azure, S3 or X, such as `nextPageToken`, is visible, and so is a number of tokens.
    public static let recorded = Redaction.standard.sparing
}

/// The redaction of exchanges before a ``Cassette`` is written, so that the file never contains a credential.
///
/// The redaction hides the values of header fields, query items, form fields and JSON members with sensitive names,
/// including those of URLs in fields such as `Location`. A value that is hidden in one place is then hidden anywhere
/// else in the recording: a token that the server repeats in a text, or a session ID in a path.
///
/// Hidden values are numbered, `<redacted-1>`, so that repeated secrets can be seen and matched. The numbers follow the
/// order of the file, and reveal nothing about a secret.
///
/// In JSON, only texts become such a placeholder: `null`, booleans and the empty text stay, a number becomes 0, and
/// objects and arrays keep their structure, so that the response is still decodable. A member name that may be a secret
/// itself, such as a session ID, is replaced too.
///
/// JSON, forms and multipart forms are decoded when nested: in a query item, a form field, a header field or a JSON
/// text, up to eight levels of encodings. In any text, `name=value`, `name: "value"` and the elements and attributes of
/// XML are detected too. Not detected are YAML, CSV, quoted-printable, PEM, CBOR, a number that occurs elsewhere, pairs
/// such as `{"name":"access_token","value":"S"}`, and a repeated secret in Base64 or in hexadecimal digits.
///
/// A payload is decoded in the encoding of its first bytes or its charset, and encoded in the same one again. In
/// non-text bytes, only values that were hidden elsewhere are replaced; without a media type, bytes count as non-text
/// if they contain control characters and are in none of the encodings. Unreadable payloads are replaced as a whole:
/// payloads that are still compressed, regardless of the header fields, unless their media type says so
/// (`application/gzip`), and multipart forms that do not match their boundary.
public struct CassetteRedaction: Sendable {
    /// The rules for names whose values are hidden.
    public var redaction: Redaction

    private let also: @Sendable (String) -> String

    /// Creates a redaction of cassettes.
    ///
    /// - Parameters:
    ///   - redaction: the rules for names whose values are hidden.
    ///   - also: changes each text before it is written: URLs, values of header fields, and text payloads. Requests are
    ///     changed likewise before the lookup in a cassette.
    public init(_ redaction: Redaction = .recorded, also: @escaping @Sendable (String) -> String = { $0 }) {
        self.redaction = redaction
        self.also = also
    }

    /// The redaction by ``StartSmall/Redaction/recorded``.
    public static let standard = CassetteRedaction()

    /// The minimum length in bytes of a secret that is hidden in places without a sensitive name.
    ///
    /// Shorter texts occur by chance.
    public static let shortestSecret = 8
}

extension CassetteRedaction {
    /// Returns an exchange, already redacted by names, without these secrets too.
    func scrubbed(_ exchange: Exchange, without secrets: [String: Int]) -> Exchange {
        exchange.changed(by: .hiding(secrets, also))
    }

    /// Returns a request, already redacted by names, without these secrets too.
    func scrubbed(_ input: Input, without secrets: [String: Int]) -> Input {
        input.changed(by: .hiding(secrets, also))
    }
}

extension Exchange {
    /// Returns an already redacted exchange without these secrets, and otherwise unchanged.
    func without(_ secrets: [String: Int]) -> Exchange {
        changed(by: .hiding(secrets) { $0 })
    }
}

extension ExchangeChange {
    fileprivate static func hiding(_ secrets: [String: Int], _ also: @escaping (String) -> String) -> ExchangeChange {
        let change = { (text: String) in also(text.without(secrets)) }
        let hide = { (text: String) in text.without(secrets) }
        return ExchangeChange(
            url: change,
            field: { change($0.value) },
            payload: { $0.changed(without: secrets, change) },
            word: hide,
            name: hide
        )
    }
}
