extension Redactor {
    /// Replaces the values of secret names in a text.
    ///
    /// A name is before an `=`, before a `:` that a quote follows, or in an XML tag.
    ///
    /// - Parameters:
    ///   - text: the text in UTF-8.
    ///   - isURL: whether the text is a URL, in which only `?`, `#`, `&` and `;` begin an item and end its value.
    mutating func items(of text: [UInt8], isURL: Bool) -> [UInt8] {
        let text = isURL ? text : unescapedAsWhole(text) ?? text
        guard text.contains(where: { $0 == .equals || $0 == .colon || $0 == .greater }) else { return text }
        var scan = ItemScan(text, isURL: isURL)
        return scan.hidden(by: &self)
    }

    /// Decodes a text that is percent-encoded as a whole.
    ///
    /// - Returns: The placeholder if the decoded text contains a secret; nil otherwise.
    private mutating func unescapedAsWhole(_ text: [UInt8]) -> [UInt8]? {
        guard text.contains(URIEncoding.percent), !text.contains(where: { $0 == .equals || $0 <= UInt8(ascii: " ") })
        else {
            return nil
        }
        let decoded = URIEncoding.decoded(text[...])
        guard decoded != text[...] else { return nil }
        if case .unchanged = nested(decoded) { return nil }
        return placeholder(for: decoded)
    }

    /// Replaces the secret values of a form (WHATWG URL 5.1), in which only `&` ends a value.
    mutating func form(_ text: ArraySlice<UInt8>) -> [UInt8] {
        begin(text.count)
        let text = userInfo(of: Array(text))
        var shown: [UInt8] = []
        shown.reserveCapacity(text.count)
        for item in text.split(separator: .and, omittingEmptySubsequences: false) {
            if item.startIndex > 0 { shown.append(.and) }
            guard let equals = item.firstIndex(of: .equals) else {
                shown += items(of: Array(item), isURL: false)
                continue
            }
            let value = item[(equals + 1)...]
            let decoded = URIEncoding.decodedForm(value)
            let decision = decision(on: URIEncoding.decodedForm(item[..<equals]))
            if decision.hides(decoded) {
                shown += item[...equals]
                shown += placeholder(for: value)
                collect(readingsOf: value)
                continue
            }
            shown += item[...equals]
            if decoded == value {
                shown += self.text(Array(value))
            } else if case .unchanged = nested(decoded) {
                shown += items(of: Array(value), isURL: false)
            } else {
                shown += placeholder(for: decoded)
            }
        }
        return shown
    }
}
