import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

/// An encoder of any `Encodable` as query items: `Filter(page: 2, tags: ["a"])` as `page=2&tags[]=a`.
///
/// Members keep the order in which the type encodes them, which is the order of their declaration. Dictionaries are
/// sorted by key, and sets by the text of their elements, so that one value always gives one query. A key is written as
/// the text or number that it is encoded as. An empty list gives no item. There is no standard for any of this, so each
/// choice that servers differ in is a property.
///
/// Texts, numbers, `UUID`, `URL` and `Decimal` are written as they read, and `Data` as Base64 (RFC 4648 4).
public struct QueryEncoder: Equatable, Sendable {
    /// The format of the name of a member inside of another member.
    public enum Nesting: Hashable, Sendable {
        /// `a[b]=1`, as PHP and Rails read it.
        case brackets

        /// `a.b=1`.
        case dots
    }

    /// The format of a list.
    public enum Arrays: Hashable, Sendable {
        /// `a[]=1&a[]=2`.
        case brackets

        /// `a[0]=1&a[1]=2`; only elements that are written are counted.
        case indices

        /// `a=1&a=2`.
        case repeated

        /// `a=1,2`; a member that is not a single text, or that contains a comma, is an error.
        case commas
    }

    /// The format of `true` and `false`.
    public enum Booleans: Hashable, Sendable {
        /// `true` and `false`.
        case words

        /// `1` and `0`.
        case numbers
    }

    /// The format of a date.
    public enum Dates: Hashable, Sendable {
        /// `2001-02-03T04:05:06Z` (RFC 3339 5.6), to the second.
        case iso8601

        /// Seconds since 1970, with a fraction if there is one.
        case seconds

        /// Whole milliseconds since 1970.
        case milliseconds
    }

    /// The format of a member without a value.
    public enum Nils: Hashable, Sendable {
        /// No item.
        case dropped

        /// `a=`.
        case empty

        /// `a=null`.
        case null
    }

    /// The format of the name of a member; keys of dictionaries always stay unchanged.
    public enum Keys: Hashable, Sendable {
        /// The unchanged name.
        case asIs

        /// `perPage` as `per_page`, and `pageURL` as `page_url`.
        case snakeCase
    }

    /// The format of the name of a member inside of another member.
    public var nesting: Nesting

    /// The format of a list.
    public var arrays: Arrays

    /// The format of `true` and `false`.
    public var booleans: Booleans

    /// The format of a date.
    public var dates: Dates

    /// The format of a member without a value.
    public var nils: Nils

    /// The format of the name of a member.
    public var keys: Keys

    /// The maximum depth of nested values: 32.
    ///
    /// No query is meant to be as deep, and a value that contains itself would otherwise never end.
    static let maximumDepth = 32

    /// Creates an encoder.
    public init(
        nesting: Nesting = .brackets,
        arrays: Arrays = .brackets,
        booleans: Booleans = .words,
        dates: Dates = .iso8601,
        nils: Nils = .dropped,
        keys: Keys = .asIs
    ) {
        self.nesting = nesting
        self.arrays = arrays
        self.booleans = booleans
        self.dates = dates
        self.nils = nils
        self.keys = keys
    }

    /// The error of a value that can't be written as query items.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// The reason, without any part of the value.
        public let reason: String

        /// The position in the value, such as `filter.tags[2]`; `/` for the whole value.
        public let path: String

        /// The reason and the position.
        public var description: String {
            "\(reason) Path: \(path)"
        }
    }

    /// Returns the query items of a value, not yet percent-encoded.
    ///
    /// - Throws: ``Failure`` if the whole is a single value or a list, which has no names; if a number is not finite,
    ///   or a date is out of range; if the value contains a case of an enumeration without associated values whose type
    ///   has no raw values, for which there is no text; if a key of a dictionary is not a single text; if the value is
    ///   deeper than 32 values; or if encoding the type throws.
    public func items(of value: some Encodable) throws(Failure) -> [URLQueryItem] {
        var entries: [QueryEntry] = []
        let encoder = QueryEntryEncoder(style: self, place: QueryPlace()) { entries.append($0) }
        do {
            try encoder.encode(value)
        } catch let failure as Failure {
            throw failure
        } catch EncodingError.invalidValue(_, let context) {
            throw Failure(reason: context.debugDescription, path: context.codingPath.place)
        } catch {
            throw Failure(reason: "\(error)", path: [].place)
        }
        if let name = QueryEntry.unused(entries) {
            let reason =
                "A member without values has no text, such as a case of an enumeration without associated values."
            throw Failure(reason: reason, path: name)
        }
        return QueryEntry.items(entries)
    }
}
