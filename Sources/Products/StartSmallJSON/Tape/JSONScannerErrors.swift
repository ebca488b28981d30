/// Errors, and whether `JSONDecoder` has them, too.
extension JSONScanner {
    var error: JSONSyntaxError { JSONSyntaxError(offset: index + mark, isCertain: isErrorCertain) }

    /// Whether each reader rejects the text, also one that reads strings and numbers only when they are decoded,
    /// accepts a comma before `]` and `}`, and detects other encodings.
    private var isErrorCertain: Bool {
        if index == count { return container >= 0 || !failedInScalar }
        if failedInScalar { return false }
        return switch bytes[index] {
        case 0, 0x80...0xFF: false
        case UInt8(ascii: "]"), UInt8(ascii: "}"): !isAfterComma
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            false
        default: true
        }
    }

    private var isAfterComma: Bool {
        var place = index - 1
        while place >= 0, bytes[place] <= 0x20 { place -= 1 }
        return place >= 0 && bytes[place] == UInt8(ascii: ",")
    }
}
