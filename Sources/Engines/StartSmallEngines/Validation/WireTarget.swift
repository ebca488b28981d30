import StartSmallCore
import StartSmallFoundation
import StartSmallHeaders
import StartSmallSupport

/// The target of a request: its URL in the form that engines send, and the credentials from the URL.
///
/// The parts are read from the URL's text (RFC 3986 3), since `URL` drops a port that is too large, and user
/// information that is not UTF-8.
struct WireTarget {
    /// The URL with all query items, without user information and fragment; its scheme is `http` or `https`.
    let url: URL

    /// The value of `Authorization`; nil if the URL has no user information.
    let authorization: String?

    /// Reads and checks the URL of an input.
    init(of input: Input) throws(ConnectionError) {
        if let target = WireTarget(plain: input) {
            self = target
        } else {
            try self.init(parsing: input)
        }
    }

    /// Creates the target of an input whose URL is sent as it is; nil if the URL may have to be changed, or is illegal.
    ///
    /// That is the URL of most calls, which is neither taken apart nor put together again here.
    init?(plain input: Input) {
        guard input.queries.isEmpty, PlainURL.isPlain(input.url.absoluteString) else { return nil }
        (url, authorization) = (input.url.absoluteURL, nil)
    }

    /// Creates the target of any input, from the parts of its URL.
    init(parsing input: Input) throws(ConnectionError) {
        let text = input.url.absoluteString
        func malformed(_ reason: String) -> ConnectionError {
            .malformedURL(debugInfo: "\(reason): \(Redaction.standard.shown(url: text))")
        }
        guard let scheme = input.url.scheme?.lowercased() else { throw malformed("no scheme") }
        guard scheme == "http" || scheme == "https" else { throw malformed("neither http nor https") }
        guard let authority = Authority(of: text), !authority.host.isEmpty else { throw malformed("no host") }
        if let refusal = authority.refusal { throw malformed(refusal) }
        let port = authority.port
        authorization = try authority.userInfo.flatMap { userInfo throws(ConnectionError) in
            if userInfo.isEmpty { return nil }
            guard let basic = Self.basic(userInfo) else {
                throw malformed("user information that is illegal in Basic credentials (RFC 7617 2)")
            }
            return basic
        }
        let rest = Substring(text.utf8[port.endIndex...].prefix { $0 != UInt8(ascii: "#") })
        let target = URIEncoding.appending(input.queries, to: "\(scheme)://\(authority.host)\(port)\(rest)")
        guard let url = target == text ? input.url.absoluteURL : URL(string: target, encodingInvalidCharacters: false)
        else {
            throw malformed("not a URL")
        }
        self.url = url
    }

    /// Returns the credentials of `user:password`; nil if they can't be sent.
    private static func basic(_ userInfo: Substring) -> String? {
        let user = userInfo.utf8.prefix { $0 != UInt8(ascii: ":") }
        let password = userInfo.utf8[user.endIndex...].dropFirst()
        return Authorization.basic(
            user: URIEncoding.decoded(String(Substring(user))),
            password: URIEncoding.decoded(String(Substring(password)))
        ).right?.value
    }
}
