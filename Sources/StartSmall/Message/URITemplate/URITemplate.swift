public import Foundation

/// A URL with expressions in braces (RFC 6570, all four levels): `https://api.github.com/users/{login}{?page}`.
///
/// | expression | becomes | with |
/// | --- | --- | --- |
/// | `{x}` | `a%2Fb` | a value, encoded but for letters, digits and `-._~` |
/// | `{+x}` | `a/b` | a value whose reserved characters and triplets are kept |
/// | `{#x}` | `#a/b` | a fragment, encoded like `{+x}` |
/// | `{.x}` | `.json` | a label |
/// | `{/x}` | `/a` | a path segment |
/// | `{;x}` | `;x=1` | a path parameter |
/// | `{?x,y}` | `?x=1&y=2` | a query |
/// | `{&x}` | `&x=1` | more of a query |
/// | `{x:3}` | `abc` | the first three characters of a value |
/// | `{?x*}` | `?x=1&x=2` | each member of a list, or each pair of a dictionary, on its own |
///
/// A variable without a value vanishes, with its name and its separator.
public struct URITemplate: Hashable, Sendable {
    enum Part: Hashable {
        case literal(String)
        case expression(Expression)
    }

    /// Why a text is not a template.
    public struct ParseError: Error, Hashable, CustomStringConvertible {
        /// What is wrong; nothing of the text but a character, as it may hold a credential.
        public let reason: String

        /// Where, in bytes of UTF-8 from the start of the text.
        public let offset: Int

        /// What is wrong, and where.
        public var description: String {
            "\(reason) at byte \(offset)"
        }
    }

    /// Why a template can't be expanded with these values.
    public struct ExpansionError: Error, Hashable, CustomStringConvertible {
        /// What is wrong; nothing of the values.
        public let reason: String

        /// The expression, as it stands in the template.
        public let expression: String

        /// The expression, and what is wrong with it.
        public var description: String {
            "\(expression) \(reason)"
        }
    }

    /// The template as it is written.
    public let text: String

    let parts: [Part]

    /// Reads a template once, to be expanded many times.
    ///
    /// - Throws: ``ParseError`` if a brace has no partner, if what stands between them is no expression, or if a character
    ///   outside of them can't stand in a URI (RFC 6570 2.1). Letters beyond ASCII can, and are percent-encoded.
    public init(_ text: String) throws(ParseError) {
        var parser = Parser(text)
        parts = try parser.parts()
        self.text = text
    }

    /// The text with each expression replaced, exactly as RFC 6570 3 says.
    ///
    /// Values are texts, numbers, lists and dictionaries; see ``ValueConvertible``. Whoever makes a URL of values from
    /// outside wants ``url(_:)``, which refuses more.
    ///
    /// - Throws: ``ExpansionError`` if a prefix is asked of a list or a dictionary (RFC 6570 2.4.1).
    public func expand(_ variables: [String: any ValueConvertible] = [:]) throws(ExpansionError) -> String {
        var expanded = ""
        for part in parts {
            switch part {
            case .literal(let text): expanded += text
            case .expression(let expression): expanded += try expression.expanded(variables)
            }
        }
        return expanded
    }

    /// The URL of these values, none of which can change its structure.
    ///
    /// Left with ``ConnectionError/malformedURL(debugInfo:)`` if a path segment would become empty, `.` or `..` by its
    /// values; if a `{+x}` would do so, or would go on with a host; or if there is no URL in the end.
    public func url(_ variables: [String: any ValueConvertible] = [:]) -> Either<ConnectionError, URL> {
        let expanded: String
        do { expanded = try expandKeepingStructure(variables) } catch { return malformed("\(error)") }
        guard let url = URL(string: URIEncoding.encodingBrackets(in: expanded), encodingInvalidCharacters: false) else {
            return malformed("not a URL")
        }
        return .right(url)
    }

    private func expandKeepingStructure(
        _ variables: [String: any ValueConvertible]
    ) throws(ExpansionError) -> String {
        var (expanded, structure) = ("", Structure())
        for part in parts {
            switch part {
            case .literal(let text):
                try structure.take(literal: text)
                expanded += text
            case .expression(let expression):
                let text = try expression.expanded(variables)
                try structure.take(text, of: expression)
                expanded += text
            }
        }
        try structure.end()
        return expanded
    }

    private func malformed(_ reason: String) -> Either<ConnectionError, URL> {
        .left(.malformedURL(debugInfo: "\(reason): \(self)"))
    }
}

extension URITemplate: CustomStringConvertible, CustomReflectable {
    /// The template's text on one line, credentials redacted.
    public var description: String {
        Redaction.standard.shown(url: text)
    }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["template": description])
    }
}
