import StartSmallFoundation

extension Data {
    /// The bytes in base64url without padding (RFC 4648 5, RFC 7515 2).
    var base64URL: String {
        let text = base64EncodedString().utf8.prefix { $0 != UInt8(ascii: "=") }
        return String(decoding: text.map(\.ofOtherAlphabet), as: UTF8.self)
    }

    /// Reads base64url without padding; nil for any other character, and for a text of an impossible length.
    init?(base64URL text: some StringProtocol) {
        guard text.utf8.count % 4 != 1, !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
        let padding = repeatElement(UInt8(ascii: "="), count: (4 - text.utf8.count % 4) % 4)
        self.init(base64Encoded: Data(text.utf8.map(\.ofOtherAlphabet) + padding))
    }
}

extension UInt8 {
    /// The character of the other alphabet, Base64 or base64url, that stands for the same six bits.
    fileprivate var ofOtherAlphabet: UInt8 {
        switch self {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "-"): UInt8(ascii: "+")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        case UInt8(ascii: "_"): UInt8(ascii: "/")
        default: self
        }
    }
}
