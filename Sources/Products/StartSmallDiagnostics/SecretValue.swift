package import StartSmallCore
import StartSmallSupport

extension NameSensitivity {
    /// Returns whether a value is hidden in JSON and in recordings.
    ///
    /// - Parameters:
    ///   - value: the value in decoded form.
    ///   - showsWords: whether a long value of words is shown, as in the JSON of a log. In a recording, which is kept,
    ///     words may be an authorization code.
    package func hides(_ value: some Collection<UInt8>, unlessWords showsWords: Bool = false) -> Bool {
        self == .hidden || self == .ordinary && Self.isOdd(value, showsWords)
    }

    /// Returns whether a value of an ordinary name is not a word or number that people use.
    ///
    /// Such a value is long and not made of words, is a key file, has letters and digits in one piece, or has more
    /// digits than a status code. This rule is a guess: a short key of letters alone is shown.
    private static func isOdd(_ value: some Collection<UInt8>, _ showsWords: Bool) -> Bool {
        // Counts characters: a byte that continues one is 0b10…….
        let count = value.count { $0 & 0xC0 != 0x80 }
        if value.starts(with: "-----BEGIN".utf8) { return true }
        if count >= shortestLong, !showsWords || !isOfWords(value) { return true }
        return value.split { !URIEncoding.isAlphanumeric($0) }.contains { piece in
            let digits = piece.count(where: \.isASCIIDigit)
            if digits == piece.count || digits > 1 && !piece.contains(where: isSmallLetter) {
                return piece.count >= leastOfCode
            }
            return digits > 0 && count >= shortestMixed
        }
    }

    /// Returns whether a long value consists of words, as the code of an error: `insufficient_permissions`.
    ///
    /// Words have letters only, and are separated by other marks, or by capitals (`InvalidAuthenticationToken`).
    private static func isOfWords(_ value: some Collection<UInt8>) -> Bool {
        let pieces = value.split { !URIEncoding.isAlphanumeric($0) && $0 < 0x80 }
        let counts = pieces.map { piece in
            let capitals = piece.dropFirst().count { !isSmallLetter($0) }
            // A piece of capitals alone is one word.
            return capitals + 1 == piece.count ? 1 : capitals + 1
        }
        let letters = pieces.reduce(0) { $0 + $1.count }
        return letters >= leastLettersOfWord * counts.reduce(0, +)
            && zip(pieces, counts).allSatisfy { piece, words in
                piece.allSatisfy { isSmallLetter($0 | 0x20) } && piece.count < shortestLong * words
            }
    }

    /// The number of characters from which on a value is hidden, except for words in JSON.
    ///
    /// A `code` of GitHub's OAuth has 20.
    private static let shortestLong = 20

    /// The minimum number of letters of a word, on average; a random text of letters has two for each capital.
    private static let leastLettersOfWord = 3

    /// The minimum length of a code that is sent to a person: six digits (RFC 4226 4), or capitals among them.
    private static let leastOfCode = 6

    /// The minimum length of a mixed value: `utf8`, `x86_64` and `h264`, which are shorter, are in use as words.
    private static let shortestMixed = 8

    private static func isSmallLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
