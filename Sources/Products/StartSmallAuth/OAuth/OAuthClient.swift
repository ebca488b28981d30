import StartSmallCore
import StartSmallHeaders
public import StartSmallSupport
import StartSmallFoundation

/// A client that is registered at an authorization server (RFC 6749 2), and the way in which it proves who it is.
///
/// ```swift
/// let client = OAuthClient("s6BhdRkqt3", .secretInHeader(secret))
/// let token = client.token(by: .clientCredentials, at: server.tokenEndpoint, ["scope": "read write"])
/// ```
///
/// Its functions create endpoints. The URL of each has to be `https`, or `http` on this machine (loopback), without user
/// information and without a fragment: else the call ends with ``ConnectionError/malformedURL(debugInfo:)``. A payload
/// with credentials is produced while it is sent, never goes to another origin, and if it has a credential that may be
/// used once, it is never sent a second time (``PayloadStream/isReplayable``).
///
/// Each function takes further parameters, such as `scope`, several `resource` (RFC 8707 2), or those of one server. No
/// other parameter may be given twice: that is ``ConnectionError/malformedPayload(debugInfo:)`` (RFC 6749 3.2).
public struct OAuthClient: Sendable {
    /// The way in which a client proves who it is (RFC 6749 2.3).
    public enum Authentication: Sendable {
        /// No proof: a public client, such as an app on a phone, sends its ID alone.
        case none

        /// A secret in `Authorization: Basic`, with ID and secret encoded as in a form first (RFC 6749 2.3.1).
        case secretInHeader(String)

        /// A secret as `client_secret` in the form, for servers that don't know the other way (RFC 6749 2.3.1).
        case secretInForm(String)

        /// A text that the client signs by its private key, new for each attempt (RFC 7523 2.2).
        case privateKey(ClientAssertion)
    }

    /// The ID of the client (`client_id`), which is no secret.
    public let id: String

    /// The proof that the client sends.
    public let authentication: Authentication

    /// Creates a client.
    public init(_ id: String, _ authentication: Authentication = .none) {
        (self.id, self.authentication) = (id, authentication)
    }
}

extension OAuthClient: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The ID, on one line; no secret.
    public var description: String { "OAuth client \(id.onOneLine)" }
}

extension OAuthClient.Authentication: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The name that a server's metadata has for the way (RFC 7591 2); no secret.
    public var description: String {
        switch self {
        case .none: "none"
        case .secretInHeader: "client_secret_basic"
        case .secretInForm: "client_secret_post"
        case .privateKey: "private_key_jwt"
        }
    }
}

extension OAuthClient {
    /// The secrets of the client that a server could repeat in the text of an error.
    var secrets: [String] {
        switch authentication {
        case .secretInHeader(let secret):
            [secret, Data("\(FormEncoding.encoded(id)):\(FormEncoding.encoded(secret))".utf8).base64EncodedString()]
        case .secretInForm(let secret): [secret]
        case .none, .privateKey: []
        }
    }

    /// Whether the authentication sends the ID in the form.
    ///
    /// An assertion names the client already. The ID may go with it (RFC 7521 4.2), and servers such as Glewlwyd refuse
    /// a code without it.
    var sendsID: Bool {
        switch authentication {
        case .none, .secretInForm, .privateKey: true
        case .secretInHeader: false
        }
    }

    /// Returns a POST of a form with the client's authentication; once, if a credential in it may be used once only.
    func request(_ url: URL, _ fields: [URLQueryItem], isSentOnce: Bool = false) -> Either<ConnectionError, Input> {
        Either { () throws(ConnectionError) in
            if let refusal = OAuthURL.refusal(of: url, allowsLoopback: true) {
                throw .malformedURL(debugInfo: refusal)
            }
            guard !id.isEmpty, !secrets.contains("") else {
                throw .missingCredentials(debugInfo: "the ID or the secret of the OAuth client is empty")
            }
            var input = Input(forSignIn: url)
            var fields = fields + (sendsID ? [URLQueryItem(name: "client_id", value: id)] : [])
            switch authentication {
            case .none, .privateKey: break
            case .secretInHeader(let secret):
                let (user, password) = (FormEncoding.encoded(id), FormEncoding.encoded(secret))
                let credentials = try Authorization.basic(user: Array(user.utf8), password: Array(password.utf8)).get()
                input.headers[Authorization.headerName] = credentials.value
            case .secretInForm(let secret):
                fields.append(URLQueryItem(name: "client_secret", value: secret))
            }
            try Self.check(fields)
            let stream = stream(of: fields, isSentOnce: isSentOnce)
            input.methodAndPayload = .post(payload: Payload(.stream(stream), mediaType: .form))
            return input
        }
    }

