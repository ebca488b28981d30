import Foundation

extension Input {
    /// The URL with all queries; the URL alone if they can't be added.
    var calledURL: URL {
        queries.isEmpty ? url : URL(string: RFC3986.appending(queries, to: url.absoluteString)) ?? url
    }
}

extension URL {
    /// What a reference means, seen from this URL (RFC 3986 5.2): this one if it is empty, nil if it is no reference.
    func resolving(_ reference: String) -> URL? {
        // Foundation leaves the dot segments of an absolute reference as they are.
        reference.isEmpty ? self : URL(string: reference, relativeTo: absoluteURL)?.absoluteURL.standardized
    }
}
