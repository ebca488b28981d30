import Foundation

/// Inputs by leading dot: `.get("https://api.github.com/users/{login}", ["login": login])`.
///
/// The string is a ``URITemplate``, so that no value can change the structure of the URL. Each is left with
/// ``ConnectionError/malformedURL(debugInfo:)`` if the template is none, if it does not become a URL, or if values would
/// do what ``URITemplate/url(_:)`` refuses; and with
/// ``ConnectionError/malformedPayload(debugInfo:)`` if the payload could not be made.
extension Either where Left == ConnectionError, Right == Input {
    /// A GET request.
    public static func get(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:]
    ) -> Self {
        build(template, variables, queries, headers) { .right(.get) }
    }

    /// A HEAD request.
    public static func head(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:]
    ) -> Self {
        build(template, variables, queries, headers) { .right(.head) }
    }

    /// A POST request.
    public static func post(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(template, variables, queries, headers) { carrying(payload, HTTPMethodAndPayload.post) }
    }

    /// A PUT request.
    public static func put(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(template, variables, queries, headers) { carrying(payload, HTTPMethodAndPayload.put) }
    }

    /// A PATCH request.
    public static func patch(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(template, variables, queries, headers) { carrying(payload, HTTPMethodAndPayload.patch) }
    }

    /// A DELETE request.
    public static func delete(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(template, variables, queries, headers) { carrying(payload, HTTPMethodAndPayload.delete) }
    }

    /// An OPTIONS request.
    public static func options(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(template, variables, queries, headers) { carrying(payload, HTTPMethodAndPayload.options) }
    }

    /// A request of any other method; `method` is case-sensitive.
    public static func custom(
        _ method: String,
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        build(template, variables, queries, headers) {
            carrying(payload) { HTTPMethodAndPayload.custom(method: method, payload: $0) }
        }
    }

    private static func carrying(
        _ payload: Either<ConnectionError, Payload>?,
        _ method: (Payload?) -> HTTPMethodAndPayload
    ) -> Either<ConnectionError, HTTPMethodAndPayload> {
        guard let payload else { return .right(method(nil)) }
        return payload.map(method)
    }

    private static func build(
        _ template: String,
        _ variables: [String: any URITemplate.ValueConvertible],
        _ queries: Queries,
        _ headers: HTTPHeaders,
        _ methodAndPayload: () -> Either<ConnectionError, HTTPMethodAndPayload>
    ) -> Self {
        url(template, variables).flatMap { url in
            methodAndPayload().map {
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

    /// A text that is no template, without its credentials, which a character out of place could hide as it is.
    private static func shown(_ text: String) -> String {
        let encoded = URIEncoding.encoded(text, triplets: true) { $0 > 0x20 && $0 < 0x7F }
        let shown = Redaction.standard.shown(url: encoded)
        return shown == encoded ? text.onOneLine : shown
    }
}
