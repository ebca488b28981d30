package import StartSmallCore
import StartSmallSupport

extension Redaction {
    /// Returns an engine's error text without each word that may be a URL.
    ///
    /// A URL could contain a credential anywhere.
    package static func withoutURLs(_ text: String) -> String {
        let words = Array(text.utf8).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        let shown = words.map { $0.holds("://") ? Array(placeholder.utf8)[...] : $0 }
        return String(decoding: Array(shown.joined(separator: " ".utf8)), as: UTF8.self)
    }
}
