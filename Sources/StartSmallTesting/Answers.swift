public import Foundation
public import StartSmall

/// Answers for stubs, by leading dot: `Connector.stub(.json(#"{"login": "octocat"}"#))`.
extension Output {
    /// A response with a text in UTF-8 and its `Content-Type`.
    public static func text(_ text: String, status: HTTPStatus = .ok, headers: HTTPHeaders = [:]) -> Output {
        answer(Data(text.utf8), .text, status, headers)
    }

    /// A response with bytes and their `Content-Type`.
    public static func data(
        _ data: Data,
        mediaType: MediaType = .octetStream,
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:]
    ) -> Output {
        answer(data, mediaType, status, headers)
    }

    /// A response with a text that is JSON, or is meant to be taken for it, and its `Content-Type`.
    public static func json(_ text: String, status: HTTPStatus = .ok, headers: HTTPHeaders = [:]) -> Output {
        answer(Data(text.utf8), .json, status, headers)
    }

    /// A response with a value as JSON and its `Content-Type`; no response if the value can't be encoded.
    public static func json(
        encoding value: some Encodable,
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        encoder: JSONEncoder = JSONEncoder()
    ) -> Output {
        do {
            return answer(try encoder.encode(value), .json, status, headers)
        } catch {
            return .noResponse(.malformedPayload(debugInfo: "the answer of a stub can't be encoded: \(error)"))
        }
    }

    /// A response without a payload.
    public static func status(_ status: HTTPStatus, headers: HTTPHeaders = [:]) -> Output {
        .hasResponse(Response(statusCode: status, headers: headers))
    }

    /// A `Content-Type` among the headers stands in place of the payload's.
    private static func answer(
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
