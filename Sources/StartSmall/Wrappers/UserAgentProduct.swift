import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

/// One of the names by which software identifies itself, as in `Acme/1.2 (Linux)` (RFC 9110 10.1.5).
public struct UserAgentProduct: Equatable, Sendable {
    /// The name, a token.
    public var name: String

    /// The version, a token; nil for none.
    public var version: String?

    /// A comment, without its parentheses; nil for none.
    public var comment: String?

    /// Creates a product.
    public init(_ name: String, version: String? = nil, comment: String? = nil) {
        self.name = name
        self.version = version
        self.comment = comment
    }

    /// Returns the app as a product, by its bundle, or by its process where there is no bundle, as on Linux.
    ///
    /// Characters that a token can't contain become `-`.
    ///
    /// - Parameters:
    ///   - name: the name in the bundle; nil if there is none.
    ///   - version: the version in the bundle; nil if there is none.
    ///   - process: the name of the process, used if `name` is nil or empty; if it is empty too, the name is
    ///     `StartSmall`.
    public static func thisApp(
        name: String? = bundleValue("CFBundleName"),
        version: String? = bundleValue("CFBundleShortVersionString"),
        process: String = ProcessInfo.processInfo.processName
    ) -> UserAgentProduct {
        func token(_ text: String?) -> String? {
            guard let text, !text.isEmpty else { return nil }
            return String(decoding: text.utf8.map { HTTPToken.isTokenByte($0) ? $0 : UInt8(ascii: "-") }, as: UTF8.self)
        }
        return UserAgentProduct(token(name) ?? token(process) ?? "StartSmall", version: token(version))
    }

    /// Returns a value of the app's bundle; nil on platforms that have no bundles.
    @usableFromInline
    static func bundleValue(_ key: String) -> String? {
        bundleText(key)
    }

    /// Returns the value of `User-Agent` for these products.
    ///
    /// - Returns: the value; ``ConnectionError/malformedHeader(debugInfo:)`` on the left if there are no products, if a
    ///   name or version is not a token, or if a comment contains a control character.
    package static func userAgent(_ products: [UserAgentProduct]) -> Either<ConnectionError, String> {
        if products.isEmpty { return .left(.malformedHeader(debugInfo: "a User-Agent without a product")) }
        for product in products {
            for token in [product.name, product.version].compactMap(\.self) where !HTTPToken.isToken(token) {
                let reason = "not a product token (RFC 9110 10.1.5)"
                return .left(.malformedHeader(debugInfo: "\(reason): \"\(Redaction.standard.shown(text: token))\""))
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

    /// Returns a comment in which no parenthesis opens or closes another comment (RFC 9110 5.6.5).
    private static func escaped(_ comment: String) -> String {
        comment.unicodeScalars.map { "()\\".unicodeScalars.contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
