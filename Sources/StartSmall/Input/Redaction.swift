import Foundation

/// What must not be shown: which headers and query items hold credentials, and what stands in their place.
///
/// All descriptions in StartSmall use ``standard`` unless they are asked for another, so that credentials reach
/// neither a log nor a failed test's output by accident.
public struct Redaction: Hashable, Sendable {
    /// Names that hide a value when they are the whole name; compared without case, `-` and `_`.
    public var names: Set<String>

    /// Words that hide a value when they occur anywhere in its name; compared without case, `-` and `_`.
    public var words: Set<String>

    /// Whether the user information of a URL (`https://user:password@host`) is hidden.
    public var hidesUserInfo: Bool

    /// Creates a redaction from its names and words.
    public init(names: Set<String>, words: Set<String>, hidesUserInfo: Bool = true) {
        self.names = names
        self.words = words
        self.hidesUserInfo = hidesUserInfo
    }

    /// What hides credentials in descriptions unless another redaction is asked for.
    public static let standard = Redaction(names: standardNames, words: standardWords)

    /// Hides nothing: for a developer's eyes only.
    public static let none = Redaction(names: [], words: [], hidesUserInfo: false)

    /// Whole names that are secrets in the APIs we know, too short to be looked for inside other names.
    public static let standardNames: Set<String> = ["auth", "code", "key", "pass", "passwd", "pwd", "sid", "sig"]

    /// Words that make any name a secret: RFC 9110 11.6 and 11.7, RFC 6265 4, RFC 6749 2.3.1 and 4, AWS Signature 4.
    public static let standardWords: Set<String> = [
        "apikey", "assertion", "authorization", "cookie", "credential", "jwt", "password", "privatekey", "secret",
        "session", "signature", "subscriptionkey", "token",
    ]

    /// What stands in place of a hidden value.
    public static let placeholder = "<redacted>"

    /// Whether the value of a header or query item of this name is hidden.
    public func hides(_ name: String) -> Bool {
        if names.isEmpty && words.isEmpty { return false }
        let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
        return names.contains(plain) || words.contains { plain.contains($0) }
    }

    /// The value to show for a header or query item of this name.
    public func shown(_ value: String, of name: String) -> String {
        hides(name) ? Self.placeholder : value
    }

    /// A URL's text with its hidden parts replaced; works on any text, whether it is a legal URL or not.
    public func shown(url text: String) -> String {
        var rest = Substring(text)
        let fragment = rest.cut(from: "#")
        let query = rest.cut(from: "?")
        return showing(authorityOf: String(rest)) + showing(itemsOf: query) + showing(itemsOf: fragment)
    }

    /// `https://user:password@host/path` without its user information.
    private func showing(authorityOf text: String) -> String {
        guard hidesUserInfo, let scheme = text.range(of: "//") else { return text }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return text }
        return text[..<scheme.upperBound] + Self.placeholder + text[at...]
    }

    /// `?a=1&token=2`, or a fragment of that form, with the secret values replaced.
    private func showing(itemsOf part: Substring) -> String {
        guard let mark = part.first else { return "" }
        let items = part.dropFirst().split(separator: "&", omittingEmptySubsequences: false).map { item in
            guard let equals = item.firstIndex(of: "=") else { return String(item) }
            let name = String(item[..<equals])
            guard hides(name.removingPercentEncoding ?? name) else { return String(item) }
            return "\(name)=\(Self.placeholder)"
        }
        return String(mark) + items.joined(separator: "&")
    }
}

extension Substring {
    /// Takes everything from the first `mark` on off the end, and returns it.
    fileprivate mutating func cut(from mark: Character) -> Substring {
        guard let index = firstIndex(of: mark) else { return "" }
        defer { self = self[..<index] }
        return self[index...]
    }
}
