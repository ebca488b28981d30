import Foundation

extension Input {
    /// Whether this is a request to a token endpoint of OAuth 2.0, whose payload contains credentials.
    ///
    /// Such a request has the parameter `grant_type` (RFC 6749 4.1.3, 4.3.2, 4.4.2, 4.5 and 6) in a form, or, for some
    /// servers, in JSON; or it is made by a refresh.
    var isTokenRequest: Bool {
        if methodAndPayload.payload == nil { return false }
        return !RefreshCoordinator.refreshesInThisTask.isEmpty || hasGrantType
    }

    private var hasGrantType: Bool {
        guard let payload = methodAndPayload.payload, case .data(let data) = payload.content else { return false }
        let type = (headers["Content-Type"] ?? payload.mediaType?.rawValue ?? "").lowercased()
        if type.contains("json") { return data.range(of: Data("\"grant_type\"".utf8)) != nil }
        guard type.hasPrefix("application/x-www-form-urlencoded") else { return false }
        return Array(data).split(separator: .and).contains { item in
            URIEncoding.decoded(item.prefix { $0 != .equals }).elementsEqual("grant_type".utf8)
        }
    }
}
