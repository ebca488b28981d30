import Foundation

/// What libcurl says where Foundation on Linux has no code for it but `NSURLErrorUnknown`, or a wrong one.
///
/// A text is no interface, but it is all there is (curl 7.81 to 8.x, swift-corelibs-foundation 6.3.1); what is not found
/// here stays what its code says. The first line that fits counts.
enum URLSessionErrorText {
    /// What an error's text means, or nil if it has a code worth believing, or a text that is not known.
    static func meaning(of error: NSError) -> ConnectionError.Meaning? {
        guard vagueCodes.contains(error.code) else { return nil }
        let text = error.localizedDescription.lowercased()
        return table.first { phrases, _ in phrases.contains { text.contains($0) } }?.meaning
    }

    /// Unsupported is also a response in HTTP/0.9, and a bad response is also none at all.
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
