/// The sensitivity of a value, which ``Redaction`` derives from the name of the value.
package enum NameSensitivity: Hashable, Sendable {
    /// A value that contains no secret.
    case shown

    /// A value that is always a secret.
    case hidden

    /// A value that is a secret if it looks like one, because its name is also an ordinary word.
    case hiddenIfOdd

    /// A value that is a secret unless it is a number, because its name is also a name of counts.
    case hiddenUnlessNumber

    /// Returns whether a value is hidden.
    ///
    /// - Parameter value: the value in decoded form.
    package func hides(_ value: some Collection<UInt8>) -> Bool {
        switch self {
        case .shown: false
        case .hidden: true
        case .hiddenIfOdd: Self.isOdd(value)
        case .hiddenUnlessNumber: value.count > Self.mostDigitsOfCount || !Self.isNumber(value)
        }
    }

    /// Returns whether a JSON number is hidden; few numbers are secrets.
    ///
    /// - Parameter number: the number as it is written.
    package func hides(number: some Collection<UInt8>) -> Bool {
        switch self {
        case .shown, .hiddenUnlessNumber: false
        case .hidden: true
        case .hiddenIfOdd: number.count >= Redaction.shortestOfAmbiguousName
        }
    }

    /// Returns whether a member of an object of this sensitivity has a name that may itself be the secret.
    ///
    /// Such a name, for example the ID of a session, is not chosen by a person: a piece of the name is very long, or
    /// has more digits than `sha256_fingerprint`.
    ///
    /// - Parameter name: the name of the member.
    package func hides(member name: some Collection<UInt8>) -> Bool {
        guard self == .hidden || self == .hiddenIfOdd, name.count >= Self.shortestOddMember else { return false }
        return name.split { !URIEncoding.isAlphanumeric($0) }.contains { piece in
            piece.count >= Self.shortestOddPiece || piece.count(where: \.isASCIIDigit) > Self.mostDigitsOfName
        }
    }

    /// The sensitivity of the elements of an array, or of the members of an object, of this sensitivity.
    package var ofElements: NameSensitivity {
        self == .hiddenUnlessNumber ? .hidden : self
    }

    /// Returns the sensitivity of a member of an object of this sensitivity.
    ///
    /// - Parameter member: the sensitivity that the member's own name gives.
    package func ofMember(_ member: NameSensitivity) -> NameSensitivity {
        switch (self, member) {
        case (.hidden, .hiddenUnlessNumber): member
        case (.hidden, _), (_, .shown): self
        default: member
        }
    }

    /// Returns whether a value of an ordinary name is not a word or number that people use.
    ///
    /// Such a value is long, is a key file, has letters and digits in one piece, or has more digits than a status code.
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

    /// Returns whether a long value consists of words, as the code of an error: `insufficient_permissions`.
    ///
    /// Words have letters only, and are separated by other marks, or by capitals (`InvalidAuthenticationToken`).
    static func isOfWords(_ value: some Collection<UInt8>) -> Bool {
        let pieces = value.split { !URIEncoding.isAlphanumeric($0) && $0 < 0x80 }
        let words = pieces.reduce(0) { $0 + countOfWords(in: $1) }
        let letters = pieces.reduce(0) { $0 + $1.count }
        return pieces.allSatisfy { $0.allSatisfy(isLetter) && $0.count <= longestOfWords * countOfWords(in: $0) }
            && letters >= leastLettersOfWord * words
    }

    /// Returns the number of words in a piece: one for each capital, but one for a piece of capitals alone.
    private static func countOfWords(in piece: some Collection<UInt8>) -> Int {
        let capitals = piece.dropFirst().count { isLetter($0) && !isSmallLetter($0) }
        return capitals + 1 == piece.count ? 1 : capitals + 1
    }

    private static func isLetter(_ byte: UInt8) -> Bool { isSmallLetter(byte | 0x20) }

    /// The minimum number of letters of a word, on average; a random text of letters has two for each capital.
    private static let leastLettersOfWord = 3

    /// The maximum number of letters of a word, on average: one less than a code of GitHub's OAuth has.
    private static let longestOfWords = Redaction.shortestOfAmbiguousName - 1

    /// The minimum length of a code that is sent to a person: six digits (RFC 4226 4), or capitals among them.
    private static let leastOfCode = 6

    /// The minimum length of a mixed value: `utf8`, `x86_64` and `h264`, which are shorter, are in use as words.
    private static let shortestOfMixed = 8

    /// The maximum number of digits of a token count that is a text; a code has no fewer.
    private static let mostDigitsOfCount = 6

    /// The limits above which a member name is not one that people choose; below the first limit, it may be anything.
    private static let shortestOddMember = 12
    private static let shortestOddPiece = 32
    private static let mostDigitsOfName = 3

    /// Returns whether a value is a number, nearly as JSON writes it (RFC 8259 6).
    package static func isNumber(_ value: some Collection<UInt8>) -> Bool {
        value.contains(where: \.isASCIIDigit) && value.allSatisfy { $0.isASCIIDigit || "+-.eE".utf8.contains($0) }
    }

    private static func isSmallLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    /// Returns whether a byte is a UTF-8 continuation byte, with which no character begins.
    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}

extension Redaction {
    /// The ``defaultNames`` that are also ordinary words, and name other things more often than credentials.
    ///
    /// Examples are the `code` of an airport, the `key` of a license, the `sign` of the zodiac and the `ticket` of a
    /// customer.
    static let ambiguousNames: Set<String> = ["access", "code", "key", "refresh", "sign", "ticket"]

    /// The number of characters from which on a value with an ambiguous name is hidden, except for words in JSON.
    ///
    /// A `code` of GitHub's OAuth has 20. A shorter value is hidden where letters and digits are mixed in it, as in
    /// most keys, or where it has six digits or more, as a code that is sent to a person has. This rule is a guess: a
    /// short key of letters alone is shown.
    static let shortestOfAmbiguousName = 20

    /// Names in which `token` is not a credential, but a position in a list: those of Google, AWS, Azure, S3 and X.
    static let pageTokenNames: Set<String> = [
        "continuationtoken", "nextcontinuationtoken", "nextpagetoken", "nextsynctoken", "nexttoken", "pagetoken",
        "paginationtoken", "previouspagetoken", "prevpagetoken", "synctoken",
    ]

    /// The endings of names of counts, such as `total_tokens` and `promptTokenCount`.
    ///
    /// A number with such a name is a count.
    private static let endsOfCounts = ["tokens", "tokencount"].map { Array($0.utf8) }

    /// The redaction for recordings that are replayed.
    ///
    /// A sparing redaction shows values of ordinary names that are shorter than a credential, positions in a list, and
    /// counts.
    package var sparing: Redaction {
        var redaction = self
        redaction.isSparing = true
        return redaction
    }

    /// The redaction for text that is decoded again.
    ///
    /// In JSON, `null`, booleans, the empty text and the shape of objects and arrays stay, a number becomes 0, and only
    /// texts become the placeholder.
    package var keepingKinds: Redaction {
        var redaction = self
        redaction.keepsKinds = true
        return redaction
    }

    /// Returns the sensitivity of a value with this name.
    package func decision(on name: String) -> NameSensitivity {
        decision(on: Array(name.utf8)[...])
    }

    /// Returns the sensitivity of a value with this name, which is in UTF-8.
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
