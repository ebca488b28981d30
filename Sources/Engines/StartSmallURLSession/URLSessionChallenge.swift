import StartSmallCore
import StartSmallEngines

/// An authentication challenge to a task, as far as options decide it.
///
/// The type is pure, so that it is tested on platforms without such challenges.
enum URLSessionChallenge: Equatable, Sendable {
    /// A server's certificates, after their evaluation.
    ///
    /// - Parameters:
    ///   - failure: the reason why they are not trusted; nil if they are.
    ///   - keyHash: the SHA-256 of the server's SubjectPublicKeyInfo; nil if it is not known.
    case serverTrust(failure: String?, keyHash: Data?)

    case clientCertificate

    /// The proxy demands a user and a password, after this number of refused ones.
    case proxyPassword(failureCount: Int)

    case other

    enum Disposition: Hashable, Sendable {
        /// The session handles the challenge as without a delegate.
        case performDefault

        case trustServer
        case sendClientCertificate
        case sendProxyPassword
        case fail(ConnectionError)
    }

    func disposition(by options: ConnectionOptions) -> Disposition {
        switch self {
        case .serverTrust(let failure, let keyHash):
            if !options.checksServerTrust { return .performDefault }
            if let failure { return .fail(.untrusted(failure)) }
            let pins = options.publicKeyPins.map(ConnectionOptions.hash)
            if pins.isEmpty { return .trustServer }
            guard let keyHash else { return .fail(.untrusted("the server's key has a kind that can't be pinned")) }
            if pins.contains(keyHash) { return .trustServer }
            return .fail(.untrusted("the server's key is not in publicKeyPins"))
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
    /// Whether more than the system's rules decides about certificates of servers.
    var checksServerTrust: Bool { !publicKeyPins.isEmpty || caFile != nil }
}

extension ConnectionError {
    /// Creates the error for a server whose certificates or key the options don't accept.
    fileprivate static func untrusted(_ text: String) -> ConnectionError {
        let code = NSURLErrorServerCertificateUntrusted
        return .serverCertificateUntrusted(Cause(ofSession: code, Redaction.withoutURLs(text)))
    }
}
