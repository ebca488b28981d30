public import Foundation

extension Wrapper {
    /// Wrapper that says how query items become the query of the URL, where a server wants it otherwise than RFC 3986.
    ///
    /// The items move into the URL, after the query that it has, and stay there as they were encoded.
    ///
    /// - Unchanged when: the request has no query items; what stands in its URL already is never encoded anew.
    /// - Order: items that are added further inside are encoded by the engine, as ``QueryEncoding/rfc3986``: stand inside
    ///   of what adds some, as `.apiKey(in: .query(…))`. Of two, the outer one encodes.
    /// - Fails with: ``ConnectionError/malformedURL(debugInfo:)`` if an encoding of one's own gives what can't stand in a
    ///   query.
    public static func queryEncoding(_ encoding: QueryEncoding) -> Wrapper {
        Wrapper { input, next in
            if input.queries.isEmpty { return await next(input) }
            return await next(encoding.moved(into: input))
        }
    }
}

/// How query items become a query: `sort=new%20first&flag`.
public struct QueryEncoding: Sendable {
    private let encode: @Sendable ([URLQueryItem]) -> String

    /// All but the unreserved characters is percent-encoded (RFC 3986 2.3).
    ///
    /// A space is `%20`, and an item without a value is its name alone. This is what the engines do where nothing else was
    /// said.
    public static let rfc3986 = custom(URIEncoding.query(of:))

    /// As a form of HTML has it (WHATWG URL 5.2).
    ///
    /// A space is `+`, and an item without a value, which forms don't have, is its name alone.
    public static let form = custom { items in
        items.map { item in
            FormEncoding.encoded(item.name) + (item.value.map { "=" + FormEncoding.encoded($0) } ?? "")
        }.joined(separator: "&")
    }

    /// As a function says; it may give nothing but what can stand in a query (RFC 3986 3.4), and an empty text for none.
    public static func custom(_ encode: @escaping @Sendable ([URLQueryItem]) -> String) -> QueryEncoding {
        QueryEncoding(encode: encode)
    }

    /// The query of these items, without its `?`.
    public func query(of items: [URLQueryItem]) -> String {
        encode(items)
    }

    /// The same request with its items in its URL.
    fileprivate func moved(into input: Input) -> Either<ConnectionError, Input> {
        let query = query(of: input.queries)
        let text = URIEncoding.appending(query: query, to: input.url.absoluteString)
        guard URIEncoding.isQuery(query), let url = URL(string: text, encodingInvalidCharacters: false) else {
            let shown = Redaction.standard.shown(url: text)
            return .left(.malformedURL(debugInfo: "the query encoding gave what is not a query: \(shown)"))
        }
        return .right(
            input.with {
                $0.url = url
                $0.queries = []
            }
        )
    }
}
