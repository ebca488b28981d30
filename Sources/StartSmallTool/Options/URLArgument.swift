import Foundation
import StartSmall

/// A URL as it is typed: the scheme can be left out, and the host too, for this machine.
enum URLArgument {
    /// Returns whether a word is more likely a URL than the name of a command.
    static func mayBeURL(_ word: String) -> Bool {
        word == "localhost" || word.utf8.contains { ".:/".utf8.contains($0) }
    }

    /// Returns the URL with a scheme: `http` for this machine, `https` for any other host.
    ///
    /// This machine is `localhost`, `127.0.0.1`, `[::1]` and `:8080`.
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

    /// The hosts of this machine, which rarely use TLS.
    private static let localHosts: Set = ["localhost", "127.0.0.1", "[::1]"]

    /// Returns whether a text begins with a scheme and `://` (RFC 3986 3.1).
    private static func hasScheme(_ text: String) -> Bool {
        guard let end = text.range(of: "://")?.lowerBound else { return false }
        let scheme = text[..<end].utf8
        return scheme.first?.isLetter == true && scheme.allSatisfy { $0.isLetter || "0123456789+-.".utf8.contains($0) }
    }

    /// Returns the host without user information and port: `localhost@a.example` is another machine.
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
