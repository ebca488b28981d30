public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

/// The requests that get a credential.
public enum CredentialScope: Equatable, Sendable {
    /// Requests to every origin.
    case anyOrigin

    /// Requests to the origin of this URL alone (RFC 6454).
    ///
    /// A URL that is not an absolute `http` or `https` URL has no origin: every call then ends with
    /// ``ConnectionError/missingCredentials(debugInfo:)``, since the credential would otherwise silently never be sent.
    case origin(URL)
}

extension Request {
    /// Returns whether the request gets a credential of a scope.
    ///
    /// - Returns: whether it does; ``ConnectionError/missingCredentials(debugInfo:)`` on the left if the URL of the
    ///   scope has no origin.
    public func isIn(_ scope: CredentialScope) -> Either<ConnectionError, Bool> {
        guard case .origin(let url) = scope else { return .right(true) }
        guard let origin = Origin(url) else {
            let refusal = Authority(of: url.absoluteString)?.refusal
            let reason = refusal ?? "the scope is not an absolute http or https URL"
            let shown = Redaction.standard.shown(url: url.absoluteString)
            return .left(.missingCredentials(debugInfo: "\(reason): \(shown)"))
        }
        return .right(origin == Origin(self.url))
    }
}

extension CredentialScope {
    /// Returns the name of a wrapper with this scope: `bearer` for every origin, or `bearer(to:)` for one.
    ///
    /// By this name, the rules for the order of wrappers know that the wrapper needs an absolute URL.
    public func name(of wrapper: String) -> String {
        if case .origin = self { "\(wrapper)(to:)" } else { wrapper }
    }
}
