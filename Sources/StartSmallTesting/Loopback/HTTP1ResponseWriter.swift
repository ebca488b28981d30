import Foundation
import StartSmall

/// A pure function that encodes a response as an HTTP/1.1 message (RFC 9112).
enum HTTP1ResponseWriter {
    /// The size of a chunk: 8 KiB, so that a chunked payload of a test has more than one chunk.
    static let chunkBytes = 8 * 1024

    /// The message `100 Continue`, which a client may wait for before it sends the body.
    static let resume = Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Returns the bytes of the response to a request.
    ///
    /// If a field would break the message, the bytes are those of a response with the status 500.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - method: the method of the request.
    ///   - chunked: whether the client supports chunks, unlike HTTP/1.0 clients.
    ///   - closing: whether the connection ends with this response.
    static func bytes(of response: Response, to method: String, chunked: Bool = true, closing: Bool = false) -> Data {
        if let field = response.headers.fields.first(where: isBroken) {
            let reason = "the connector's response has a malformed field: \(field.name.debugDescription)\n"
            let refusal = Response(statusCode: .internalServerError, payload: Data(reason.utf8))
            return bytes(of: refusal, to: method, closing: closing)
        }
        var response = response
        if closing { response.headers["Connection"] = "close" }
        let framing = Framing(of: response, to: method, chunked: chunked)
        let head = head(of: response.statusCode, framing.fields(of: response))
        return switch framing {
        case .none: head
        case .length: head + response.payload
        case .chunked: head + chunks(of: response.payload)
        }
    }

    private enum Framing {
        /// No payload, regardless of the fields (RFC 9112 6.3).
        case none
        case length
        case chunked

        init(of response: Response, to method: String, chunked: Bool) {
            let hasPayload =
                method != "HEAD" && !response.statusCode.isInformational
                && ![.noContent, .notModified].contains(response.statusCode)
            let wantsChunks = chunked && response.headers.tokens(of: "Transfer-Encoding").last == "chunked"
            self = hasPayload ? (wantsChunks ? .chunked : .length) : .none
        }

        func fields(of response: Response) -> [HTTPHeaders.Field] {
            var headers = response.headers
            switch self {
            case .none where response.statusCode.isInformational || response.statusCode == .noContent:
                // RFC 9110 8.6 and RFC 9112 6.1 forbid both fields.
                headers["Content-Length"] = nil
                headers["Transfer-Encoding"] = nil
            case .none:
                // The fields of HEAD and 304 describe the payload that GET would have had.
                if !response.payload.isEmpty, !headers.contains("Transfer-Encoding") {
                    headers.setIfAbsent("Content-Length", to: "\(response.payload.count)")
                }
            case .length:
                headers["Transfer-Encoding"] = nil
                headers["Content-Length"] = "\(response.payload.count)"
            case .chunked:
                headers["Content-Length"] = nil
            }
            return headers.fields
        }
    }

    private static func head(of status: HTTPStatus, _ fields: [HTTPHeaders.Field]) -> Data {
        let lines = ["HTTP/1.1 \(status.code) \(status.reason ?? "")"] + fields.map { "\($0.name): \($0.value)" }
        return Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func chunks(of payload: Data) -> Data {
        var bytes = Data()
        for start in stride(from: payload.startIndex, to: payload.endIndex, by: chunkBytes) {
            let chunk = payload[start..<min(start + chunkBytes, payload.endIndex)]
            bytes += Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8)
        }
        return bytes + Data("0\r\n\r\n".utf8)
    }

    private static func isBroken(_ field: HTTPHeaders.Field) -> Bool {
        !HTTPToken.isToken(field.name) || field.value.utf8.contains { [0x00, 0x0A, 0x0D].contains($0) }
    }
}
