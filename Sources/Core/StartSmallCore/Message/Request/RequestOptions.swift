public import StartSmallSupport

/// A value that a caller adds to one request, for the wrappers on its way; the key is the type.
///
/// ```swift
/// enum Tenant: RequestOption { typealias Value = String }
///
/// let input = Input(url: url).with { $0.options[Tenant.self] = "acme" }
/// ```
///
/// An option is never sent. It stays with the request through retries and redirects, also to another origin, and is
/// seen by each wrapper and engine: a value must not be a secret.
public protocol RequestOption: SendableMetatype {
    /// The type of the values.
    associatedtype Value: Hashable & Sendable

    /// The name, for descriptions, which never show a value; by default that of the type.
    static var name: String { get }

    /// Whether the response may depend on the value, such as one that a wrapper turns into a header field.
    ///
    /// By default, it may: such a request passes by caches, which neither answer it nor store its response. Calls in
    /// flight are shared only if all of their options are equal.
    static var changesResponse: Bool { get }

    /// Whether a request in the background, which outlives the call, has the option too; by default, it has.
    static var isForBackground: Bool { get }

    /// Returns the output of a call with the option, around all wrappers; by default, that of `next`.
    ///
    /// - Parameters:
    ///   - input: the request.
    ///   - value: the value of the option.
    ///   - next: the connector with its wrappers.
    static func output(of input: Input, with value: Value, _ next: Next) async -> Output
}

extension RequestOption {
    /// The name of the type.
    public static var name: String { String(describing: self) }

    /// True, which is safe for any option.
    public static var changesResponse: Bool { true }

    /// True: the response of the background answers later calls with the option.
    public static var isForBackground: Bool { true }

    /// The output of the connector: most options do nothing around a call.
    ///
    /// - SeeAlso: ``RequestOption/output(of:with:_:)``
    public static func output(of input: Input, with value: Value, _ next: Next) async -> Output { await next(input) }
}

/// The options of a request, each under its type; their order does not count.
public struct RequestOptions: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let option: any RequestOption.Type
        let value: any Hashable & Sendable
        let output: @Sendable (Input, Next) async -> Output

        /// Whether this is a default of a connector, and no choice of the caller.
        let isDefault: Bool

        /// Whether a wrapper has read the value in a dry run, which copies of the request share; nil in a call.
        var isRead: Locked<Bool>?

        var key: ObjectIdentifier { ObjectIdentifier(option) }
        var name: String { option.name.onOneLine }
        var isForBackground: Bool { option.isForBackground }

        static func == (left: Entry, right: Entry) -> Bool {
            left.key == right.key && AnyHashable(left.value) == AnyHashable(right.value)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(key)
            hasher.combine(AnyHashable(value))
        }
    }

    /// The options by the order of their keys, so that equal options are equal arrays.
    private var entries: [Entry] = []

    /// Creates options of which none is set.
    public init() {}

    /// Whether all options are equal; options with a value that differs from itself, such as a NaN, do so too.
    public static func == (left: RequestOptions, right: RequestOptions) -> Bool {
        // Not by the arrays, which are equal as soon as they have one storage.
        left.entries.elementsEqual(right.entries)
    }

    /// The value of an option; nil if it is not set.
    public subscript<Option: RequestOption>(option: Option.Type) -> Option.Value? {
        get {
            guard let entry = entries.first(where: { $0.key == ObjectIdentifier(option) }) else { return nil }
            entry.isRead?.withLock { $0 = true }
            return entry.value as? Option.Value
        }
        set {
            remove(ObjectIdentifier(option))
            if let newValue { insert(option, newValue, isDefault: false) }
        }
    }

    /// Sets an option; as a default of a connector, only if the caller has not chosen it.
    ///
    /// - Parameters:
    ///   - option: the type of the option.
    ///   - value: the value.
    ///   - isDefault: whether this is a default, which a choice of the caller and a later default replace.
    public mutating func set<Option: RequestOption>(_ option: Option.Type, to value: Option.Value, isDefault: Bool) {
        if isDefault, isChosen(option) { return }
        remove(ObjectIdentifier(option))
        insert(option, value, isDefault: isDefault)
    }

    private mutating func remove(_ key: ObjectIdentifier) { entries.removeAll { $0.key == key } }

    private mutating func insert<Option: RequestOption>(_ option: Option.Type, _ value: Option.Value, isDefault: Bool) {
        let output: @Sendable (Input, Next) async -> Output = { await option.output(of: $0, with: value, $1) }
        let entry = Entry(option: option, value: value, output: output, isDefault: isDefault)
        entries.insert(entry, at: entries.firstIndex { entry.key < $0.key } ?? entries.endIndex)
    }

    /// Whether no option is set.
    var isEmpty: Bool { entries.isEmpty }

    /// Whether the caller has set an option, and not a connector.
    func isChosen(_ option: (some RequestOption).Type) -> Bool {
        entries.contains { $0.key == ObjectIdentifier(option) && !$0.isDefault }
    }

    /// Has all options that are set now note whether they are read, for ``unreadNames``.
    mutating func noteReads() {
        for index in entries.indices where entries[index].isRead == nil { entries[index].isRead = Locked(false) }
    }

    /// The names of the options that no wrapper has read in a dry run, sorted.
    package var unreadNames: [String] {
        entries.filter { $0.isRead?.withLock(\.self) == false }.map(\.name).sorted()
    }

    /// Returns the output of a call inside of all options but those that act around it already.
    func run(_ input: Input, _ next: Next, except outer: RequestOptions) async -> Output {
        let new = entries.filter { !outer.entries.contains($0) }
        // The limits of the call alone are outside of all else, which they end. Without a sort, whose code is large.
        let (inner, limits) = (new.filter(\.isForBackground), new.filter { !$0.isForBackground })
        return await (inner + limits).reduce(next) { next, entry in next.inside(entry.output) }(input)
    }

    /// The options for a request in the background, which outlives its call, such as the validation of a cache.
    public var inBackground: RequestOptions {
        var options = self
        options.entries.removeAll { !$0.isForBackground }
        return options
    }

    /// Whether the response may depend on an option (``RequestOption/changesResponse``).
    public var mayChangeResponse: Bool { entries.contains { $0.option.changesResponse } }
}

extension RequestOptions: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The names of the options, sorted; never their values.
    public var description: String { entries.map(\.name).sorted().joined(separator: ", ") }
}
