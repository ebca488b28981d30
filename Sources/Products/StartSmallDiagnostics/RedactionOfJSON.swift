package import StartSmallCore
import StartSmallSupport

extension Redaction {
    /// Returns JSON with its secrets replaced; the placeholder if the text is not JSON.
    package func hiding(json text: String, folding: Bool = false) -> String {
        let hidden = hiding(json: Array(text.utf8), isCut: false, folding: folding)
        return hidden.map { String(decoding: $0, as: UTF8.self) } ?? (hidesNothing ? text : Self.placeholder)
    }

    /// Returns JSON with its secrets replaced; nil if the text is not JSON.
    ///
    /// A text or number of a sensitive name, and in an array or object of that name, becomes the placeholder, and so do
    /// the member names in such an object, which may be secrets, too. Any other text is read as JSON, if it begins like
    /// it, or as by ``Redaction/shown(text:)``.
    package func hiding(json text: [UInt8], isCut: Bool, folding: Bool) -> [UInt8]? {
        var parts = JSONParts(text, self)
        var (shown, end) = ([UInt8](), 0)
        while let part = parts.next() {
            Self.write(text[end..<part.range.lowerBound], to: &shown, folding: folding)
            end = part.range.upperBound
            switch part.kind {
            case .name where part.sensitivity != .hidden, .string where !hides(part):
                let hidden = hidesNothing ? Array(part.text) : hiding(string: Array(part.text), isCut: part.isOpen)
                if hidden[...] == part.text {
                    shown += text[part.range]
                } else {
                    var written: [UInt8] = []
                    JSONString.write(hidden[...], to: &written)
                    shown += written.dropFirst().dropLast()
                }
            case .name, .string: shown += part.text.isEmpty ? [] : Array(Self.placeholder.utf8)
            case .number where part.sensitivity == .hidden: shown += "\"\(Self.placeholder)\"".utf8
            case .number, .word: shown += text[part.range]
            }
        }
        guard isCut ? !parts.isInvalid : parts.isComplete else { return nil }
        Self.write(text[end...], to: &shown, folding: folding)
        return shown
    }

    /// Returns the text of a string with its secrets replaced; the depth of JSON in it is the logarithm of its length.
    private func hiding(string text: [UInt8], isCut: Bool) -> [UInt8] {
        let beginsLikeJSON = text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[")
        let json = beginsLikeJSON ? hiding(json: text, isCut: isCut, folding: false) : nil
        return json ?? hidingSecrets(in: text, isCut: isCut)
    }

    /// Returns whether a string is hidden; the rest of a string that is cut off may have made it look like a secret.
    private func hides(_ part: JSONParts.Part) -> Bool {
        part.isOpen ? part.sensitivity != .shown : part.sensitivity.hides(part.text, unlessWords: true)
    }

    private static func write(_ gap: ArraySlice<UInt8>, to shown: inout [UInt8], folding: Bool) {
        guard folding else {
            shown += gap
            return
        }
        for byte in gap where byte > UInt8(ascii: " ") || shown.last != UInt8(ascii: " ") {
            shown.append(max(byte, UInt8(ascii: " ")))
        }
    }
}
