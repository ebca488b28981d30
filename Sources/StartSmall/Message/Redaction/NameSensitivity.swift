/// What the name of a value tells ``Redaction`` of it.
package enum NameSensitivity: Hashable, Sendable {
    /// Nothing of it is secret.
    case shown

    /// It is a secret, whatever it is.
    case hidden

    /// It is one if it looks like one: the name is an ordinary word, too.
    case hiddenIfOdd

    /// It is one unless it is a number: the name is one of counts, too.
    case hiddenUnlessNumber

    /// Whether a value is hidden, as it is meant.
    package func hides(_ value: some Collection<UInt8>) -> Bool {
        switch self {
        case .shown: false
        case .hidden: true
        case .hiddenIfOdd: Self.isOdd(value)
        case .hiddenUnlessNumber: value.count > Self.mostDigitsOfCount || !Self.isNumber(value)
        }
    }

    /// The same for what JSON has as a number, of which few are secrets.
    package func hides(number: some Collection<UInt8>) -> Bool {
        switch self {
        case .shown, .hiddenUnlessNumber: false
        case .hidden: true
        case .hiddenIfOdd: number.count >= Redaction.shortestOfAmbiguousName
        }
    }

    /// Whether a member of such an object has a name that may be the secret itself, such as the id of a session: one that
    /// nobody gave, since a piece of it is very long, or has more digits than `sha256_fingerprint`.
    package func hides(member name: some Collection<UInt8>) -> Bool {
        guard self == .hidden || self == .hiddenIfOdd, name.count >= Self.shortestOddMember else { return false }
        return name.split { !URIEncoding.isAlphanumeric($0) }.contains { piece in
            piece.count >= Self.shortestOddPiece || piece.count(where: \.isASCIIDigit) > Self.mostDigitsOfName
        }
    }

    /// What is said of the elements of an array, or of the members of an object, of this verdict.
    package var ofElements: NameSensitivity {
        self == .hiddenUnlessNumber ? .hidden : self
    }

    /// What is said of a member of an object of this verdict, whose own name tells another.
    package func ofMember(_ member: NameSensitivity) -> NameSensitivity {
        switch (self, member) {
        case (.hidden, .hiddenUnlessNumber): member
        case (.hidden, _), (_, .shown): self
        default: member
        }
    }

    /// Whether a value of an ordinary name is no word and no number that people use: it is long, or a key of a file, or has
    /// letters and digits in one piece, or more digits than a status.
    private static func isOdd(_ value: some Collection<UInt8>) -> Bool {
        let count = value.count { !isContinuation($0) }
        if count >= Redaction.shortestOfAmbiguousName || value.starts(with: "-----BEGIN".utf8) { return true }
        return value.split { !URIEncoding.isAlphanumeric($0) }.contains { piece in
            let digits = piece.count(where: \.isASCIIDigit)
            if digits == piece.count || digits > 1 && !piece.contains(where: isSmallLetter) {
                return piece.count >= leastOfCode
            }
            return digits > 0 && count >= shortestOfMixed
        }
    }

    /// A code that is sent to somebody has six digits at least (RFC 4226 4), or capitals among them.
    private static let leastOfCode = 6

    /// Below that, `utf8`, `x86_64` and `h264` are in use as words.
    private static let shortestOfMixed = 8

    /// A number of tokens that is a text has no more digits than a code.
    private static let mostDigitsOfCount = 6

    /// What is known of names that people give: shorter than this, they may be anything.
    private static let shortestOddMember = 12
    private static let shortestOddPiece = 32
    private static let mostDigitsOfName = 3

    /// As JSON writes it (RFC 8259 6), nearly.
    package static func isNumber(_ value: some Collection<UInt8>) -> Bool {
        value.contains(where: \.isASCIIDigit) && value.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
    }

    private static func isSmallLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    /// Whether a byte is none with which a character begins in UTF-8.
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}

extension Redaction {
    /// Those of ``defaultNames`` that are ordinary words, and name other things more often than credentials: the `code`
    /// of an airport, the `key` of a license, the `sign` of the zodiac.
    public static let ambiguousNames: Set<String> = ["access", "code", "key", "refresh", "sign"]

    /// From how many characters on a value with such a name is hidden, whatever it looks like.
    ///
    /// A `code` of GitHub's OAuth has 20. A shorter value is hidden where letters and digits are mixed in it, as in most keys,
    /// or where it is six digits and more, as a code that is sent to somebody. That is a guess: a short key of letters alone
    /// is shown.
    public static let shortestOfAmbiguousName = 20

    /// Names in which `token` is no credential, but a place in a list: those of Google, AWS, Azure, S3 and X.
    public static let pageTokenNames: Set<String> = [
        "continuationtoken", "nextcontinuationtoken", "nextpagetoken", "nextsynctoken", "nexttoken", "pagetoken",
        "paginationtoken", "previouspagetoken", "prevpagetoken", "synctoken",
    ]

    /// How the names of counts end, such as `total_tokens` and `promptTokenCount`: a number with such a name is one.
    private static let endsOfCounts = ["tokens", "tokencount"].map { Array($0.utf8) }

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
    package func decision(on name: String) -> NameSensitivity {
        decision(on: Array(name.utf8)[...])
    }

    /// The same for a name in UTF-8.
    func decision(on name: ArraySlice<UInt8>) -> NameSensitivity {
        guard hides(name) else { return .shown }
        guard isSparing else { return .hidden }
        let secret = SecretName(name)
        guard isUnmistakable(secret) else { return .hiddenIfOdd }
        if Self.pageTokenNames.contains(secret.whole) { return .shown }
        let isCount = Self.endsOfCounts.contains { secret.bytes.suffix($0.count).elementsEqual($0) }
        return isCount ? .hiddenUnlessNumber : .hidden
    }
}
