public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// One link of a `Link` header field (RFC 8288 3): its target, and the relation to it.
///
/// ```swift
/// let next = response.links.first { $0.isOf("next") }?.target(from: response.base(of: input))
/// ```
///
/// Two links are equal if their references are the same byte by byte, and their parameters are equal.
public struct WebLink: Sendable {
    /// The target as it is written: often relative, see ``target(from:)``.
    public var reference: String

    /// All parameters in order, including those without effect, such as a second `rel`.
    ///
    /// The name of an encoded parameter (RFC 8187) ends with `*`, and its value is decoded.
    public var parameters: [MediaType.Parameter]

    /// Creates a link.
    public init(to reference: String, parameters: [MediaType.Parameter] = []) {
        self.reference = reference
        self.parameters = parameters
    }
}

extension Response {
    /// The links of all `Link` fields, in order (RFC 8288, appendix B).
    ///
    /// Malformed text is skipped, and all other links are kept. No input traps, and the time that reading takes is
    /// proportional to the length.
    public var links: [WebLink] {
        headers.values(of: "Link").reduce(into: []) { links, text in
            var reader = LinkReader(text)
            reader.read(into: &links)
        }
    }
}

extension WebLink {
    /// The relation types, in lower case: `next`, or a URL for a custom type (RFC 8288 2.1).
    public var relations: [String] {
        words.map { String($0).inSmallLetters }
    }

    /// Whether the link has this relation, ignoring case.
    public func isOf(_ relation: String) -> Bool {
        let relation = relation.lowercased()
        // The lower-case form of a text has at least a third of its bytes, so longer words need no conversion.
        let longest = 3 * relation.utf8.count
        return words.contains { word in
            Substring(word).utf8.count <= longest && String(word).inSmallLetters.isSame(as: relation)
        }
    }

    private var words: [Substring.UnicodeScalarView] {
        (self["rel"] ?? "").unicodeScalars.split(whereSeparator: \.isWhitespace)
    }

    /// The title: the value of `title*` if it can be read, else that of `title` (RFC 8288 3.4.1).
    public var title: String? { self["title*"] ?? self["title"] }

    /// The value of the first parameter of this name, ignoring case (RFC 8288 3: later ones are to be ignored).
    ///
    /// Besides those with a property, RFC 8288 defines four parameters:
    ///
    /// - `anchor`: the source of the link, as it is written; nil if the source is the requested resource (3.2).
    /// - `hreflang`: the language of the target (3.4.1).
    /// - `media`: the medium that the target is for, such as `screen` (3.4.1).
    /// - `type`: the media type of the target, as a hint (3.4.1).
    public subscript(name: String) -> String? {
        parameters.value(of: name)
    }
}

extension WebLink: Hashable, ComparedByKey {
    package var comparedKey: HashablePair<ByteEqualString, [MediaType.Parameter]> {
        HashablePair(ByteEqualString(reference), parameters)
    }
}

extension WebLink: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The link on one line, with credentials redacted by ``Redaction/standard``.
    public var description: String {
        "<\(Redaction.standard.shown(url: reference))>\(parameters.map { "; \($0)" }.joined())"
    }
}

extension WebLink {
    /// The maximum length of a target: 8,000 bytes, which every server and client should support (RFC 9110 4.1).
    static let maximumTargetLength = 8000

    /// Returns the URL that the link leads to; nil if it is not a URL, has a host that is not ASCII or has a percent
    /// sign, or is longer than 8,000 bytes (RFC 9110 4.1).
    ///
    /// - Parameter base: the URL against which a relative reference is resolved.
    public func target(from base: URL) -> URL? {
        reference.utf8.count <= Self.maximumTargetLength ? base.resolving(reference) : nil
    }
}

extension Sequence<WebLink> {
    /// Returns the first link of a relation without an anchor, which names another source (RFC 8288 3.2).
    func first(of relation: String) -> WebLink? {
        first { $0.isOf(relation) && $0["anchor"]?.isEmpty != false }
    }
}

struct LinkReader {
    private var field: HeaderScanner

    init(_ value: String) {
        field = HeaderScanner(value)
    }

    /// Appends the links of the field (RFC 8288 B.2); malformed text is skipped, up to the next `;` or `,`.
    mutating func read(into links: inout [WebLink]) {
        repeat {
            field.skipBlanks()
            if field.take("<") {
                let reference = field.text { $0 == UInt8(ascii: ">") }
                guard field.take(">") else { break }
                links.append(WebLink(to: reference, parameters: parameters()))
            }
            field.skip(to: ",")
        } while field.take(",")
    }

    /// Reads the parameters of a link, from the first `;` to the next `,` (RFC 8288 B.3).
    private mutating func parameters() -> [MediaType.Parameter] {
        var parameters: [MediaType.Parameter] = []
        field.skip(to: ";", or: ",")
        while field.take(";") {
            field.skipBlanks()
            let name = field.text {
                $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",")
                    || HTTPToken.isBlank($0)
            }
            field.skipBlanks()
            let value = field.take("=") ? value() : ""
            field.skip(to: ";", or: ",")
            if name.isEmpty { continue }
            let read = name.utf8.last == UInt8(ascii: "*") ? ExtendedValue.decoded(value) : value
            if let read { parameters.append(MediaType.Parameter(name, read)) }
        }
        return parameters
    }

    private mutating func value() -> String {
        field.skipBlanks()
        if field.take("\"") { return field.quoted() }
        return field.text(withoutBlanksAtEnd: true) { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
    }
}
