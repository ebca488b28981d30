import StartSmallSupport
public import StartSmallFoundation

/// Inputs by leading dot: `.get("https://api.github.com/users/{login}", ["login": login])`.
///
/// The string is a ``URITemplate``, so that no value can change the structure of the URL. Each function returns on the
/// left:
///
/// - ``ConnectionError/malformedURL(debugInfo:)`` if the template is not valid, if it does not become a URL, or if
///   ``URITemplate/url(_:)`` refuses the values;
/// - ``ConnectionError/malformedPayload(debugInfo:)`` if the payload could not be created.
extension Either where Left == ConnectionError, Right == Input {
    /// Creates a GET request.
    ///
    /// - Parameters:
    ///   - template: the ``URITemplate`` of the URL.
    ///   - variables: the values of the template's variables, by name.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    public static func get(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:]
    ) -> Self {
        build(url(template, variables), queries, headers) { _ in .get }
    }

    /// Creates a HEAD request.
    ///
    /// - Parameters:
    ///   - template: the ``URITemplate`` of the URL.
    ///   - variables: the values of the template's variables, by name.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    public static func head(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:]
    ) -> Self {
        build(url(template, variables), queries, headers) { _ in .head }
    }

    /// Creates a POST request.
    ///
    /// - Parameters:
    ///   - template: the ``URITemplate`` of the URL.
    ///   - variables: the values of the template's variables, by name.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func post(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(url(template, variables), queries, headers, payload, HTTPMethodAndPayload.post)
    }

    /// Creates a PUT request.
    ///
    /// - Parameters:
    ///   - template: the ``URITemplate`` of the URL.
    ///   - variables: the values of the template's variables, by name.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func put(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(url(template, variables), queries, headers, payload, HTTPMethodAndPayload.put)
    }

    /// Creates a PATCH request.
    ///
    /// - Parameters:
    ///   - template: the ``URITemplate`` of the URL.
    ///   - variables: the values of the template's variables, by name.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func patch(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(url(template, variables), queries, headers, payload, HTTPMethodAndPayload.patch)
    }

    /// Creates a DELETE request.
    ///
    /// - Parameters:
    ///   - template: the ``URITemplate`` of the URL.
    ///   - variables: the values of the template's variables, by name.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func delete(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(url(template, variables), queries, headers, payload, HTTPMethodAndPayload.delete)
    }

    /// Creates an OPTIONS request.
    ///
    /// - Parameters:
    ///   - template: the ``URITemplate`` of the URL.
    ///   - variables: the values of the template's variables, by name.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func options(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(url(template, variables), queries, headers, payload, HTTPMethodAndPayload.options)
    }

    /// Creates a request of any other method, whose name is case-sensitive.
    ///
    /// - Parameters:
    ///   - method: the method, which is case-sensitive.
    ///   - template: the ``URITemplate`` of the URL.
    ///   - variables: the values of the template's variables, by name.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func custom(
        _ method: String,
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(url(template, variables), queries, headers, payload) { .custom(method: method, payload: $0) }
    }
}

/// Inputs of a URL that is there already, such as that of a link or of a response: `.get(link.url)`.
///
/// The URL is sent byte by byte as it is. `ValidatedRequest` rejects one that can't be sent, before anything is sent.
extension Either where Left == ConnectionError, Right == Input {
    /// Creates a GET request of a ready URL.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    public static func get(_ url: URL, queries: Queries = [], headers: HTTPHeaders = [:]) -> Self {
        build(.right(url), queries, headers) { _ in .get }
    }

    /// Creates a HEAD request of a ready URL.
    ///
    /// - Parameters:
    ///   - url: the URL.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    public static func head(_ url: URL, queries: Queries = [], headers: HTTPHeaders = [:]) -> Self {
        build(.right(url), queries, headers) { _ in .head }
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
        build(.right(url), queries, headers, payload, HTTPMethodAndPayload.post)
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
        build(.right(url), queries, headers, payload, HTTPMethodAndPayload.put)
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
        build(.right(url), queries, headers, payload, HTTPMethodAndPayload.patch)
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
        build(.right(url), queries, headers, payload, HTTPMethodAndPayload.delete)
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
        build(.right(url), queries, headers, payload, HTTPMethodAndPayload.options)
    }

    /// Creates a request of any other method, whose name is case-sensitive, and a ready URL.
    ///
    /// - Parameters:
    ///   - method: the method, which is case-sensitive.
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
        build(.right(url), queries, headers, payload) { .custom(method: method, payload: $0) }
    }

    private static func build(
        _ url: Either<ConnectionError, URL>,
        _ queries: Queries,
        _ headers: HTTPHeaders,
        _ payload: Either<ConnectionError, Payload>? = nil,
        _ method: (Payload?) -> HTTPMethodAndPayload
    ) -> Self {
        url.flatMap { url in
            (payload?.map(method) ?? .right(method(nil))).map {
                Input(url: url, queries: queries.items, headers: headers, methodAndPayload: $0)
            }
        }
    }

    private static func url(
        _ text: String,
        _ variables: [String: any URITemplate.ValueConvertible]
    ) -> Either<ConnectionError, URL> {
        do throws(URITemplate.ParseError) {
            return try URITemplate(text).url(variables)
        } catch {
            return .left(.malformedURL(debugInfo: "\(error): \(shown(text))"))
        }
    }

    /// Returns a text that is not a template, with its credentials redacted.
    ///
    /// Illegal characters are percent-encoded first, since one of them could keep the credentials from being found.
    private static func shown(_ text: String) -> String {
        let encoded = URIEncoding.encoded(text, triplets: true) { $0 > 0x20 && $0 < 0x7F }
        let shown = Redaction.standard.shown(url: encoded)
        return shown == encoded ? text.onOneLine : shown
    }
}
