public import StartSmallCore
public import StartSmallSupport

/// The directives of `Cache-Control` (RFC 9111 5.2): for how long, and by whom, a message may be stored.
///
/// ```swift
/// let keep = response.cacheControl.maxAge ?? .zero
/// ```
///
/// ``contains(_:)`` tests for a directive that has a meaning without a value, and ``seconds(of:)`` reads the time of
/// another one:
///
/// - `no-store`: no part of the message may be stored (RFC 9111 5.2.2.5 and 5.2.1.5).
/// - `no-cache`: a stored response must be validated before each use (RFC 9111 5.2.2.4 and 5.2.1.4). If it applies to
///   some ``fields(of:)`` only, validation of the whole is correct for them, too.
/// - `must-revalidate`: a stale response must be validated before further use (RFC 9111 5.2.2.2).
/// - `private`: shared caches may not store the response (RFC 9111 5.2.2.7).
/// - `public`: caches may store the response where they otherwise might not (RFC 9111 5.2.2.9).
/// - `immutable`: the response never changes while it is fresh (RFC 8246 2).
/// - `s-maxage`, a time: replaces ``maxAge`` for shared caches (RFC 9111 5.2.2.10).
/// - `stale-while-revalidate`, a time: a stale response may be used during validation (RFC 5861 3).
/// - `stale-if-error`, a time: a stale response may be used if the server fails (RFC 5861 4).
/// - `min-fresh`, a time, in requests: the response must still be fresh for it (RFC 9111 5.2.1.3).
/// - `only-if-cached`, in requests: only a stored response is wanted, and a 504 otherwise (RFC 9111 5.2.1.7).
public struct CacheControl: Equatable, Sendable {
    /// One directive, such as `max-age=60`.
    ///
    /// Two directives are equal if they are the same byte by byte.
    public struct Directive: Sendable {
        /// The name in lower case, since names are case-insensitive.
        public var name: String

        /// The value without quotes and escapes; nil if there is none, and empty if the directive is malformed.
        public var value: String?

        /// Creates a directive.
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
    /// A directive with other text after it, or with a quote that is never closed, is malformed, up to the next comma,
    /// and has an empty value: `no-store :-)` still is `no-store`, but `max-age=60; x` has no time. Text without a name
    /// is a malformed directive with an empty name.
    ///
    /// No malformed directive hides a restriction, so that none makes a response more cacheable: `no-store`,
    /// `no-cache`, `private`, `must-revalidate`, `must-understand` and `max-age` are found wherever they stand in it,
    /// after any separator, as in `private; max-age=0; no-store`. Permissions such as `public` are not. Text is also
    /// malformed if such a name is a part of another name, or of a value that is not quoted.
    public init(_ text: String) {
        self.init()
        append(text)
    }

    /// Appends the directives of a field.
    fileprivate mutating func append(_ text: String) {
        var field = HeaderScanner(text)
        repeat {
            field.skipBlanks()
            let start = field.position
            let name = field.token()
            var (value, isQuoted): (String?, Bool) = (nil, false)
            if field.take("=") {
                isQuoted = field.isAt("\"")
                value = isQuoted ? field.quotedIfClosed() : field.token()
            }
            field.skipBlanks()
            if name.isEmpty || !field.isAtEnd && !field.isAt(",") { value = "" }
            field.skip(to: ",")
            let text = field.bytes(since: start)
            if !text.isEmpty { append(Directive(name, value), isQuoted: isQuoted, in: text) }
        } while field.take(",")
    }

    /// Appends a directive, and the restrictions that are hidden in it.
    ///
    /// - Parameters:
    ///   - isQuoted: whether the value was in quotes, in which no well-formed directive hides another one.
    ///   - text: the text of the directive, up to the next comma.
    private mutating func append(_ directive: Directive, isQuoted: Bool, in text: ArraySlice<UInt8>) {
        let isNamed = directive.name.utf8.allSatisfy(Self.isWordByte)
        let isPlain = directive.value.map { !$0.isEmpty && (isQuoted || $0.utf8.allSatisfy(\.isASCIIDigit)) } ?? true
        if isNamed, isPlain { return directives.append(directive) }
        let words = text.split { !Self.isWordByte($0) }.map { String(decoding: $0, as: UTF8.self).inSmallLetters }
        let hidden = zip(words, words.dropFirst() + [""]).filter { word, _ in
            Self.restrictions.contains(word) && !word.isSame(as: directive.name)
        }
        let name = isNamed || hidden.isEmpty ? directive.name : ""
        directives.append(Directive(name, hidden.isEmpty ? directive.value : ""))
        directives += hidden.map { word, next in
            Directive(word, word == "max-age" && next.utf8.allSatisfy(\.isASCIIDigit) ? next : "")
        }
    }

