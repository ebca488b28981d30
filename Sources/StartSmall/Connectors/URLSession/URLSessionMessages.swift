import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    /// Creates the head of a request for Foundation; the payload is separate, in the task.
    ///
    /// Foundation keeps one field of each name. Therefore, several fields are joined: by `, ` (RFC 9110 5.3), and those
    /// of `Cookie` by `; ` (RFC 6265 4.2.1). Foundation writes `Content-Length`. On Linux, `Expect` is not sent, since
    /// Foundation's libcurl would send the request again after each 417.
    init(
        _ wire: ValidatedRequest,
        options: ConnectionOptions,
        isLimitedUntilHead: Bool = false,
        remainingTime: Duration? = nil
    ) {
        let timeout = options.sessionTimeout(isLimitedUntilHead: isLimitedUntilHead, remainingTime: remainingTime)
        self.init(url: wire.url, timeoutInterval: timeout)
        httpMethod = wire.method
        httpShouldHandleCookies = options.keepsCookies
        var seen: Set<String> = ["content-length"]
        #if os(Linux) && !APPLE_BRANCH
            seen.insert("expect")
        #endif
        for field in wire.headers.fields where seen.insert(field.name.lowercased()).inserted {
            let separator = field.name.lowercased() == "cookie" ? "; " : ", "
            setValue(wire.headers.values(of: field.name).joined(separator: separator), forHTTPHeaderField: field.name)
        }
    }
}

extension URLRequest {
    /// The request with a media type: its own, or `application/octet-stream`.
    ///
    /// To a payload without a type, `URLSession` on Apple platforms adds the type of a form, and a server would parse
    /// the payload as one. `application/octet-stream` is what a recipient may assume without a type (RFC 9110 8.3).
    var withMediaType: URLRequest {
        if value(forHTTPHeaderField: "Content-Type") != nil { return self }
        var request = self
        request.setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        return request
    }
}

extension Response {
    /// Creates the head of a response, or nil if the response is not an HTTP response.
    ///
    /// Foundation has lost the order of the fields by then, and joined those of one name. Therefore, the fields are
    /// sorted, and the fields of `Set-Cookie` are split again.
    init?(head: URLResponse?) {
        guard let head = head as? HTTPURLResponse else { return nil }
        let fields = head.allHeaderFields.compactMap { name, value -> HTTPHeaders.Field? in
            guard let name = name as? String, let value = value as? String else { return nil }
            // Linux keeps white space after the value, which is not part of the value (RFC 9110 5.5).
            let trimmed = value.trimmingCharacters(in: .whitespaces)
            #if os(Linux) && !APPLE_BRANCH
                return HTTPHeaders.Field(name: name, value: trimmed)
            #else
                return HTTPHeaders.Field(name: name, value: LatinText.repaired(trimmed))
            #endif
        }
        let keyed = fields.map { (key: Array($0.name.lowercased().utf8) + [0] + $0.name.utf8, field: $0) }
        let sorted = keyed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.field)
        self.init(statusCode: .from(code: head.statusCode), headers: HTTPHeaders(sorted.flatMap(Self.apart)))
    }

    private static func apart(_ field: HTTPHeaders.Field) -> [HTTPHeaders.Field] {
        guard field.name.lowercased().isSame(as: "set-cookie") else { return [field] }
        return SetCookieList.split(field.value).map { HTTPHeaders.Field(name: field.name, value: $0) }
    }
}
