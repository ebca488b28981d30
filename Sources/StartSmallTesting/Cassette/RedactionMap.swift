import Foundation
import StartSmall

/// The placeholder for a secret in a URL.
private let placeholder = URIEncoding.encoded(Redaction.placeholder)

extension URLParts {
    /// Returns whether another URL is equal, with any values in place of the hidden ones of this URL.
    func fits(_ other: URLParts) -> Bool {
        if self == other { return true }
        guard origin == other.origin, queryItems.count == other.queryItems.count else { return false }
        let (segments, others) = (path.components(separatedBy: "/"), other.path.components(separatedBy: "/"))
        guard segments.count == others.count, zip(segments, others).allSatisfy(Self.fits) else { return false }
        // Items without hidden parts come first, since only one item matches each of them.
        var open = other.queryItems
        for item in queryItems where !item.contains(placeholder) {
            guard let index = open.firstIndex(of: item) else { return false }
            open.remove(at: index)
        }
        return Self.canPair(queryItems.filter { $0.contains(placeholder) }, with: open)
    }

    /// Whether the path contains hidden parts, so that other paths match.
    var hidesInPath: Bool { path.contains(placeholder) }

    /// Returns whether each pattern can be paired with its own matching text.
    ///
    /// If all texts of a pattern are taken, another pattern releases one of them if it matches a third text (H. W.
    /// Kuhn, *The Hungarian method for the assignment problem*, 1955).
    private static func canPair(_ patterns: [String], with texts: [String]) -> Bool {
        var takers: [Int: Int] = [:]
        func take(_ pattern: Int, _ tried: inout Set<Int>) -> Bool {
            for text in texts.indices where !tried.contains(text) && fits(patterns[pattern], texts[text]) {
                tried.insert(text)
                if let taker = takers[text], !take(taker, &tried) { continue }
                takers[text] = pattern
                return true
            }
            return false
        }
        return patterns.indices.allSatisfy { pattern in
            var tried: Set<Int> = []
            return take(pattern, &tried)
        }
    }

    /// Returns whether a text matches a pattern, with at least one character for each placeholder.
    private static func fits(_ pattern: String, _ text: String) -> Bool {
        var pieces = pattern.components(separatedBy: placeholder)
        let last = pieces.removeLast()
        guard let first = pieces.first else { return text == last }
        guard text.hasPrefix(first), text.hasSuffix(last) else { return false }
        var rest = Substring(text).dropFirst(first.count)
        for piece in pieces.dropFirst() {
            rest = rest.dropFirst()
            if piece.isEmpty { continue }
            guard let range = rest.range(of: piece) else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.count > last.count
    }
}

/// The positions of hidden parts in a cassette's URLs, so that the parts are hidden in error messages too.
struct RedactionMap {
    /// The path segments that precede a hidden segment.
    private var segments: Set<Substring> = []

    /// The names of query items with hidden values.
    private var names: Set<Substring> = []

    init(of urls: [URLParts]) {
        for parts in urls {
            let path = parts.path.split(separator: "/", omittingEmptySubsequences: false)
            for (before, segment) in zip(path, path.dropFirst()) where segment.contains(placeholder) {
                segments.insert(before)
            }
            names.formUnion(parts.queryItems.filter { $0.contains(placeholder) }.map(Self.name))
        }
    }

    /// Returns a request for display, with placeholders in the same positions as in the cassette.
    func hiding(_ input: Input) -> Input {
        let text = input.url.absoluteString
        let pathAndQuery = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = (pathAndQuery.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
        var shown: [Substring] = []
        for (index, segment) in path.enumerated() {
            // The first three elements are `https:`, an empty one, and the server.
            let isHidden = index > 2 && shown.last.map { segments.contains(index == 3 ? "" : $0) } == true
            shown.append(isHidden ? Substring(placeholder) : segment)
        }
        let items = pathAndQuery.dropFirst().first?.split(separator: "&").map { item in
            names.contains(Self.name(of: item)) ? "\(Self.name(of: item))=\(placeholder)" : String(item)
        }
        let query = items.map { "?" + $0.joined(separator: "&") } ?? ""
        var input = input
        input.url = URL(string: shown.joined(separator: "/") + query) ?? URL(filePath: "/")
        return input
    }

    private static func name(of item: some StringProtocol) -> Substring {
        Substring(item.prefix { $0 != "=" })
    }
}
