import Foundation

/// What was called for a response, where a wrapper made another URL of the input's; nil where none did.
///
/// It tells where relative references are seen from, and is no part of what the server said: responses that say the same
/// are equal, wherever they came from.
struct EffectiveURL: Hashable, Sendable {
    var url: URL?

    /// The attempt whose response it is, where the payload is taken in parts.
    var attempt: Attempt?

    static func == (_: EffectiveURL, _: EffectiveURL) -> Bool { true }

    func hash(into _: inout Hasher) {}
}

extension Output {
    /// The same, but the response knows what was called for it, unless it knows already.
    func called(at url: URL) -> Output {
        guard case .hasResponse(var response) = self, response.called.url == nil else { return self }
        response.called.url = url
        return .hasResponse(response)
    }
}
