import Foundation
import StartSmall

/// A URL as it is typed: its scheme may be left out, and its host, where that is this machine.
enum URLArgument {
    /// Whether a word is rather a URL than the name of a command.
    static func mayBeURL(_ word: String) -> Bool {
        word == "localhost" || word.utf8.contains { ".:/".utf8.contains($0) }
    }

    /// The URL with a scheme: `http` for `localhost`, `127.0.0.1`, `[::1]` and `:8080`, `https` for any other host.
    static func withScheme(_ text: String) -> String {
        if hasScheme(text) { return text }
        if text.utf8.first == UInt8(ascii: ":"), !text.utf8.starts(with: "::".utf8) {
            // `:8080/path` has a port, and `:/path` has none.
            let rest = text.utf8.dropFirst()
            let hasPort = rest.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
            return "http://localhost" + (hasPort ? text : String(text.dropFirst()))
        }
        return (localHosts.contains(host(of: text).lowercased()) ? "http://" : "https://") + text
    }

    /// The hosts that are this machine, to which TLS is unusual.
    private static let localHosts: Set = ["localhost", "127.0.0.1", "[::1]"]

    /// Whether a text begins with a scheme and `://` (RFC 3986 3.1).
    private static func hasScheme(_ text: String) -> Bool {
        guard let end = text.range(of: "://")?.lowerBound else { return false }
        let scheme = text[..<end].utf8
        return scheme.first?.isLetter == true && scheme.allSatisfy { $0.isLetter || "0123456789+-.".utf8.contains($0) }
    }

    /// The host without user information and port: `localhost@a.example` is another machine.
    private static func host(of text: String) -> String {
        let authority = text.prefix { !"/?#\\".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        if host.first == "[", let end = host.firstIndex(of: "]") { return String(host[...end]) }
        return String(host.prefix { $0 != ":" })
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