    /// The directives that make a response less cacheable.
    private static let restrictions: Set = [
        "no-store", "no-cache", "private", "must-revalidate", "must-understand", "max-age",
    ]

    /// Returns whether the names of known directives have a byte.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        URIEncoding.isAlphanumeric(byte) || byte == UInt8(ascii: "-")
    }

    /// 2³¹ seconds, about 68 years: the meaning of a number that is too large to represent (RFC 9111 1.2.2).
    static let maximumSeconds: Int64 = 2_147_483_648
}

extension HTTPHeaders {
    /// The directives of all `Cache-Control` fields, in order (RFC 9111 5.2); none if there is no such field.
    public var cacheControl: CacheControl {
        values(of: "Cache-Control").reduce(into: CacheControl()) { $0.append($1) }
    }

    /// The time in caches, from `Age` (RFC 9111 5.1): of several members, the first; nil if it is no number of seconds.
    ///
    /// A larger number than 2³¹ seconds, about 68 years, counts as that limit (RFC 9111 1.2.2).
    public var age: Duration? {
        var field = HeaderScanner(self["Age"] ?? "")
        repeat { field.skipBlanks() } while field.take(",")
        return CacheControl.seconds(field.text(withoutBlanksAtEnd: true) { $0 == UInt8(ascii: ",") })
    }
}

extension Response {
    /// The directives of all `Cache-Control` fields, in order (RFC 9111 5.2); none if there is no such field.
    public var cacheControl: CacheControl { headers.cacheControl }
}

extension CacheControl.Directive: Hashable, ComparedByKey {
    package var comparedKey: HashablePair<ByteEqualString, ByteEqualString?> {
        HashablePair(ByteEqualString(name), value.map { ByteEqualString($0) })
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
    /// larger number than 2³¹ seconds, about 68 years, counts as that limit (RFC 9111 1.2.2).
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
            let name = field.text { $0 == UInt8(ascii: ",") || HTTPToken.isBlank($0) }
            if !name.isEmpty { names.append(name) }
            _ = field.take(",")
        }
        return names
    }

    private func directive(_ name: String) -> Directive? {
        let name = name.inSmallLetters
        return directives.first { $0.name.isSame(as: name) }
    }

    /// Reads `delta-seconds`: digits only, any number of them.
    fileprivate static func seconds(_ text: String) -> Duration? {
        HTTPToken.deltaSeconds(text, atMost: maximumSeconds)
    }
}

/// The ages of responses, and those that requests ask for.
extension CacheControl {
    /// `max-age`: the time for which the response is fresh, or the maximum age (RFC 9111 5.2.2.1 and 5.2.1.1).
    ///
    /// Of several values, the first counts; if a directive is malformed, the shortest.
    public var maxAge: Duration? {
        guard directives.contains(where: { $0.value?.isEmpty == true }) else { return seconds(of: "max-age") }
        return directives.filter { $0.name == "max-age" }.compactMap { CacheControl([$0]).seconds(of: "max-age") }.min()
    }

    /// `max-stale` of a request: the time for which a response may be stale.
    ///
    /// Without a value, 2³¹ seconds, about 68 years. The source is RFC 9111 5.2.1.2.
    public var maxStale: Duration? {
        directive("max-stale").map { $0.value.map { Self.seconds($0) ?? .zero } ?? .seconds(Self.maximumSeconds) }
    }
}

extension CacheControl: CustomStringConvertible {
    /// The directives as in a field, which can have none whose name is no token (RFC 9111 5.2).
    public var description: String {
        directives.filter { HTTPToken.isToken($0.name) }.map { directive in
            directive.name + (directive.value.map { "=\(HTTPToken.tokenOrQuoted($0))" } ?? "")
        }.joined(separator: ", ")
    }
}
