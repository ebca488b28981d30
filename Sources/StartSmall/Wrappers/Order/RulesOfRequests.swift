import Foundation

/// The rules on the parts of a request: what one wrapper reads or copies, and another one changes.
extension OrderRule {
    private typealias Aspect = WrapperDeclaration.Aspect

    static func copy(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        let revealed = outer.secrets.filter { secret in
            inner.copies.contains { $0.isChanged(by: secret) } && !inner.redaction.hides(credentialIn: secret)
        }
        guard let shown = revealed.shown else { return nil }
        return "\(inner.name) copies the credentials in \(shown), a name that its redaction does not hide; "
            + "outside, it does not get them"
    }

    static func sharing(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard outer.sharesResponses else { return nil }
        guard let part = outer.reads.intersection([.credentials, .cookies]).intersection(inner.changes).shown else {
            return nil
        }
        return "\(outer.name) can't tell apart the \(part) that \(inner.name) adds inside, so that one user can get "
            + "the response to another"
    }

    static func decision(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        if case .redirected = inner.repeats { return nil }
        if outer.changes.contains(.signature) { return nil }
        let parts = outer.partsChanged(by: inner).subtracting([.credentials, .cookies, .idempotencyKey])
        // Of two wrappers of one kind, such as two base URLs, the outer one decides, in any order.
        let isSettled: (Aspect) -> Bool = {
            outer.repeats == nil && outer.changes.contains($0) && inner.reads.contains($0)
        }
        guard let shown = parts.filter({ !isSettled($0) }).shown else { return nil }
        return "\(outer.name) decides by the \(shown), which \(inner.name) changes after that"
    }

    static func signature(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard outer.changes.contains(.signature), !inner.changes.contains(.signature),
            let parts = outer.partsChanged(by: inner).shown
        else { return nil }
        return "\(outer.name) signs the \(parts), which \(inner.name) changes after that, so that the signature is "
            + "invalid"
    }

    static func request(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard outer.unit == .request, case .redirected = inner.repeats else { return nil }
        return "\(outer.name) is for each request, but here it sees only the first request and the last response of a "
            + "redirect"
    }

    static func cache(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard outer.shortCircuits == .storedResponse, case .redirected = inner.repeats else { return nil }
        return "\(outer.name) does not store a response to which a redirect led; inside, it stores the response of "
            + "each URL"
    }

    static func sharingOfCache(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard outer.shortCircuits == .responseInFlight, inner.shortCircuits == .storedResponse else { return nil }
        return "a call that \(inner.name) could answer at once waits for the running call of another caller"
    }

    static func credentials(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard case .redirected = outer.repeats, inner.changes.contains(.credentials), !inner.isBoundToOrigin else {
            return nil
        }
        return "\(inner.name) sends its credentials to each server to which a response redirects; outside, or bound "
            + "to an origin, it does not"
    }

    static func keptCredentials(_ outer: WrapperDeclaration, _ inner: WrapperDeclaration) -> String? {
        guard case .redirected(let dropping) = inner.repeats else { return nil }
        let dropped = Set(dropping.map { $0.lowercased() })
        let kept = outer.secrets.filter { secret in
            guard case .header(let name) = secret else { return false }
            return !dropped.contains(name.lowercased()) && !Redaction.standard.hides(name)
        }
        guard let shown = kept.shown else { return nil }
        return "\(inner.name) keeps the credentials in \(shown) at another origin, since the name does not reveal "
            + "them: name it in the policy of redirects"
    }
}

extension WrapperDeclaration {
    /// Whether a response for one call can be the answer to another one.
    fileprivate var sharesResponses: Bool {
        shortCircuits == .storedResponse || shortCircuits == .responseInFlight
    }

    /// Returns the parts by which this wrapper decides and which an inner one changes.
    fileprivate func partsChanged(by inner: WrapperDeclaration) -> Set<Aspect> {
        reads.filter { part in part != .response && inner.changes.contains(where: part.isChanged) }
    }
}

extension Redaction {
    /// Returns whether a credential in a header field or query item is hidden.
    fileprivate func hides(credentialIn place: WrapperDeclaration.Aspect) -> Bool {
        // As long as a credential is, since a short value of an ambiguous name is displayed.
        let sample = "d41d8cd98f00b204e9800998ecf8427e"
        return switch place {
        case .header(let name): !shown(sample, of: name).contains(sample)
        case .query(let name):
            !shown(url: "https://host/?\(URIEncoding.query(of: [.init(name: name, value: sample)]))")
                .contains(sample)
        default: true
        }
    }
}

extension Set<WrapperDeclaration.Aspect> {
    /// The names of the parts, to display; nil if there is none.
    fileprivate var shown: String? {
        isEmpty ? nil : map(\.shown).sorted().joined(separator: ", ")
    }
}

extension WrapperDeclaration.Aspect {
    fileprivate var shown: String {
        switch self {
        case .method: "method"
        case .url: "URL"
        case .queries: "query items"
        case .query(let name): "query item \(Redaction.standard.shown(text: name))"
        case .headers: "header fields"
        case .header(let name): "header field \(Redaction.standard.shown(name: name))"
        case .payload: "payload"
        case .delivery: "delivery"
        case .response: "response"
        case .credentials: "credentials"
        case .cookies: "cookies"
        case .idempotencyKey: "idempotency key"
        case .signature: "signature"
        }
    }
}
