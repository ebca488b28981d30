public import StartSmallCore
public import Foundation

/// Outputs for stubs, by leading dot: `Connector.stub(.json(#"{"login": "octocat"}"#))`.
extension Output {
    /// Returns a response with a UTF-8 text and the `Content-Type` of plain text.
    ///
    /// - Parameters:
    ///   - text: the payload.
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response; a `Content-Type` among them replaces that of the payload.
    public static func text(_ text: String, status: HTTPStatus = .ok, headers: HTTPHeaders = [:]) -> Output {
        response(Data(text.utf8), .text, status, headers)
    }

    /// Returns a response with `data`, and `mediaType` as its `Content-Type`.
    ///
    /// - SeeAlso: ``text(_:status:headers:)``
    public static func data(
        _ data: Data,
        mediaType: MediaType = .octetStream,
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:]
    ) -> Output {
        response(data, mediaType, status, headers)
    }

    /// Returns a response with a JSON text and the `Content-Type` of JSON.
    ///
    /// The text is not validated, so that a test can send malformed JSON.
    ///
    /// - SeeAlso: ``text(_:status:headers:)``
    public static func json(_ text: String, status: HTTPStatus = .ok, headers: HTTPHeaders = [:]) -> Output {
        response(Data(text.utf8), .json, status, headers)
    }

    /// Returns a response with a `value` that `encoder` encodes as JSON, and the `Content-Type` of JSON.
    ///
    /// - Returns: the response, or no response with `ConnectionError.malformedPayload` if the value can't be encoded.
    /// - SeeAlso: ``text(_:status:headers:)``
    public static func json(
        encoding value: some Encodable,
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> Output {
        do {
            return response(try encoder.encode(value), .json, status, headers)
        } catch {
            return .noResponse(.malformedPayload(debugInfo: "a stub's response can't be encoded: \(error)"))
        }
    }

    /// Returns a response without a payload.
    ///
    /// - SeeAlso: ``text(_:status:headers:)``
    public static func status(_ status: HTTPStatus, headers: HTTPHeaders = [:]) -> Output {
        .hasResponse(Response(statusCode: status, headers: headers))
    }

    /// Returns a response; a `Content-Type` among the headers replaces the media type of the payload.
    private static func response(
        _ payload: Data,
        _ mediaType: MediaType,
        _ status: HTTPStatus,
        _ headers: HTTPHeaders
    ) -> Output {
        var headers = headers
        headers.setIfAbsent("Content-Type", to: mediaType.rawValue)
        return .hasResponse(Response(statusCode: status, headers: headers, payload: payload))
    }
}
