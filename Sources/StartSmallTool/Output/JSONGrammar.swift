/// The literals and escapes of JSON (RFC 8259 3, 6 and 7).
enum JSONGrammar {
    /// Returns whether a word is `true`, `false`, `null` or a number.
    static func isLiteral(_ word: ArraySlice<UInt8>) -> Bool {
        ["true", "false", "null"].contains { word.elementsEqual($0.utf8) } || isNumber(word)
    }

    /// Returns whether a word is a number: `[-] int [frac] [exp]`; an int of several digits does not begin with 0.
    private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
        var rest = word
        take("-", &rest)
        let integer = digits(&rest)
        guard !integer.isEmpty, integer.count == 1 || integer.first != UInt8(ascii: "0") else { return false }
        if take(".", &rest), digits(&rest).isEmpty { return false }
        if take("eE", &rest) {
            take("+-", &rest)
            if digits(&rest).isEmpty { return false }
        }
        return rest.isEmpty
    }

    @discardableResult
    private static func take(_ bytes: String, _ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let first = rest.first, bytes.utf8.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest[digits.endIndex...]
        return digits
    }

    /// Returns whether each `\` begins a valid escape.
    static func hasLegalEscapes(_ string: String.UTF8View) -> Bool {
        var rest = Array(string)[...]
        while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            rest = rest[(backslash + 1)...]
            guard let letter = rest.popFirst() else { return false }
            if letter == UInt8(ascii: "u") {
                let hex = rest.prefix(4)
                guard hex.count == 4, hex.allSatisfy({ "0123456789abcdefABCDEF".utf8.contains($0) }) else {
                    return false
                }
            } else if !"\"\\/bfnrt".utf8.contains(letter) {
                return false
            }
        }
        return true
    }
}
