public import StartSmallFoundation
import StartSmallSupport

/// Inputs by leading dot: `.get("https://api.github.com/users/{login}", ["login": login])`, `.get(link.url)`.
///
/// The URL is the text of a ``URITemplate``, so that no value can change the structure of the URL; or a ready one, such as
/// that of a link or of a response, which is sent byte by byte as it is. Each function returns on the left:
///
/// - ``ConnectionError/malformedURL(debugInfo:)`` if the template is not valid, if it does not become a URL, or if
///   ``URITemplate/url(_:)`` refuses the values;
/// - ``ConnectionError/malformedPayload(debugInfo:)`` if the payload could not be created.
///
/// For a literal, the overloads of `StartSmall` (`TemplateLiteral`) are chosen.
extension Either where Left == ConnectionError, Right == Input {
    /// Creates a GET request.
    ///
    /// - Parameters:
    ///   - url: the URL, or the ``URITemplate`` of it.
    ///   - variables: the values of the template's variables, by name.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    @_disfavoredOverload
    public static func get(
        _ url: some RequestURL,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:]
    ) -> Self {
        build(url, variables, queries, headers) { _ in .get }
    }

    /// Creates a HEAD request.
    ///
    /// - SeeAlso: ``get(_:_:queries:headers:)-(RequestURL,_,_,_)``
    @_disfavoredOverload
    public static func head(
        _ url: some RequestURL,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:]
    ) -> Self {
        build(url, variables, queries, headers) { _ in .head }
    }

    /// Creates a POST request.
    ///
    /// - Parameters:
    ///   - url: the URL, or the ``URITemplate`` of it.
    ///   - variables: the values of the template's variables, by name.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    @_disfavoredOverload
    public static func post(
        _ url: some RequestURL,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(url, variables, queries, headers, payload, HTTPMethodAndPayload.post)
    }

    /// Creates a PUT request.
    ///
    /// - SeeAlso: ``post(_:_:queries:headers:payload:)-(RequestURL,_,_,_,_)``
    @_disfavoredOverload
    public static func put(
        _ url: some RequestURL,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(url, variables, queries, headers, payload, HTTPMethodAndPayload.put)
    }

    /// Creates a PATCH request.
    ///
    /// - SeeAlso: ``post(_:_:queries:headers:payload:)-(RequestURL,_,_,_,_)``
    @_disfavoredOverload
    public static func patch(
        _ url: some RequestURL,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(url, variables, queries, headers, payload, HTTPMethodAndPayload.patch)
    }

    /// Creates a DELETE request.
    ///
    /// - SeeAlso: ``post(_:_:queries:headers:payload:)-(RequestURL,_,_,_,_)``
    @_disfavoredOverload
    public static func delete(
        _ url: some RequestURL,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(url, variables, queries, headers, payload, HTTPMethodAndPayload.delete)
    }

    /// Creates an OPTIONS request.
    ///
    /// - SeeAlso: ``post(_:_:queries:headers:payload:)-(RequestURL,_,_,_,_)``
    @_disfavoredOverload
    public static func options(
        _ url: some RequestURL,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(url, variables, queries, headers, payload, HTTPMethodAndPayload.options)
    }

    /// Creates a request of any other `method`, whose name is case-sensitive.
    ///
    /// - SeeAlso: ``post(_:_:queries:headers:payload:)-(RequestURL,_,_,_,_)``
    @_disfavoredOverload
    public static func custom(
        _ method: String,
        _ url: some RequestURL,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(url, variables, queries, headers, payload) { .custom(method: method, payload: $0) }
    }

    private static func build(
        _ url: some RequestURL,
        _ variables: [String: any URITemplate.ValueConvertible],
        _ queries: Queries,
        _ headers: HTTPHeaders,
        _ payload: Either<ConnectionError, Payload>? = nil,
        _ method: (Payload?) -> HTTPMethodAndPayload
    ) -> Self {
        url.expanded(by: variables).flatMap { url in
            (payload?.map(method) ?? .right(method(nil))).map {
                Input(url: url, queries: queries.items, headers: headers, methodAndPayload: $0)
            }
        }
    }
}

/// The URL of a request: the text of a template, or a ready URL.
public protocol RequestURL {
    /// Returns the URL with the values of the template's variables, or the error for which there is none.
    func expanded(by variables: [String: any URITemplate.ValueConvertible]) -> Either<ConnectionError, URL>
}

extension URL: RequestURL {
    /// Returns this URL; a URL is no template, so that variables are an error.
    public func expanded(by variables: [String: any URITemplate.ValueConvertible]) -> Either<ConnectionError, URL> {
        variables.isEmpty ? .right(self) : .left(.malformedURL(debugInfo: "variables of a URL that is no template"))
    }
}

extension String: RequestURL {
    /// Returns the URL of the ``URITemplate`` with this text.
    public func expanded(by variables: [String: any URITemplate.ValueConvertible]) -> Either<ConnectionError, URL> {
        do throws(URITemplate.ParseError) {
            return try URITemplate(self).url(variables)
        } catch {
            return .left(.malformedURL(debugInfo: "\(error): \(shown)"))
        }
    }

    /// The text that is not a template, with its credentials redacted.
    ///
    /// Illegal characters are percent-encoded first, since one of them could keep the credentials from being found.
    private var shown: String {
        let encoded = URIEncoding.encoded(self, triplets: true) { $0 > 0x20 && $0 < 0x7F }
        let shown = Redaction.standard.shown(url: encoded)
        return shown == encoded ? onOneLine : shown
    }
}
