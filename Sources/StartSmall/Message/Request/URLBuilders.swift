public import Foundation

/// Inputs of a URL that is there already, such as that of a link or of a response: `.get(link.url)`.
///
/// The URL is sent byte by byte as it is. ``ValidatedRequest`` rejects one that can't be sent, before anything is sent.
extension Either where Left == ConnectionError, Right == Input {
    /// Creates a GET request of a ready URL.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    public static func get(_ url: URL, queries: Queries = [], headers: HTTPHeaders = [:]) -> Self {
        .right(Input(url: url, queries: queries.items, headers: headers, methodAndPayload: .get))
    }

    /// Creates a HEAD request of a ready URL.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    public static func head(_ url: URL, queries: Queries = [], headers: HTTPHeaders = [:]) -> Self {
        .right(Input(url: url, queries: queries.items, headers: headers, methodAndPayload: .head))
    }

    /// Creates a POST request of a ready URL.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func post(
        _ url: URL,
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        carrying(payload, HTTPMethodAndPayload.post).map {
            Input(url: url, queries: queries.items, headers: headers, methodAndPayload: $0)
        }
    }

    /// Creates a PUT request of a ready URL.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func put(
        _ url: URL,
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        carrying(payload, HTTPMethodAndPayload.put).map {
            Input(url: url, queries: queries.items, headers: headers, methodAndPayload: $0)
        }
    }

    /// Creates a PATCH request of a ready URL.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func patch(
        _ url: URL,
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        carrying(payload, HTTPMethodAndPayload.patch).map {
            Input(url: url, queries: queries.items, headers: headers, methodAndPayload: $0)
        }
    }

    /// Creates a DELETE request of a ready URL.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func delete(
        _ url: URL,
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        carrying(payload, HTTPMethodAndPayload.delete).map {
            Input(url: url, queries: queries.items, headers: headers, methodAndPayload: $0)
        }
    }

    /// Creates an OPTIONS request of a ready URL.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func options(
        _ url: URL,
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        carrying(payload, HTTPMethodAndPayload.options).map {
            Input(url: url, queries: queries.items, headers: headers, methodAndPayload: $0)
        }
    }

    /// Creates a request of any other method and a ready URL.
    ///
    /// - Parameters:
    ///   - method: the name of the method, case-sensitive.
    ///   - url: the URL.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func custom(
        _ method: String,
        _ url: URL,
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        carrying(payload) { HTTPMethodAndPayload.custom(method: method, payload: $0) }.map {
            Input(url: url, queries: queries.items, headers: headers, methodAndPayload: $0)
        }
    }
}
