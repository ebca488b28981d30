import StartSmallSupport

extension URITemplate {
    /// The part between braces: an operator, and the variables that it joins (RFC 6570 2.2).
    struct Expression: Sendable {
        var `operator`: Operator
        var variables: [Variable]

        /// The expression as it is written, including its braces.
        var source: String {
            let mark = `operator` == .simple ? "" : String(`operator`.rawValue)
            return "{\(mark)\(variables.map(\.source).joined(separator: ","))}"
        }
    }

    /// A variable's name, and the modifier that is applied to its value first (RFC 6570 2.3 and 2.4).
    struct Variable: Sendable {
        enum Modifier: Sendable {
            case none

            /// `:3`, only the first characters.
            case prefix(Int)

            /// `*`, each member separately.
            case explode
        }

        var name: String
        var modifier: Modifier

        /// The variable as it is written.
        fileprivate var source: String {
            switch modifier {
            case .none: name
            case .prefix(let count): "\(name):\(count)"
            case .explode: "\(name)*"
            }
        }
    }

    /// The operator of an expression, which determines how variables are joined (RFC 6570 2.2 and appendix A).
    enum Operator: Unicode.Scalar, CaseIterable, Sendable {
        case reserved = "+"
        case fragment = "#"
        case label = "."
        case path = "/"
        case parameter = ";"
        case query = "?"
        case continuation = "&"

        /// No operator: simple string expansion. The raw value can't occur in an expression.
        case simple = "\0"
    }
}

extension URITemplate.Operator {
    /// The text before the first variable that is defined.
    fileprivate var first: String { self == .simple || self == .reserved ? "" : String(rawValue) }

    /// The text between variables, and between the members of an exploded variable.
    fileprivate var separator: String {
        switch self {
        case .simple, .reserved, .fragment: ","
        case .label, .path, .parameter: String(rawValue)
        case .query, .continuation: "&"
        }
    }

    /// Whether each value is preceded by its name.
    fileprivate var isNamed: Bool { self == .parameter || self == .query || self == .continuation }

    /// Whether a value can contain reserved characters and percent-encoded triplets unchanged.
    private var keepsReserved: Bool { self == .reserved || self == .fragment }

    fileprivate func encoded(_ value: String) -> String {
        guard keepsReserved else { return URIEncoding.encoded(value) }
        return URIEncoding.encoded(value, triplets: true) { URIEncoding.isUnreserved($0) || URIEncoding.isReserved($0) }
    }

    /// Returns the first characters of a value (RFC 6570 2.4.1 and appendix A).
    ///
    /// Characters are Unicode scalars, and where triplets are kept, each character that triplets encode.
    fileprivate func prefix(_ count: Int, of value: String) -> String {
        guard keepsReserved else { return String(value.unicodeScalars.prefix(count)) }
        var rest = value[...]
        for _ in 0..<count where !rest.isEmpty {
            rest = rest[URIEncoding.endOfFirstCharacter(of: rest)...]
        }
        return String(value[..<rest.startIndex])
    }

    /// Returns `name=value` of texts that are already encoded.
    fileprivate func named(_ name: String, _ value: String) -> String {
        value.isEmpty && self == .parameter ? name : "\(name)=\(value)"
    }
}

extension URITemplate.Expression {
    /// Returns whether one of the variables is defined (RFC 6570 2.3).
    func hasValue(in values: [String: any URITemplate.ValueConvertible]) -> Bool {
        variables.contains { variable in
            switch values[variable.name]?.templateValue {
            case nil, .undefined?, .list([])?, .pairs([])?: false
            case .string?, .list?, .pairs?: true
            }
        }
    }

    /// Returns the text that replaces the expression (RFC 6570 3.2.1 and appendix A).
    ///
    /// The text is empty if no variable is defined.
    func expanded(
        _ variables: [String: any URITemplate.ValueConvertible]
    ) throws(URITemplate.ExpansionError) -> String {
        var texts: [String] = []
        for variable in self.variables {
            let value = variables[variable.name]?.templateValue ?? .undefined
            if let text = try expanded(variable, value) { texts.append(text) }
        }
        return texts.isEmpty ? "" : `operator`.first + texts.joined(separator: `operator`.separator)
    }

    /// Returns the text of one variable; nil if the variable is undefined.
    private func expanded(
        _ variable: URITemplate.Variable,
        _ value: URITemplate.Value
    ) throws(URITemplate.ExpansionError) -> String? {
        switch (value, variable.modifier) {
        case (.undefined, _), (.list([]), _), (.pairs([]), _):
            return nil
        case (.string(let text), .prefix(let count)):
            return joined([`operator`.encoded(`operator`.prefix(count, of: text))], as: variable)
        case (.string(let text), _):
            return joined([`operator`.encoded(text)], as: variable)
        case (.list, .prefix), (.pairs, .prefix):
            throw URITemplate.ExpansionError(reason: "applies a prefix to a list or dictionary", expression: source)
        case (.list(let texts), .none):
            return joined(texts.map(`operator`.encoded), as: variable)
        case (.pairs(let pairs), .none):
            return joined(pairs.flatMap { [$0.name, $0.value] }.map(`operator`.encoded), as: variable)
        case (.list(let texts), .explode):
            return texts.map { joined([`operator`.encoded($0)], as: variable) }.joined(separator: `operator`.separator)
        case (.pairs(let pairs), .explode):
            return pairs.map(exploded).joined(separator: `operator`.separator)
        }
    }

    private func joined(_ texts: [String], as variable: URITemplate.Variable) -> String {
        let text = texts.joined(separator: ",")
        return `operator`.isNamed ? `operator`.named(variable.name, text) : text
    }

    /// Returns the text of a pair of an exploded dictionary.
    ///
    /// The name is encoded as a value is, where appendix A would treat the name as a literal: the name comes from
    /// outside as well, and as a literal it could add an `&`.
    private func exploded(_ pair: URITemplate.Pair) -> String {
        let (name, value) = (`operator`.encoded(pair.name), `operator`.encoded(pair.value))
        return `operator`.isNamed ? `operator`.named(name, value) : "\(name)=\(value)"
    }
}
