public import StartSmall

/// Literals of template values, for tables of tests; pairs keep their order.
extension URITemplate.Value: ExpressibleByNilLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) {
        self = .undefined
    }

    public init(stringLiteral value: String) {
        self = .string(value)
    }

    public init(integerLiteral value: Int) {
        self = .string("\(value)")
    }

    public init(arrayLiteral elements: String...) {
        self = .list(elements)
    }

    public init(dictionaryLiteral elements: (String, String)...) {
        self = .pairs(elements.map(URITemplate.Pair.init))
    }
}
