public import StartSmallSupport

/// A URL with expressions in braces (RFC 6570, all four levels): `https://api.github.com/users/{login}{?page}`.
///
/// | expression | becomes | with |
/// | --- | --- | --- |
/// | `{x}` | `a%2Fb` | a value, encoded except for letters, digits and `-._~` |
/// | `{+x}` | `a/b` | a value whose reserved characters and triplets are kept |
/// | `{#x}` | `#a/b` | a fragment, encoded like `{+x}` |
/// | `{.x}` | `.json` | a label |
/// | `{/x}` | `/a` | a path segment |
/// | `{;x}` | `;x=1` | a path parameter |
/// | `{?x,y}` | `?x=1&y=2` | a query |
/// | `{&x}` | `&x=1` | a continued query |
/// | `{x:3}` | `abc` | the first three characters of a value |
/// | `{?x*}` | `?x=1&x=2` | each member of a list, or each pair of a dictionary, separately |
///
/// A variable without a value is omitted, together with its name and its separator.
public struct URITemplate: Sendable {
    enum Part: Sendable {
        case literal(String)
        case expression(Expression)
    }

    /// The error of a text that is not a template.
    public struct ParseError: Error, Equatable, CustomStringConvertible {
        /// The reason, without any part of the text but one character, as the text may contain a credential.
        public let reason: String

        /// The position, in bytes of UTF-8 from the start of the text.
        public let offset: Int

        /// The reason and the position.
        public var description: String {
            "\(reason) at byte \(offset)"
        }
    }

    /// The error of a template that can't be expanded with the given values.
    public struct ExpansionError: Error, Equatable, CustomStringConvertible {
        /// The reason, without any part of the values.
        public let reason: String

        /// The expression as it is written in the template.
        public let expression: String

        /// The expression and the reason.
        public var description: String {
            "\(expression) \(reason)"
        }
    }

    /// The template as it is written.
    public let text: String

    let parts: [Part]

    /// Creates a template, which is parsed once and can be expanded many times.
    ///
    /// - Throws: ``ParseError`` if a brace has no partner, if the text between braces is not an expression, or if a
    ///   character outside of them is not allowed in a URI (RFC 6570 2.1). Letters beyond ASCII are allowed, and are
    ///   percent-encoded.
    public init(_ text: String) throws(ParseError) {
        var parser = Parser(text)
        parts = try parser.parts()
        self.text = text
    }

    /// The names of all variables.
    public var variableNames: Set<String> {
        let expressions = parts.compactMap { if case .expression(let expression) = $0 { expression } else { nil } }
        return Set(expressions.flatMap(\.variables).map(\.name))
    }

    /// Returns the text with each expression replaced, exactly as RFC 6570 3 defines.
    ///
    /// Values are texts, numbers, lists and dictionaries; see ``ValueConvertible``. For a URL of values from outside,
    /// use `url(_:)` of StartSmallCore, which refuses more values.
    ///
    /// - Throws: ``ExpansionError`` if the expression has a prefix and the value is a list or a dictionary (RFC 6570
    ///   2.4.1).
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

    /// Expands the template like ``expand(_:)``, but refuses values that would change the structure of the URL.
    package func expandKeepingStructure(
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
                try structure.take(text, of: expression, hasValue: expression.hasValue(in: variables))
                expanded += text
            }
        }
        try structure.end()
        return expanded
    }
}

extension URITemplate: Hashable, ComparedByKey {
    package var comparedKey: String { text }
}
