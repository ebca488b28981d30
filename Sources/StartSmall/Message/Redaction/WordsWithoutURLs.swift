extension Redaction {
    /// What an engine says of a failure, without each word that may be a URL: it could hold a credential anywhere.
    static func withoutURLs(_ text: String) -> String {
        // By bytes: a slash with an accent on it is another `Character`.
        let words = Array(text.utf8).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        let shown = words.map { $0.holds("://") ? Array(placeholder.utf8)[...] : $0 }
        return String(decoding: Array(shown.joined(separator: " ".utf8)), as: UTF8.self)
    }
}
