package import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

extension Request {
    /// Returns whether this is a request to a token endpoint of OAuth 2.0, whose payload contains credentials.
    ///
    /// Such a request has the parameter `grant_type` (RFC 6749 4.1.3, 4.3.2, 4.4.2, 4.5 and 6) in a form, or, for some
    /// servers, in JSON. A request of a refresh (``CallIsolation/isRefresh``) may have credentials in any form. A form
    /// that is produced while it is sent counts as one: the endpoints of `OAuthClient` send such forms.
    package func asksForToken(with payload: Payload) -> Bool {
        let type = (headers["Content-Type"] ?? payload.mediaType?.rawValue ?? "").lowercased()
        if case .stream = payload.content { return type.hasPrefix("application/x-www-form-urlencoded") }
        guard case .data(let data) = payload.content else { return false }
        if type.contains("json") { return Array(data)[...].holds("\"grant_type\"") }
        guard type.hasPrefix("application/x-www-form-urlencoded") else { return false }
        return Array(data).split(separator: UInt8(ascii: "&")).contains { item in
            URIEncoding.decoded(item.prefix { $0 != UInt8(ascii: "=") }).elementsEqual("grant_type".utf8)
        }
    }
}
