import Foundation

/// The messages of libcurl for which Foundation on Linux only has `NSURLErrorUnknown`, or a wrong code.
///
/// A message is not an API, but there is nothing else (curl 7.81 to 8.x, swift-corelibs-foundation 6.3.1). An error
/// whose message is not listed here keeps the meaning of its code. The first matching line counts.
enum URLSessionErrorText {
    /// Returns the meaning of an error's text, or nil if its code is reliable, or its text is unknown.
    static func meaning(of error: NSError) -> ConnectionError.Meaning? {
        guard vagueCodes.contains(error.code) else { return nil }
        let text = error.localizedDescription.lowercased()
        return table.first { phrases, _ in phrases.contains { text.contains($0) } }?.meaning
    }

    /// The codes that are not reliable.
    ///
    /// An unsupported URL may also be a response in HTTP/0.9, and a bad response may also be no response at all.
    private static let vagueCodes = [NSURLErrorUnknown, NSURLErrorBadServerResponse, NSURLErrorUnsupportedURL]

    private static let table: [(phrases: [String], meaning: ConnectionError.Meaning)] = [
        (["proxy"], { .proxyFailed($0) }),
        (["certificate required", "bad certificate", "local ssl certificate"], { .clientCertificateRejected($0) }),
        (
            ["ssl certificate problem", "certificate verif", "subject name", "ssl: no alternative certificate"],
            { .serverCertificateUntrusted($0) }
        ),
        (["could not resolve host", "couldn't resolve host"], { .hostNotFound($0) }),
        (["timed out", "timeout"], { .timedOut($0) }),
        (["failed to connect", "couldn't connect", "could not connect"], { .connectionRefused($0) }),
        (
            [
                "connection reset", "reset by peer", "empty reply", "server returned nothing", "transfer closed",
                "partial file", "recv failure", "send failure", "failure when receiving", "failed sending",
                "broken pipe", "http/2 stream", "connection died", "unexpected eof",
            ],
            { .connectionLost($0) }
        ),
        (
            ["content encoding", "content-encoding", "content unencoding", "while processing content"],
            { .unreadablePayload($0) }
        ),
        (
            [
                "http/0.9", "unsupported http", "weird server reply", "writing header", "header without colon",
                "nul byte in header", "chunk", "too large response headers", "invalid content-length",
                "unsupported response code", "failed writing",
            ],
            { .malformedResponse($0) }
        ),
        (["ssl", "tls", "handshake"], { .secureConnectionFailed($0) }),
    ]
}
