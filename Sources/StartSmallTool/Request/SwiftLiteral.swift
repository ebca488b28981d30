import Foundation
import StartSmall

/// Values as Swift literals.
enum SwiftLiteral {
    /// Returns a text in quotes; as a raw string if the text contains quotes or backslashes.
    static func text(_ text: String) -> String {
        let scalars = text.unicodeScalars
        if scalars.allSatisfy({ isPlain($0) }) {
            guard scalars.contains(where: { $0 == "\"" || $0 == "\\" }) else { return "\"\(text)\"" }
            let hashes = String(repeating: "#", count: longestRunOfHashes(text) + 1)
            return "\(hashes)\"\(text)\"\(hashes)"
        }
        return "\"\(scalars.map(escaped).joined())\""
    }

    /// Decodes UTF-8 without NUL; nil for other bytes.
    static func readable(_ data: Data) -> String? {
        data.contains(0) ? nil : String(validating: data, as: UTF8.self)
    }

    /// Returns the literal of a media type: its name in the kit, if it has one.
    static func mediaType(_ type: MediaType?) -> String {
        guard let type else { return "nil" }
        let named: [(MediaType, String)] = [(.json, ".json"), (.form, ".form"), (.octetStream, ".octetStream")]
        return named.first { $0.0.rawValue == type.rawValue }?.1 ?? text(type.rawValue)
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        !TerminalText.isControl(scalar)
    }

    private static func longestRunOfHashes(_ text: String) -> Int {
        text.utf8.split { $0 != UInt8(ascii: "#") }.map(\.count).max() ?? 0
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\"": "\\\""
        case "\\": "\\\\"
        case let scalar where isPlain(scalar): String(scalar)
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
    }
}