    /// Checks that no parameter occurs twice (RFC 6749 3.2), but for `resource` and `audience` (RFC 8707 2, RFC 8693 2.1).
    static func check(_ fields: [URLQueryItem]) throws(ConnectionError) {
        var names = Set(["client_assertion", "client_assertion_type"].map(ByteEqualString.init))
        for field in fields where !["resource", "audience"].contains(field.name) {
            guard names.insert(ByteEqualString(field.name)).inserted else {
                let name = Redaction.standard.shown(text: field.name)
                throw .malformedPayload(debugInfo: "the parameter \(name) is given twice (RFC 6749 3.2)")
            }
        }
    }

    /// Returns whether a parameter is a credential, or ties a response to a request.
    private static func isSecret(_ name: String) -> Bool {
        Redaction.standard.hides(name) || name == "state" || name == "nonce"
    }

    private func stream(of fields: [URLQueryItem], isSentOnce: Bool) -> PayloadStream {
        let form = FormEncoding.encoded(fields)
        let secrets = secrets + fields.filter { Self.isSecret($0.name) }.compactMap(\.value)
        guard case .privateKey(let assertion) = authentication else {
            return PayloadStream(length: form.utf8.count, replayable: !isSentOnce, secrets: secrets) {
                try await $0.write(Data(form.utf8))
            }
        }
        let prefix = form.isEmpty ? "" : form + "&"
        let length = assertion.formLength(of: id).map { prefix.utf8.count + $0 }
        return PayloadStream(length: length, replayable: !isSentOnce, secrets: secrets) { [id] writer in
            try await writer.write(Data((prefix + FormEncoding.encoded(try await assertion.fields(of: id))).utf8))
        }
    }
}

/// The option of a request that gets no stored token: it is for a sign-in, which may be necessary since there is none.
enum WithoutStoredToken: RequestOption {
    typealias Value = Bool
    static let name = "withoutStoredToken"
    // The response depends on the header fields alone.
    static let changesResponse = false

    static func output(of input: Input, with value: Bool, _ next: Next) async -> Output {
        // So that a dry run does not call the option unread where no wrapper has a token.
        _ = input.options[WithoutStoredToken.self]
        return await next(input)
    }
}

extension Input {
    /// Creates a request for a sign-in, or for the metadata of one.
    init(forSignIn url: URL) {
        self.init(url: url, headers: ["Accept": "application/json"])
        options[WithoutStoredToken.self] = true
    }
}

/// The texts of OAuth.
enum OAuthText {
    /// Returns whether a text has visible characters of ASCII and spaces alone, as each credential has (RFC 6749 A).
    static func isVisible(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Returns the SHA-256 of a text in base64url, for a challenge (RFC 7636 4.2) and a proof (RFC 9449 4.2).
    static func digest(of text: String) -> String { Data(SHA256Hash.digest(of: [Data(text.utf8)])).base64URL }

    /// Returns random bytes in base64url, 8 for each call of a function that returns random bits.
    static func random(bytes: Int, _ bits: () -> UInt64) -> String {
        let words = (0..<(bytes / 8)).map { _ in bits().bigEndian }
        return words.withUnsafeBytes { Data($0) }.base64URL
    }
}

/// The rule for each URL that a client calls or opens.
enum OAuthURL {
    /// Returns the reason to refuse a URL; nil for `https`, and with loopback, for `http` on this machine.
    static func refusal(of url: URL, allowsLoopback: Bool) -> String? {
        guard let origin = Origin(url) else { return "not an absolute https URL" }
        guard Authority(of: url.absoluteString)?.userInfo == nil else { return "a URL with user information" }
        guard url.fragment(percentEncoded: true) == nil else { return "a URL with a fragment (RFC 6749 3.1)" }
        guard origin.scheme == "https" || allowsLoopback && isLoopback(origin.host) else {
            return "not https (RFC 6749 3.1)"
        }
        return nil
    }

    /// Returns the reason to refuse one of several URLs; nil if each may be called or opened.
    static func refusal(of urls: [URL?], allowsLoopback: Bool) -> String? {
        urls.lazy.compactMap { $0.flatMap { refusal(of: $0, allowsLoopback: allowsLoopback) } }.first
    }

    /// Returns whether a host is this machine: `localhost`, 127.0.0.0/8 or ::1 (RFC 6761 6.3, RFC 8252 7.3).
    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" { return true }
        guard let address = AddressText.read(host)?.bytes else { return false }
        return address.count == 4 ? address[0] == 127 : address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
    }
}
