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
}

extension RequestOption {
    /// The name of the type.
    public static var name: String { String(describing: self) }

    /// True, which is safe for any option.
    public static var changesResponse: Bool { true }
}

/// The options of a request, each under its type; their order does not count.
public struct RequestOptions: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        let key: ObjectIdentifier
        let name: String
        let changesResponse: Bool
        let value: any Hashable & Sendable

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
        get { entries.first { $0.key == ObjectIdentifier(option) }?.value as? Option.Value }
        set {
            let key = ObjectIdentifier(option)
            entries.removeAll { $0.key == key }
            guard let newValue else { return }
            let changesResponse = option.changesResponse
            let entry = Entry(key: key, name: option.name, changesResponse: changesResponse, value: newValue)
            entries.insert(entry, at: entries.firstIndex { key < $0.key } ?? entries.endIndex)
        }
    }

    /// Whether the response may depend on an option (``RequestOption/changesResponse``).
    public var mayChangeResponse: Bool { entries.contains(where: \.changesResponse) }
}

extension RequestOptions: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The names of the options, sorted; never their values.
    public var description: String { entries.map(\.name.onOneLine).sorted().joined(separator: ", ") }
}
