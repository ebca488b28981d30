import Foundation

/// An authentication challenge to a task, as far as options decide it: pure, so that it is tested where there is none.
enum URLSessionChallenge: Hashable, Sendable {
    /// A server's certificates, which were evaluated.
    ///
    /// - Parameters:
    ///   - failure: The reason why they are not trusted; nil if they are.
    ///   - keyHash: The SHA-256 of the server's SubjectPublicKeyInfo; nil if it is not known.
    case serverTrust(failure: String?, keyHash: Data?)

    /// The server demands a client certificate.
    case clientCertificate

    /// The proxy demands a user and a password, after so many that it has refused.
    case proxyPassword(failureCount: Int)

    /// Any other.
    case other

    /// The answer to a challenge.
    enum Answer: Hashable, Sendable {
        /// The session does what it does without a delegate.
        case performDefault

        /// The server is trusted.
        case trustServer

        /// The client certificate of the options is sent.
        case sendClientCertificate

        /// The user and the password of the proxy are sent.
        case sendProxyPassword

        /// The call ends with this error.
        case fail(ConnectionError)
    }

    /// The answer that the options give.
    func answer(by options: ConnectionOptions) -> Answer {
        switch self {
        case .serverTrust(let failure, let keyHash):
            if !options.checksServerTrust { return .performDefault }
            if let failure { return .fail(.untrusted(failure)) }
            let pins = options.publicKeyPins.map { PublicKeyPin($0)?.hash }
            if pins.isEmpty { return .trustServer }
            guard let keyHash else { return .fail(.untrusted("the server's key is of no kind that can be pinned")) }
            if pins.contains(keyHash) { return .trustServer }
            return .fail(.untrusted("the server's key is none of publicKeyPins"))
        case .clientCertificate: return options.clientCertificate == nil ? .performDefault : .sendClientCertificate
        case .proxyPassword(let failureCount):
            guard case .url(let text) = options.proxy, URLSessionProxy(text)?.user != nil, failureCount == 0
            else { return .performDefault }
            return .sendProxyPassword
        case .other: return .performDefault
        }
    }
}

extension ConnectionOptions {
    /// Whether certificates of servers are checked by more than the system's rules.
    var checksServerTrust: Bool { !publicKeyPins.isEmpty || caFile != nil }
}

extension ConnectionError {
    /// The error for a server whose certificates or key the options don't accept.
    fileprivate static func untrusted(_ text: String) -> ConnectionError {
        let domain = NSURLErrorDomain
        return .serverCertificateUntrusted(
            Cause(domain: domain, code: NSURLErrorServerCertificateUntrusted, text: Redaction.withoutURLs(text))
        )
    }
}
