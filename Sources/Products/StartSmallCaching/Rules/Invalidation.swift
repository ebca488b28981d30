import StartSmallCore
import StartSmallHeaders
import StartSmallFoundation

/// The URLs whose stored responses an unsafe request makes invalid (RFC 9111 4.4).
enum Invalidation {
    /// The maximum length of a reference: 8,000 bytes, which every server and client should support (RFC 9110 4.1).
    private static let maximumReferenceLength = 8000

    /// Returns the URLs in normal form; none if nothing has changed.
    ///
    /// They are the target of the request, and `Location` and `Content-Location` of the response if they have the same
    /// origin. A response with an error status has changed nothing, unless an attempt before may have: one that was
    /// sent, and got no response.
    static func urls(after output: Output, to input: Input, isUnanswered: Bool) -> [String] {
        guard let target = NormalURL(of: input) else { return [] }
        guard let response = output.connectionError?.response ?? output.response,
            response.statusCode.isSuccess || response.statusCode.isRedirection
        else { return isUnanswered ? [target.text] : [] }
        let base = response.target(of: input)
        let others = ["Location", "Content-Location"].flatMap(response.headers.values).compactMap {
            reference -> NormalURL? in
            guard reference.utf8.count <= maximumReferenceLength else { return nil }
            return base.resolving(reference).flatMap { NormalURL($0) }
        }
        let same = others.filter { $0.origin == target.origin }.map(\.text)
        return [target.text] + same.filter { $0 != target.text }
    }
}

extension Response {
    /// Returns the URL of the resource that gave this response, by the `Host` of the request if it was sent.
    ///
    /// A redirect to another origin drops the field. It does not matter where a wrapper inside has sent the request.
    fileprivate func target(of input: Input) -> URL {
        let base = Response(statusCode: statusCode, redirections: redirections).base(of: input)
        let origin = Origin(input.url)
        guard redirections.allSatisfy({ Origin($0.to) == origin }) else { return base }
        return input.with { ($0.url, $0.queries) = (base, []) }.targetURL ?? base
    }
}

extension ConnectionError {
    /// Whether a stale response may stand for the failure: the network or the service failed, or was too slow (RFC 5861
    /// 4).
    ///
    /// An untrusted certificate is none of these, since someone else may have answered, and neither is a decision of
    /// the app.
    fileprivate var isServerFailure: Bool {
        if case .timedOut = self { true } else { fault == .network || fault == .service }
    }
}

extension Output {
    /// Whether a stale response may replace this output (RFC 5861 4): no response, 500, 502, 503 or 504.
    ///
    /// The status decides even if the payload is broken, and a rejection by a rule of the app is no failure.
    var isServerFailure: Bool {
        if case .noResponse(.rejected) = self { return false }
        return response.map { [500, 502, 503, 504].contains($0.statusCode.code) }
            ?? connectionError?.isServerFailure ?? false
    }
}
