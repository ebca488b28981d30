public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

extension Wrapper {
    /// Encodes query items into the URL, for servers that expect another encoding than that of RFC 3986.
    ///
    /// The items are moved into the URL, after its existing query, and keep this encoding.
    ///
    /// - Passes through: requests without query items; an existing query of the URL is never encoded again.
    /// - Order: the engine encodes items that inner wrappers add, as ``QueryEncoding/rfc3986``. Place this wrapper
    ///   inside of wrappers that add items, such as `.apiKey(in: .query(…))`. Of two, the outer one encodes.
    /// - Errors: ``ConnectionError/malformedURL(debugInfo:)`` if a custom encoding returns a text that is not a valid
    ///   query.
    public static func queryEncoding(_ encoding: QueryEncoding) -> Wrapper {
        Wrapper("queryEncoding") { input, next in
            if input.queries.isEmpty { return await next(input) }
            return await next(encoding.moved(into: input))
        }
    }
}

/// The encoding of query items as a query: `sort=new%20first&flag`.
public struct QueryEncoding: Sendable {
    private let encode: @Sendable ([URLQueryItem]) -> String

    /// Percent-encodes all but the unreserved characters (RFC 3986 2.3).
    ///
    /// A space is `%20`, and an item without a value is its name alone. The engines use this encoding by default.
    public static let rfc3986 = custom(URIEncoding.query(of:))

    /// Encodes items as an HTML form does (WHATWG URL 5.2).
    ///
    /// A space is `+`. An item without a value, which forms don't have, is its name alone.
    public static let form = custom { items in
        items.map { item in
            FormEncoding.encoded(item.name) + (item.value.map { "=" + FormEncoding.encoded($0) } ?? "")
        }.joined(separator: "&")
    }

    /// Creates a custom encoding.
    ///
    /// - Parameter encode: returns the query, with only characters that are valid in a query (RFC 3986 3.4); an empty
    ///   text for no query.
    public static func custom(_ encode: @escaping @Sendable ([URLQueryItem]) -> String) -> QueryEncoding {
        QueryEncoding(encode: encode)
    }

    /// Returns the query of these items, without its `?`.
    package func query(of items: [URLQueryItem]) -> String {
        encode(items)
    }

    /// Returns the request with its items moved into its URL.
    fileprivate func moved(into input: Input) -> Either<ConnectionError, Input> {
        let query = query(of: input.queries)
        let text = URIEncoding.appending(query: query, to: input.url.absoluteString)
        guard URIEncoding.isQuery(query), let url = URL(string: text, encodingInvalidCharacters: false) else {
            let shown = Redaction.standard.shown(url: text)
            return .left(.malformedURL(debugInfo: "the query encoding returned an invalid query: \(shown)"))
        }
        return .right(
            input.with {
                $0.url = url
                $0.queries = []
            }
        )
    }
}
