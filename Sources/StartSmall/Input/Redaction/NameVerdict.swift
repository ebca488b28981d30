/// What the name of a value tells ``Redaction`` of it.
package enum NameVerdict: Hashable, Sendable {
    /// Nothing of it is secret.
    case shown

    /// It is a secret, whatever it is.
    case hidden

    /// It is one if it is long enough: the name is an ordinary word, too.
    case hiddenIfLong

    /// It is one unless it is a number: the name is one of counts, too.
    case hiddenUnlessNumber

    /// Whether a value is hidden, as it is meant.
    package func hides(_ value: some Collection<UInt8>) -> Bool {
        switch self {
        case .shown: false
        case .hidden: true
        case .hiddenIfLong: value.count { !Self.isContinuation($0) } >= Redaction.shortestOfOrdinaryName
        case .hiddenUnlessNumber: !Self.isNumber(value)
        }
    }

    /// What is said of the elements of an array of this name, or of the members of an object, which have names of their
    /// own: only where all is secret, they are too.
    package func ofElements(isObject: Bool) -> NameVerdict {
        switch self {
        case .hidden, .hiddenUnlessNumber: .hidden
        case .hiddenIfLong where !isObject: .hiddenIfLong
        case .hiddenIfLong, .shown: .shown
        }
    }

    /// What is said of a member of an object of this verdict, whose own name tells another.
    package func ofMember(_ member: NameVerdict) -> NameVerdict {
        guard self == .hidden else { return member }
        return member == .hiddenUnlessNumber ? member : .hidden
    }

    /// As JSON writes it (RFC 8259 6), nearly.
    package static func isNumber(_ value: some Collection<UInt8>) -> Bool {
        value.contains(where: \.isASCIIDigit) && value.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
    }

    /// Whether a byte is none with which a character begins in UTF-8.
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}

extension Redaction {
    /// Those of ``standardNames`` that are ordinary words, and name other things more often than credentials: the `code`
    /// of an airport, the `key` of a license, the `sign` of the zodiac.
    public static let ordinaryNames: Set<String> = ["access", "code", "key", "refresh", "sign"]

    /// The fewest characters of a credential with such a name: a `code` of GitHub's OAuth has 20, and we know of no code,
    /// API key or signature in use that has fewer.
    public static let shortestOfOrdinaryName = 20

    /// Names in which `token` is no credential, but a place in a list: those of Google, AWS, Azure, S3 and X.
    public static let placeNames: Set<String> = [
        "continuationtoken", "nextcontinuationtoken", "nextpagetoken", "nextsynctoken", "nexttoken", "pagetoken",
        "paginationtoken", "previouspagetoken", "prevpagetoken", "synctoken",
    ]

    /// Words in the names of counts, such as `total_tokens` and `promptTokenCount`: a number with such a name is one.
    private static let wordsOfCounts = SecretWords(["tokens", "tokencount"])

    /// The same for what is recorded, to be played again: it hides no value of an ordinary name that is shorter than a
    /// credential, no place in a list and no count.
    package var sparing: Redaction {
        var redaction = self
        redaction.isSparing = true
        return redaction
    }

    /// The same for what is decoded again: in JSON, `null`, booleans, the empty text and the shape of objects and arrays
    /// stay, a number becomes 0, and only texts become the placeholder.
    package var keepingKinds: Redaction {
        var redaction = self
        redaction.keepsKinds = true
        return redaction
    }

    /// What a name tells of its value.
    package func verdict(on name: String) -> NameVerdict {
        verdict(on: Array(name.utf8)[...])
    }

    /// The same for a name in UTF-8.
    func verdict(on name: ArraySlice<UInt8>) -> NameVerdict {
        guard hides(name) else { return .shown }
        guard isSparing else { return .hidden }
        let secret = SecretName(name)
        guard isUnmistakable(secret) else { return .hiddenIfLong }
        if Self.placeNames.contains(secret.whole) { return .shown }
        return Self.wordsOfCounts.stand(in: secret.bytes[...]) ? .hiddenUnlessNumber : .hidden
    }
}
