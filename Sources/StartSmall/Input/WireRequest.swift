public import Foundation

/// An input checked and put together, as an engine sends it.
///
/// Every engine makes one before it does anything else, and so should a connector of one's own that writes to a
/// network: what could break a message (RFC 9112 11.1, 11.2) then never reaches the wire.
public struct WireRequest: Hashable, Sendable {
    /// The method: a token (RFC 9110 5.6.2).
    public let method: String

    /// The whole URL: `http` or `https`, with a host and all query items, without user information and fragment.
    public let url: URL

    /// The legal header fields, with `Content-Type` of the payload, and `Authorization` of the URL's user information
    /// (RFC 7617), each unless it was given.
    public let headers: HTTPHeaders

    /// The bytes to send, or nil if there is no payload.
    public let body: Data?

    /// Checks an input.
    ///
    /// Left with ``ConnectionError/malformedURL(debugInfo:)``, ``ConnectionError/malformedMethod(debugInfo:)`` or
    /// ``ConnectionError/malformedHeader(debugInfo:)``.
    public static func from(_ input: Input) -> Either<ConnectionError, WireRequest> {
        do throws(ConnectionError) {
            let method = try checkedMethod(of: input.methodAndPayload)
            let (url, authorization) = try checkedURL(of: input)
            var headers = input.headers
            if let mediaType = input.methodAndPayload.payload?.mediaType {
                headers.setIfAbsent("Content-Type", to: mediaType.rawValue)
            }
            if let authorization { headers.setIfAbsent("Authorization", to: authorization) }
            let body = input.methodAndPayload.body
            for field in headers.fields { try check(field, bodyCount: body?.count ?? 0) }
            return .right(WireRequest(method: method, url: url, headers: headers, body: body))
        } catch {
            return .left(error)
        }
    }

    private static func checkedMethod(of methodAndPayload: HTTPMethodAndPayload) throws(ConnectionError) -> String {
        let method = methodAndPayload.method
        guard isToken(method) else {
            throw .malformedMethod(debugInfo: "not a token (RFC 9110 9.1): \(method.debugDescription)")
        }
        if method == "CONNECT" {
            throw .malformedMethod(debugInfo: "CONNECT opens a tunnel, which only an engine can use (RFC 9110 9.3.6)")
        }
        if methodAndPayload.payload != nil, ["GET", "HEAD", "TRACE"].contains(method) {
            throw .malformedMethod(debugInfo: "\(method) carries no payload (RFC 9110 9.3)")
        }
        return method
    }

    private static func checkedURL(of input: Input) throws(ConnectionError) -> (URL, authorization: String?) {
        func malformed(_ reason: String) -> ConnectionError {
            .malformedURL(debugInfo: "\(reason): \(Redaction.standard.shown(url: input.url.absoluteString))")
        }
        let base = input.url.absoluteURL
        guard let scheme = base.scheme?.lowercased() else { throw malformed("no scheme") }
        guard ["http", "https"].contains(scheme) else { throw malformed("neither http nor https") }
        guard let host = base.host(percentEncoded: true), !host.isEmpty else { throw malformed("no host") }
        let text = RFC3986.appending(input.queries, to: base.absoluteString)
        guard var components = URLComponents(string: text, encodingInvalidCharacters: false) else {
            throw malformed("not a URL")
        }
        let authorization = components.user.map { user in
            "Basic " + Data("\(user):\(components.password ?? "")".utf8).base64EncodedString()
        }
        (components.user, components.password, components.fragment) = (nil, nil, nil)
        guard let url = components.url else { throw malformed("not a URL") }
        return (url, authorization)
    }

    private static func check(_ field: HTTPHeaders.Field, bodyCount: Int) throws(ConnectionError) {
        guard isToken(field.name) else {
            throw .malformedHeader(debugInfo: "the name is not a token (RFC 9110 5.1): \(field.name.debugDescription)")
        }
        guard field.value.utf8.allSatisfy({ $0 == UInt8(ascii: "\t") || ($0 >= 0x20 && $0 != 0x7F) }) else {
            throw .malformedHeader(debugInfo: "a control character in the value of \(field.name) (RFC 9110 5.5)")
        }
        switch field.name.lowercased() {
        case "transfer-encoding":
            throw .malformedHeader(debugInfo: "Transfer-Encoding is the engine's to choose (RFC 9112 6.1)")
        case "content-length" where field.value != "\(bodyCount)":
            throw .malformedHeader(debugInfo: "Content-Length \(field.value) with \(bodyCount) bytes (RFC 9110 8.6)")
        default: break
        }
    }

    /// Whether a text is one or more of the characters that a name may have (RFC 9110 5.6.2).
    static func isToken(_ text: String) -> Bool {
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        return !text.isEmpty
            && text.utf8.allSatisfy { byte in
                marks.contains(byte) || RFC3986.isUnreserved(byte)
            }
    }
}
