public import Foundation

/// One of the names by which software says who it is, as in `Acme/1.2 (Linux)` (RFC 9110 10.1.5).
public struct UserAgentProduct: Hashable, Sendable {
    /// The name, a token.
    public var name: String

    /// The version, a token, or nil.
    public var version: String?

    /// What else is to be said, without its parentheses, or nil.
    public var comment: String?

    /// Creates a product.
    public init(_ name: String, version: String? = nil, comment: String? = nil) {
        self.name = name
        self.version = version
        self.comment = comment
    }

    /// The app itself, by its bundle, or by the name of its process where it has no bundle, as on Linux.
    ///
    /// What can't stand in a token becomes `-`.
    public static func thisApp(
        name: String? = Bundle.main.infoDictionary?["CFBundleName"] as? String,
        version: String? = Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String,
        process: String = ProcessInfo.processInfo.processName
    ) -> UserAgentProduct {
        func token(_ text: String?) -> String? {
            guard let text, !text.isEmpty else { return nil }
            return String(decoding: text.utf8.map { HTTPToken.isTokenByte($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
        }
        return UserAgentProduct(token(name) ?? token(process) ?? "StartSmall", version: token(version))
    }

    /// The value of `User-Agent` that names these products, the most important one first.
    ///
    /// Left with ``ConnectionError/malformedHeader(debugInfo:)`` if there is none, if a name or version is not a token, or
    /// if a comment holds a control character.
    public static func userAgent(_ products: [UserAgentProduct]) -> Either<ConnectionError, String> {
        if products.isEmpty { return .left(.malformedHeader(debugInfo: "a User-Agent without a product")) }
        for product in products {
            for token in [product.name, product.version].compactMap(\.self) where !HTTPToken.isToken(token) {
                let reason = "not a product token (RFC 9110 10.1.5)"
                return .left(.malformedHeader(debugInfo: "\(reason): \"\(token.onOneLine)\""))
            }
            if let comment = product.comment, !HTTPToken.isFieldValue(comment) {
                return .left(.malformedHeader(debugInfo: "a control character in the comment of \(product.name)"))
            }
        }
        return .right(products.map(\.text).joined(separator: " "))
    }

    private var text: String {
        let comment = comment.map { " (\(Self.escaped($0)))" } ?? ""
        return name + (version.map { "/\($0)" } ?? "") + comment
    }

    /// A comment in which no parenthesis opens or ends another (RFC 9110 5.6.5).
    private static func escaped(_ comment: String) -> String {
        comment.unicodeScalars.map { "()\\".unicodeScalars.contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
