public import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// The URL of a request as it is written in source: the text of a template, without values in it.
///
/// An interpolation does not compile, since its value could change the structure of the URL: `../admin` in
/// `"/books/\\(isbn)"` is another resource. A value is a variable of the template:
///
/// ```swift
/// let book = Endpoint.json(Book.self, .get("https://api.example.com/books/{isbn}", ["isbn": isbn]))
/// ```
///
/// A value for a variable that the template does not have is an error, with its name. A text that comes from elsewhere is
/// a `String`, which may have less variables than values: a server can drop a variable any day.
public struct TemplateLiteral: ExpressibleByStringInterpolation, Sendable {
    let text: String

    /// Creates a template from its text.
    public init(stringLiteral text: String) { self.text = text }

    /// Creates a template from the parts of a literal, all of which are its text.
    public init(stringInterpolation parts: StringInterpolation) { text = parts.text }

    /// The parts of a literal.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""

        /// Creates no parts.
        ///
        /// - Parameters:
        ///   - literalCapacity: the size of the text, which is not needed here.
        ///   - interpolationCount: the number of interpolations, all of which are refused by the compiler.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds a part of the text.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Does not compile.
        @available(
            *,
            unavailable,
            message: "a value is a variable of the template: .get(\"/books/{isbn}\", [\"isbn\": isbn])"
        )
        public mutating func appendInterpolation(_ value: some Any) {}
    }
}

/// The URL of a template in source, whose variables are all known.
private struct SourceTemplate: RequestURL {
    let text: String

    func expanded(by variables: [String: any URITemplate.ValueConvertible]) -> Either<ConnectionError, URL> {
        // A template that can't be parsed has an error of its own.
        if !variables.isEmpty, let template = try? URITemplate(text) {
            let names = template.variableNames
            if let unknown = variables.keys.filter({ !names.contains($0) }).min() {
                return .left(.malformedURL(debugInfo: "{\(unknown.onOneLine)} is not in the template: \(template)"))
            }
        }
        return text.expanded(by: variables)
    }
}

extension Either where Left == ConnectionError, Right == Input {
    /// Creates a GET request.
    ///
    /// - Parameters:
    ///   - template: the URL, as the text of a ``URITemplate``.
    ///   - variables: the values of the template's variables, by name.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    public static func get(
        _ template: TemplateLiteral,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:]
    ) -> Self {
        get(SourceTemplate(text: template.text), variables, queries: queries, headers: headers)
    }

    /// Creates a HEAD request.
    ///
    /// - SeeAlso: ``get(_:_:queries:headers:)-(TemplateLiteral,_,_,_)``
    public static func head(
        _ template: TemplateLiteral,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:]
    ) -> Self {
        head(SourceTemplate(text: template.text), variables, queries: queries, headers: headers)
    }

    /// Creates a POST request.
    ///
    /// - Parameters:
    ///   - template: the URL, as the text of a ``URITemplate``.
    ///   - variables: the values of the template's variables, by name.
    ///   - queries: query items, to follow those that the URL itself has.
    ///   - headers: the header fields.
    ///   - payload: the payload, such as `.json(article)`; nil for none.
    public static func post(
        _ template: TemplateLiteral,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        post(SourceTemplate(text: template.text), variables, queries: queries, headers: headers, payload: payload)
    }

    /// Creates a PUT request.
    ///
    /// - SeeAlso: ``post(_:_:queries:headers:payload:)-(TemplateLiteral,_,_,_,_)``
    public static func put(
        _ template: TemplateLiteral,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        put(SourceTemplate(text: template.text), variables, queries: queries, headers: headers, payload: payload)
    }

    /// Creates a PATCH request.
    ///
    /// - SeeAlso: ``post(_:_:queries:headers:payload:)-(TemplateLiteral,_,_,_,_)``
    public static func patch(
        _ template: TemplateLiteral,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        patch(SourceTemplate(text: template.text), variables, queries: queries, headers: headers, payload: payload)
    }

    /// Creates a DELETE request.
    ///
    /// - SeeAlso: ``post(_:_:queries:headers:payload:)-(TemplateLiteral,_,_,_,_)``
    public static func delete(
        _ template: TemplateLiteral,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        delete(SourceTemplate(text: template.text), variables, queries: queries, headers: headers, payload: payload)
    }

    /// Creates an OPTIONS request.
    ///
    /// - SeeAlso: ``post(_:_:queries:headers:payload:)-(TemplateLiteral,_,_,_,_)``
    public static func options(
        _ template: TemplateLiteral,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        options(SourceTemplate(text: template.text), variables, queries: queries, headers: headers, payload: payload)
    }

    /// Creates a request of any other `method`, whose name is case-sensitive.
    ///
    /// - SeeAlso: ``post(_:_:queries:headers:payload:)-(TemplateLiteral,_,_,_,_)``
    public static func custom(
        _ method: String,
        _ template: TemplateLiteral,
        _ variables: [String: any URITemplate.ValueConvertible] = [:],
        queries: Queries = [],
        headers: HTTPHeaders = [:],
        payload: Either<ConnectionError, Payload>? = nil
    ) -> Self {
        custom(
            method,
            SourceTemplate(text: template.text),
            variables,
            queries: queries,
            headers: headers,
            payload: payload
        )
    }
}
