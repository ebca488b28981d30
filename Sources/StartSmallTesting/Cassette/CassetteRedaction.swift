import Foundation
public import StartSmall

extension Redaction {
    /// What hides credentials in a ``Cassette``: the names of `Redaction.standard`, whose ordinary words hide nothing that
    /// looks like a word.
    ///
    /// In a log, to hide too much does no harm; in a cassette, `/airports?code=NRT` and `?code=CDG` would become the same
    /// request. So the value of one of `Redaction.ambiguousNames` is hidden from `Redaction.shortestOfAmbiguousName` characters
    /// on, and a shorter one if it is no word: a short key of letters alone is shown. A token that is a
    /// place in a list (`Redaction.pageTokenNames`) is shown, and so is a number of tokens.
    public static let recorded = Redaction.standard.sparing
}

/// What of an exchange is replaced before a ``Cassette`` is written, so that no credential is ever in the file.
///
/// Hidden are the values of header fields, query items, form fields and members of JSON whose names the redaction knows,
/// URLs in fields such as `Location` included. A value that was hidden in one place is then hidden wherever else it
/// occurs in the recording: a token that the server repeats in a text, or a session's id in a path.
///
/// What is hidden is numbered, `<redacted-1>`, so that it can be seen and matched where the same secret stands again. The
/// numbers are in the order of the file, and tell nothing of a secret.
///
/// In JSON only texts become such a placeholder: `null`, booleans and the empty text stay, a number becomes 0, and objects and
/// arrays keep their shape, so that what decoded the answer decodes it again. A member's name that may be the secret itself,
/// such as the id of a session, is replaced, too.
///
/// JSON, forms and forms of several parts are read within each other: in a query item, a form field, a header field or a
/// text of JSON, up to eight levels of encodings. In a text of any kind, `name=value`, `name: "value"` and the elements and
/// attributes of XML are read, too. Not read are YAML, CSV, quoted-printable, PEM, CBOR, a number that occurs elsewhere,
/// and pairs such as `{"name":"access_token","value":"S"}`; and a secret that is repeated in Base64 or in hexadecimal digits
/// is not known again.
///
/// A payload is read in the encoding that its first bytes or its charset tell, and is written in it again. In bytes that are
/// no text, only those values are replaced that were hidden elsewhere; without a media type, these are bytes in none of the
/// encodings and with control characters. What can't be looked into is replaced as a whole: what is
/// still compressed, whether a field says so or not, unless its type does (`application/gzip`), and a form of several parts
/// that is not as its boundary says.
public struct CassetteRedaction: Sendable {
    /// Which names hide a value.
    public var redaction: Redaction

    private let also: @Sendable (String) -> String

    /// Creates a scrubbing.
    ///
    /// - Parameters:
    ///   - redaction: which names hide a value.
    ///   - also: changes each text that is written: URLs, values of header fields, and payloads that are text. The same is
    ///     done to a request before it is looked for in a cassette.
    public init(_ redaction: Redaction = .recorded, also: @escaping @Sendable (String) -> String = { $0 }) {
        self.redaction = redaction
        self.also = also
    }

    /// Hides what ``StartSmall/Redaction/recorded`` does.
    public static let standard = CassetteRedaction()

    /// The fewest bytes of a secret that is looked for where no name tells of it: shorter ones occur by chance.
    public static let shortestSecret = 8
}

extension CassetteRedaction {
    /// An exchange whose names were obeyed already, without these secrets too.
    func scrubbed(_ exchange: Exchange, without secrets: [String: Int]) -> Exchange {
        exchange.changed(by: .hiding(secrets, also))
    }

    /// A request whose names were obeyed already, without these secrets too.
    func scrubbed(_ input: Input, without secrets: [String: Int]) -> Input {
        input.changed(by: .hiding(secrets, also))
    }
}

extension Exchange {
    /// An exchange that is scrubbed already, without these secrets too, and else as it is.
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
