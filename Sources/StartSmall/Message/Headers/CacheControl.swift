/// The directives of `Cache-Control` (RFC 9111 5.2): for how long, and by whom, a message may be stored.
///
/// ```swift
/// let keep = response.cacheControl.maxAge ?? .zero
/// ```
public struct CacheControl: Hashable, Sendable {
    /// One directive, such as `max-age=60`.
    public struct Directive: Sendable {
        /// The name in lower case, since names are case-insensitive.
        public var name: String

        /// The value without quotes and escapes; nil if there is none.
        public var value: String?

        /// Creates a directive.
        ///
        /// - Parameters:
        ///   - name: the name, in any case.
        ///   - value: the value, unquoted; nil for none.
        public init(_ name: String, _ value: String? = nil) {
            self.name = name.inSmallLetters
            self.value = value
        }
    }

    /// All directives in order, including duplicates and those that RFC 9111 does not define.
    public var directives: [Directive]

    /// Creates directives; none by default.
    public init(_ directives: [Directive] = []) {
        self.directives = directives
    }

    /// Reads the value of a field.
    ///
    /// Text that is not a directive is skipped, up to the next comma. Text after the name or the value of a directive
    /// is ignored, so that `no-store :-)` still is `no-store`.
    ///
    /// - Parameter text: the value of the field.
    public init(_ text: String) {
        var field = HeaderScanner(text)
        directives = []
        repeat {
            field.skipBlanks()
            let name = field.token()
            let value = field.take("=") ? field.take("\"") ? field.quoted() : field.token() : nil
            if !name.isEmpty { directives.append(Directive(name, value)) }
            field.skip(to: ",")
        } while field.take(",")
    }

    /// 2³¹ seconds, about 68 years: the meaning of a number that is too large to represent (RFC 9111 1.2.2).
    public static let maximumSeconds: Int64 = 2_147_483_648
}

extension CacheControl.Directive: Hashable {
    /// Whether name and value are the same, byte by byte.
    ///
    /// - Parameters:
    ///   - left: a directive.
    ///   - right: another directive.
    public static func == (left: CacheControl.Directive, right: CacheControl.Directive) -> Bool {
        left.name.isSame(as: right.name)
            && left.value.map(ByteEqualString.init) == right.value.map(ByteEqualString.init)
    }

    /// Hashes the parts that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteEqualString(name))
        hasher.combine(value.map(ByteEqualString.init))
    }
}

extension CacheControl {
    /// Whether there is a directive of this name, ignoring case.
    public func contains(_ name: String) -> Bool {
        directive(name) != nil
    }

    /// The value of the first directive of this name, ignoring case (RFC 9111 4.2.1); nil if it has none.
    public subscript(name: String) -> String? {
        directive(name)?.value
    }

    /// Returns the seconds of the first directive of this name; nil if there is none.
    ///
    /// A value that is not a number of seconds counts as 0, so that nothing is stored for too long (RFC 9111 4.2.1). A
    /// larger number than ``maximumSeconds`` counts as that limit (RFC 9111 1.2.2).
    public func seconds(of name: String) -> Duration? {
        directive(name).map { $0.value.flatMap(Self.seconds) ?? .zero }
    }

    /// Returns the names of the header fields that the first directive of this name applies to.
    ///
    /// For example, `Set-Cookie` of `no-cache="Set-Cookie"`; none if the directive applies to the whole message.
    public func fields(of name: String) -> [String] {
        var (names, field) = ([String](), HeaderScanner(self[name] ?? ""))
        while !field.isAtEnd {
            field.skipBlanks()
            let name = field.text { $0 == UInt8(ascii: ",") || $0.isBlank }
            if !name.isEmpty { names.append(name) }
            _ = field.take(",")
        }
        return names
    }

    private func directive(_ name: String) -> Directive? {
        let name = name.lowercased()
        return directives.first { $0.name.isSame(as: name) }
    }

    /// Reads `delta-seconds`: digits only, any number of them.
    private static func seconds(_ text: String) -> Duration? {
        HTTPToken.deltaSeconds(text, atMost: maximumSeconds)
    }
}

/// Directives of responses, and of requests if they have the same meaning there.
extension CacheControl {
    /// `max-age`: the time for which the response is fresh, or the maximum age (RFC 9111 5.2.2.1 and 5.2.1.1).
    public var maxAge: Duration? { seconds(of: "max-age") }

    /// `s-maxage`: the value that replaces ``maxAge`` for shared caches (RFC 9111 5.2.2.10).
    public var sharedMaxAge: Duration? { seconds(of: "s-maxage") }

    /// Whether no part of the message may be stored: `no-store` (RFC 9111 5.2.2.5 and 5.2.1.5).
    public var forbidsStoring: Bool { contains("no-store") }

    /// Whether a stored response must be validated before each use: `no-cache` (RFC 9111 5.2.2.4 and 5.2.1.4).
    ///
    /// Also true if the directive applies to some ``fields(of:)`` only: validation of the whole is correct for them,
    /// too.
    public var demandsValidation: Bool { contains("no-cache") }

    /// Whether a stale response must be validated before further use: `must-revalidate` (RFC 9111 5.2.2.2).
    public var demandsValidationOnceStale: Bool { contains("must-revalidate") }

    /// Whether shared caches may not store the response: `private` (RFC 9111 5.2.2.7).
    public var isPrivate: Bool { contains("private") }

    /// Whether caches may store the response where they otherwise might not: `public` (RFC 9111 5.2.2.9).
    public var isPublic: Bool { contains("public") }

    /// Whether the response never changes while it is fresh: `immutable` (RFC 8246 2).
    public var isImmutable: Bool { contains("immutable") }

    /// `stale-while-revalidate`: the time for which a stale response may be used during validation (RFC 5861 3).
    public var staleWhileRevalidate: Duration? { seconds(of: "stale-while-revalidate") }

    /// `stale-if-error`: the time for which a stale response may be used if the server fails (RFC 5861 4).
    public var staleIfError: Duration? { seconds(of: "stale-if-error") }
}

/// Directives of requests only.
extension CacheControl {
    /// `max-stale`: the time for which a response may be stale (RFC 9111 5.2.1.2); ``maximumSeconds`` without a value.
    public var maxStale: Duration? {
        directive("max-stale").map { $0.value.map { Self.seconds($0) ?? .zero } ?? .seconds(Self.maximumSeconds) }
    }

    /// `min-fresh`: the time for which a response must still be fresh (RFC 9111 5.2.1.3).
    public var minFresh: Duration? { seconds(of: "min-fresh") }

    /// Whether only a stored response is wanted, and a 504 otherwise: `only-if-cached` (RFC 9111 5.2.1.7).
    public var isOnlyIfCached: Bool { contains("only-if-cached") }
}

extension CacheControl: CustomStringConvertible {
    /// The directives as in a field.
    public var description: String {
        directives.map { directive in
            directive.name + (directive.value.map { "=\(HTTPToken.tokenOrQuoted($0))" } ?? "")
        }.joined(separator: ", ")
    }
}
