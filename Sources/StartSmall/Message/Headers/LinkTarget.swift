public import Foundation

extension WebLink {
    /// 8,000 bytes: as long a URL as everybody should be able to take (RFC 9110 4.1).
    public static let longestTarget = 8000

    /// Where the link leads, seen from a URL; nil if it is no URL, or longer than ``longestTarget``.
    public func target(from base: URL) -> URL? {
        reference.utf8.count <= Self.longestTarget ? base.resolving(reference) : nil
    }

    /// So many links of one relation may say what they are from; those behind them are from another thing, whatever they
    /// say.
    ///
    /// More than any API gives. Each is resolved anew, and the ten thousand that fill a head would each take as long as the
    /// whole URL.
    public static let mostAnchors = 100
}

extension Sequence<WebLink> {
    /// The first link of a relation that is from what was asked for, and not from another thing (RFC 8288 3.2).
    ///
    /// From a URL that is longer than ``WebLink/longestTarget``, only links are that say nothing else.
    func first(of relation: String, from base: URL) -> WebLink? {
        let place = URIEncoding.withoutFragment(base.absoluteString)
        var anchorsLeft = place.utf8.count <= WebLink.longestTarget ? WebLink.mostAnchors : 0
        return first { link in
            guard link.isOf(relation) else { return false }
            guard let anchor = link.anchor, !anchor.isEmpty else { return true }
            guard anchorsLeft > 0 else { return false }
            anchorsLeft -= 1
            return WebLink(to: anchor).target(from: base)?.absoluteString == place
        }
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
