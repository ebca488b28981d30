import Foundation

/// The effective URL of a response, if a wrapper replaced the input's URL; nil if none did.
///
/// Relative references are resolved against it. It is not part of the server's message: responses with the same content
/// are equal, wherever they came from.
struct EffectiveURL: Hashable, Sendable {
    var url: URL?

    /// The attempt that the response belongs to, if the payload is taken in parts.
    var attempt: Attempt?

    /// The number of bytes of the payload that a file or a consumer received; only descriptions use it.
    var deliveredBytes = 0

    /// The version of HTTP in the status line of the response, such as `1.1`; nil if it is unknown.
    var httpVersion: String?

    static func == (_: EffectiveURL, _: EffectiveURL) -> Bool { true }

    func hash(into _: inout Hasher) {}
}

extension Response {
    /// The version of HTTP in the status line, such as `1.1`; nil if the engine does not tell it with the head.
    package var httpVersion: String? { called.httpVersion }
}

extension Output {
    /// Returns a copy whose response has this effective URL, unless the response already has one.
    func called(at url: URL) -> Output {
        guard case .hasResponse(var response) = self, response.called.url == nil else { return self }
        response.called.url = url
        return .hasResponse(response)
    }
}
