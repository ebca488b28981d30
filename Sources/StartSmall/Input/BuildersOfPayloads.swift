public import Foundation

/// The builders that carry a payload, with one that is at hand as a value: `.post("…", payload: received)`.
extension Either where Left == ConnectionError, Right == Input {
    /// A POST request with this payload.
    public static func post(
        _ template: String,
        _ variables: [String: String] = [:],
        queries: [URLQueryItem] = [],
        headers: HTTPHeaders = [:],
        payload: Payload
    ) -> Self {
        post(template, variables, queries: queries, headers: headers, payload: .right(payload))
    }

    /// A PUT request with this payload.
    public static func put(
        _ template: String,
        _ variables: [String: String] = [:],
        queries: [URLQueryItem] = [],
        headers: HTTPHeaders = [:],
        payload: Payload
    ) -> Self {
        put(template, variables, queries: queries, headers: headers, payload: .right(payload))
    }

    /// A PATCH request with this payload.
    public static func patch(
        _ template: String,
        _ variables: [String: String] = [:],
        queries: [URLQueryItem] = [],
        headers: HTTPHeaders = [:],
        payload: Payload
    ) -> Self {
        patch(template, variables, queries: queries, headers: headers, payload: .right(payload))
    }

    /// A DELETE request with this payload.
    public static func delete(
        _ template: String,
        _ variables: [String: String] = [:],
        queries: [URLQueryItem] = [],
        headers: HTTPHeaders = [:],
        payload: Payload
    ) -> Self {
        delete(template, variables, queries: queries, headers: headers, payload: .right(payload))
    }

    /// An OPTIONS request with this payload.
    public static func options(
        _ template: String,
        _ variables: [String: String] = [:],
        queries: [URLQueryItem] = [],
        headers: HTTPHeaders = [:],
        payload: Payload
    ) -> Self {
        options(template, variables, queries: queries, headers: headers, payload: .right(payload))
    }

    /// A request of any other method with this payload; `method` is case-sensitive.
    public static func custom(
        _ method: String,
        _ template: String,
        _ variables: [String: String] = [:],
        queries: [URLQueryItem] = [],
        headers: HTTPHeaders = [:],
        payload: Payload
    ) -> Self {
        custom(method, template, variables, queries: queries, headers: headers, payload: .right(payload))
    }
}
