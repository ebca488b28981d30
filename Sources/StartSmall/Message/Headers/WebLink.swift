/// One link that a response gives in a `WebLink` header (RFC 8288 3): to where, and what is there.
///
/// ```swift
/// let next = response.links.first { $0.isOf("next") }?.target(from: response.base(of: input))
/// ```
public struct WebLink: Sendable {
    /// One parameter, such as `rel="next"`; the name of an encoded one (RFC 8187) ends with `*`, and its value is decoded.
    public typealias Parameter = MediaType.Parameter

    /// Where the link leads, as it was written: often relative, see ``target(from:)``.
    public var reference: String

    /// All parameters in order, also those that say nothing, such as a second `rel`.
    public var parameters: [Parameter]

    /// Creates a link.
    public init(to reference: String, parameters: [Parameter] = []) {
        self.reference = reference
        self.parameters = parameters
    }
}

extension WebLink {
    /// What is there, in small letters: `next`, or a URL of one's own (RFC 8288 2.1).
    public var relations: [String] {
        words.map { String($0).inSmallLetters }
    }

    /// Whether this relation is among the link's, without case.
    public func isOf(_ relation: String) -> Bool {
        let relation = relation.lowercased()
        // In small letters, a text has a third of its bytes at least: longer words need not be put into them.
        let longest = 3 * relation.utf8.count
        return words.contains { word in
            Substring(word).utf8.count <= longest && String(word).inSmallLetters.isSame(as: relation)
        }
    }

    private var words: [Substring.UnicodeScalarView] {
        (self["rel"] ?? "").unicodeScalars.split(whereSeparator: \.isWhitespace)
    }

    /// The title: that of `title*` if it can be read, else that of `title` (RFC 8288 3.4.1).
    public var title: String? { self["title*"] ?? self["title"] }

    /// What the link is from, as it was written; nil if that is what was asked for (RFC 8288 3.2).
    public var anchor: String? { self["anchor"] }

    /// The languages of what is there.
    public var languages: [String] {
        parameters.filter { $0.name.isSame(as: "hreflang") }.map(\.value)
    }

    /// What it is made for, such as `screen`.
    public var media: String? { self["media"] }

    /// The media type of what is there, as a hint.
    public var type: MediaType? { self["type"].map(MediaType.init(rawValue:)) }

    /// The value of the first parameter of this name, whatever its case (RFC 8288 3: others of the same are to be ignored).
    public subscript(name: String) -> String? {
        parameters.value(of: name)
    }
}

extension WebLink: Hashable {
    /// Whether both lead to the same reference, byte by byte, with the same parameters.
    public static func == (left: WebLink, right: WebLink) -> Bool {
        left.reference.isSame(as: right.reference) && left.parameters == right.parameters
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteEqualString(reference))
        hasher.combine(parameters)
    }
}

extension WebLink: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The link on one line, credentials redacted.
    public var description: String {
        description(redacting: .standard)
    }

    /// The same as ``description``.
    public var debugDescription: String {
        description
    }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["link": description])
    }

    /// The link on one line, hiding what `redaction` says.
    public func description(redacting redaction: Redaction) -> String {
        let parameters = parameters.map {
            "; \(redaction.shown(name: $0.name))=\(redaction.shown($0.value, of: $0.name))"
        }
        return "<\(redaction.shown(url: reference))>\(parameters.joined())"
    }
}
