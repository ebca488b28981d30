import StartSmallSupport
package import StartSmallFoundation

/// The effective URL of a response, if a wrapper replaced the input's URL; nil if none did.
///
/// Relative references are resolved against it. It is not part of the server's message: responses with the same content
/// are equal, wherever they came from.
package struct EffectiveURL: Hashable, Sendable {
    package var url: URL?

    /// The resource and the range that were requested, if the payload was not taken into memory at once.
    package var requested: RequestedRange?

    /// The number of bytes of the payload that were read from a body or are in a file; only descriptions use it.
    package var deliveredBytes = 0

    package static func == (_: EffectiveURL, _: EffectiveURL) -> Bool { true }

    package func hash(into _: inout Hasher) {}
}

/// The resource and the range of a request, as they reached the engine.
///
/// A class, since a reference adds only one word to the size of a response.
package final class RequestedRange: Sendable {
    /// The requested URL, without its fragment.
    package let url: String

    /// The `Range` of the request; nil if there is none.
    package let range: String?

    init(_ input: Input) {
        url = URIEncoding.withoutFragment(input.calledURL.absoluteString)
        range = input.headers["Range"]
    }
}

extension Response {
    /// Returns the response with the number of bytes of its payload that were read from a body or are in a file.
    package func delivering(_ count: Int) -> Response {
        var response = self
        response.called.deliveredBytes = count
        return response
    }
}

extension Output {
    /// Returns a copy whose response has this effective URL, unless the response already has one.
    package func called(at url: URL) -> Output {
        guard case .hasResponse(var response) = self, response.called.url == nil else { return self }
        response.called.url = url
        return .hasResponse(response)
    }
}
