import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

extension WebLink {
    /// The maximum length of a target: 8,000 bytes, which every server and client should support (RFC 9110 4.1).
    static let maximumTargetLength = 8000

    /// Returns the URL that the link leads to; nil if it is not a URL, has a host that is not ASCII or has a percent
    /// sign, or is longer than 8,000 bytes (RFC 9110 4.1).
    ///
    /// - Parameter base: the URL against which a relative reference is resolved.
    public func target(from base: URL) -> URL? {
        reference.utf8.count <= Self.maximumTargetLength ? base.resolving(reference) : nil
    }

    /// The maximum number of anchors to resolve for one relation: 100, more than any API sends.
    ///
    /// Links with an anchor beyond them count as links from another resource. Each anchor is resolved separately, and
    /// each of the ten thousand that fit into a response head would take as long as the whole URL.
    static let maximumAnchors = 100
}

extension Sequence<WebLink> {
    /// Returns the first link of a relation whose source is the requested resource, and not another one (RFC 8288 3.2).
    ///
    /// If the base URL is longer than ``WebLink/maximumTargetLength``, only links without an anchor match.
    func first(of relation: String, from base: URL) -> WebLink? {
        let place = URIEncoding.withoutFragment(base.absoluteString)
        var anchorsLeft = place.utf8.count <= WebLink.maximumTargetLength ? WebLink.maximumAnchors : 0
        return first { link in
            guard link.isOf(relation) else { return false }
            guard let anchor = link["anchor"], !anchor.isEmpty else { return true }
            guard anchorsLeft > 0 else { return false }
            anchorsLeft -= 1
            return WebLink(to: anchor).target(from: base)?.absoluteString == place
        }
    }
}
