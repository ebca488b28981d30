import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

struct JSONSyntaxError: PayloadError {
    /// The number of bytes before the first invalid one; all of them if the text ends too soon, and nil if the text is
    /// too long to be read.
    let offset: Int?

    /// Whether `JSONDecoder` rejects the text, too: it accepts some texts that are not JSON.
    let isCertain: Bool

    /// Returns the first byte that is not JSON or not UTF-8; nil for JSON, and for UTF-16 and UTF-32.
    init?(in data: Data) {
        let offsets = [JSONTape.offsetOfError(in: data), Self.invalidUTF8(in: data)?.offset]
        guard Charset.wideEncoding(of: data) == nil, let offset = offsets.compactMap(\.self).min() else { return nil }
        self.init(offset: offset, isCertain: false)
    }

    init(offset: Int?, isCertain: Bool) { (self.offset, self.isCertain) = (offset, isCertain) }

    func text(in payload: Data?, calling whole: String) -> String {
        guard let offset else { return "\(whole) is too long" }
        let isWide = payload.map { Charset.wideEncoding(of: $0) != nil } ?? true
        if isWide { return "\(whole) is invalid JSON" }
        let invalid = payload.flatMap(Self.invalidUTF8).flatMap { $0.offset == offset ? $0 : nil }
        if let invalid, !invalid.isCut { return "\(whole) is not UTF-8 at byte \(offset)" }
        let count = payload?.count
        return offset == count || invalid != nil
            ? "\(whole) is incomplete JSON: it ends after \(count ?? offset) bytes"
            : "\(whole) is invalid JSON at byte \(offset)"
    }

    /// Returns the number of bytes before the first character that is not UTF-8, and whether only its end is missing.
    private static func invalidUTF8(in data: Data) -> (offset: Int, isCut: Bool)? {
        var (bytes, parser, offset) = (data.makeIterator(), Unicode.UTF8.ForwardParser(), 0)
        while true {
            switch parser.parseScalar(from: &bytes) {
            case .valid(let character): offset += character.count
            case .emptyInput: return nil
            case .error(let length):
                let isLead = 0xC2...0xF4 ~= data[data.startIndex + offset]
                return (offset, isLead && offset + length == data.count)
            }
        }
    }
}
