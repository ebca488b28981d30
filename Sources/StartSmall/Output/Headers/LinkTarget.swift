public import Foundation

extension Link {
    /// 8,000 bytes: as long a URL as everybody should be able to take (RFC 9110 4.1).
    public static let longestTarget = 8000

    /// Where the link leads, seen from a URL; nil if it is no URL, or longer than ``longestTarget``.
    public func target(from base: URL) -> URL? {
        Self.resolve(reference, base)
    }

    /// Whether it is a link from what was asked for, and not from another thing (RFC 8288 3.2).
    func isFrom(_ base: URL) -> Bool {
        guard let anchor else { return true }
        return Self.resolve(anchor, base)?.absoluteString == String(base.absoluteString.prefix { $0 != "#" })
    }

    private static func resolve(_ reference: String, _ base: URL) -> URL? {
        reference.utf8.count <= longestTarget ? base.resolving(reference) : nil
    }
}

extension Response {
    /// The URL that gave this response to an input, with its queries: what relative references are seen from (RFC 3986
    /// 5.1.3).
    ///
    /// Where ``Wrapper/baseURL(_:others:)`` completed the input's URL, it is the whole one.
    public func base(of input: Input) -> URL {
        redirections.last?.to ?? input.with { $0.url = called.url ?? $0.url }.calledURL
    }
}
