public import Foundation

/// Turns any `Encodable` into query items: `Filter(page: 2, tags: ["a"])` into `page=2&tags[]=a`.
///
/// Members come in the order in which the type encodes them, which is that of their declaration; dictionaries are sorted
/// by key, and sets by the text of their elements, so that one value always gives one query; a key is written as the text
/// or number that it is encoded as. An empty list gives no item.
/// There is no standard for any of this, so each choice that servers differ in is a property.
///
/// Texts, numbers, `UUID`, `URL` and `Decimal` are written as they read, and `Data` as Base64 (RFC 4648 4).
public struct QueryEncoder: Hashable, Sendable {
    /// How the name of a member within another is written.
    public enum Nesting: Hashable, Sendable {
        /// `a[b]=1`, as PHP and Rails read it.
        case brackets

        /// `a.b=1`.
        case dots
    }

    /// How a list is written.
    public enum Arrays: Hashable, Sendable {
        /// `a[]=1&a[]=2`.
        case brackets

        /// `a[0]=1&a[1]=2`; only what is written is counted.
        case indices

        /// `a=1&a=2`.
        case repeated

        /// `a=1,2`; a member that is no single text, or that holds a comma, is an error.
        case commas
    }

    /// How `true` and `false` are written.
    public enum Booleans: Hashable, Sendable {
        /// `true` and `false`.
        case words

        /// `1` and `0`.
        case numbers
    }

    /// How a point in time is written.
    public enum Dates: Hashable, Sendable {
        /// `2001-02-03T04:05:06Z` (RFC 3339 5.6), to the second.
        case iso8601

        /// Seconds since 1970, with a fraction if there is one.
        case seconds

        /// Whole milliseconds since 1970.
        case milliseconds
    }

    /// How a member without a value is written.
    public enum Nils: Hashable, Sendable {
        /// Not at all.
        case dropped

        /// `a=`.
        case empty

        /// `a=null`.
        case null
    }

    /// How the name of a member is written; keys of dictionaries are always as they are.
    public enum Keys: Hashable, Sendable {
        /// As it is.
        case asIs

        /// `perPage` as `per_page`, and `pageURL` as `page_url`.
        case snakeCase
    }

    /// How the name of a member within another is written.
    public var nesting: Nesting

    /// How a list is written.
    public var arrays: Arrays

    /// How `true` and `false` are written.
    public var booleans: Booleans

    /// How a point in time is written.
    public var dates: Dates

    /// How a member without a value is written.
    public var nils: Nils

    /// How the name of a member is written.
    public var keys: Keys

    /// How deep values may be nested before they are an error.
    public var depthLimit: Int

    /// 32: no query is meant to be as deep, and a value that holds itself would otherwise never end.
    public static let defaultDepthLimit = 32

    /// Creates an encoder.
    public init(
        nesting: Nesting = .brackets,
        arrays: Arrays = .brackets,
        booleans: Booleans = .words,
        dates: Dates = .iso8601,
        nils: Nils = .dropped,
        keys: Keys = .asIs,
        depthLimit: Int = defaultDepthLimit
    ) {
        self.nesting = nesting
        self.arrays = arrays
        self.booleans = booleans
        self.dates = dates
        self.nils = nils
        self.keys = keys
        self.depthLimit = depthLimit
    }

    /// Why a value can't be written as query items.
    public struct Failure: Error, Hashable, CustomStringConvertible {
        /// What is wrong; nothing of the value.
        public let reason: String

        /// Where in the value, such as `filter.tags[2]`; `/` for the whole.
        public let path: String

        /// What is wrong, and where.
        public var description: String {
            "\(reason) Path: \(path)"
        }
    }

    /// The query items of a value, not percent-encoded yet.
    ///
    /// - Throws: ``Failure`` if the whole is a single value or a list, which has no names; if a number is not finite, or a
    ///   date is out of range; if it has a case of an enumeration without associated values whose type has no raw values,
    ///   for which there is no text; if a key of a dictionary is no single text; if the value is deeper than ``depthLimit``; or
    ///   if its type says so.
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
            let reason = "A member without values has no text, as a case of an enumeration without associated values."
            throw Failure(reason: reason, path: name)
        }
        return QueryEntry.items(entries)
    }
}
