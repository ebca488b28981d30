/// How long and by whom a message may be kept, as `Cache-Control` says (RFC 9111 5.2).
///
/// ```swift
/// let keep = response.cacheControl.maxAge ?? .zero
/// ```
public struct CacheControl: Hashable, Sendable {
    /// One directive, such as `max-age=60`.
    public struct Directive: Sendable {
        /// The name in small letters: case says nothing in it.
        public var name: String

        /// The value as it is meant, without quotes; nil if there is none.
        public var value: String?

        /// Creates a directive.
        public init(_ name: String, _ value: String? = nil) {
            self.name = name.inSmallLetters
            self.value = value
        }
    }

    /// All directives in order: also a second one of a name, and those that RFC 9111 does not know.
    public var directives: [Directive]

    /// Creates directives, none unless told otherwise.
    public init(_ directives: [Directive] = []) {
        self.directives = directives
    }

    /// Reads a field's value.
    ///
    /// What is no directive is passed over, up to the next comma. What stands behind the name or the value of one says
    /// nothing, so that `no-store :-)` still is `no-store`.
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

    /// 2³¹ seconds, some 68 years: what a number too large to count means (RFC 9111 1.2.2).
    public static let greatestSeconds: Int64 = 2_147_483_648
}

extension CacheControl.Directive: Hashable {
    /// Whether name and value are the same, byte by byte.
    public static func == (left: CacheControl.Directive, right: CacheControl.Directive) -> Bool {
        left.name.isSame(as: right.name)
            && left.value.map(ByteEqualString.init) == right.value.map(ByteEqualString.init)
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteEqualString(name))
        hasher.combine(value.map(ByteEqualString.init))
    }
}

extension CacheControl {
    /// Whether there is a directive of this name, without case.
    public func contains(_ name: String) -> Bool {
        directive(name) != nil
    }

    /// The value of the first directive of this name, without case (RFC 9111 4.2.1); nil if it has none.
    public subscript(name: String) -> String? {
        directive(name)?.value
    }

    /// The seconds of the first directive of this name; nil if there is none.
    ///
    /// What is no number of seconds is none at all, so that it keeps nothing for too long (RFC 9111 4.2.1). A number above
    /// ``greatestSeconds`` is that one (RFC 9111 1.2.2).
    public func seconds(of name: String) -> Duration? {
        directive(name).map { $0.value.flatMap(Self.seconds) ?? .zero }
    }

    /// The header fields that the first directive of this name is about, as in `no-cache="Set-Cookie"`; none if it is about
    /// the whole.
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

    /// `delta-seconds`: digits alone, however many.
    private static func seconds(_ text: String) -> Duration? {
        HTTPToken.deltaSeconds(text, atMost: greatestSeconds)
    }
}

/// What responses say, and requests where they say the same.
extension CacheControl {
    /// `max-age`: for how long the response is fresh, or how old one may be (RFC 9111 5.2.2.1 and 5.2.1.1).
    public var maxAge: Duration? { seconds(of: "max-age") }

    /// `s-maxage`: the same for caches that several people share, in place of ``maxAge`` (RFC 9111 5.2.2.10).
    public var sharedMaxAge: Duration? { seconds(of: "s-maxage") }

    /// `no-store`: whether nothing of it may be kept (RFC 9111 5.2.2.5 and 5.2.1.5).
    public var forbidsStoring: Bool { contains("no-store") }

    /// `no-cache`: whether what is kept must not be used before the server was asked (RFC 9111 5.2.2.4 and 5.2.1.4).
    ///
    /// True also if it is so for some ``fields(of:)`` alone: what is right for the whole is right for them.
    public var demandsValidation: Bool { contains("no-cache") }

    /// `must-revalidate`: whether it must not be used any more, once it is stale, before the server was asked (RFC 9111
    /// 5.2.2.2).
    public var demandsValidationOnceStale: Bool { contains("must-revalidate") }

    /// `private`: whether caches that several people share may not keep it (RFC 9111 5.2.2.7).
    public var isPrivate: Bool { contains("private") }

    /// `public`: whether caches may keep it where else they might not (RFC 9111 5.2.2.9).
    public var isPublic: Bool { contains("public") }

    /// `immutable`: whether it never changes while it is fresh (RFC 8246 2).
    public var isImmutable: Bool { contains("immutable") }

    /// `stale-while-revalidate`: for how long it may be used once it is stale, while the server is asked (RFC 5861 3).
    public var staleWhileRevalidate: Duration? { seconds(of: "stale-while-revalidate") }

    /// `stale-if-error`: for how long it may be used once it is stale, where the server fails (RFC 5861 4).
    public var staleIfError: Duration? { seconds(of: "stale-if-error") }
}

/// What requests alone say.
extension CacheControl {
    /// `max-stale`: for how long a response may be stale (RFC 9111 5.2.1.2); without a value, for ``greatestSeconds``.
    public var maxStale: Duration? {
        directive("max-stale").map { $0.value.map { Self.seconds($0) ?? .zero } ?? .seconds(Self.greatestSeconds) }
    }

    /// `min-fresh`: for how long a response must still be fresh (RFC 9111 5.2.1.3).
    public var minFresh: Duration? { seconds(of: "min-fresh") }

    /// `only-if-cached`: whether only what is kept is wanted, and a 504 otherwise (RFC 9111 5.2.1.7).
    public var isOnlyIfCached: Bool { contains("only-if-cached") }
}

extension CacheControl: CustomStringConvertible {
    /// The directives as they stand in a field.
    public var description: String {
        directives.map { directive in
            directive.name + (directive.value.map { "=\(HTTPToken.tokenOrQuoted($0))" } ?? "")
        }.joined(separator: ", ")
    }
}
