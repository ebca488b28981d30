import Foundation
public import StartSmall

/// What of an exchange is replaced before a ``Cassette`` is written, so that no credential is ever in the file.
///
/// Hidden are the values of header fields, query items, form fields and members of JSON whose names the redaction knows,
/// URLs in fields such as `Location` included. A value that was hidden in one place is then hidden wherever else it
/// occurs in the recording: a token that the server repeats in a text, or a session's id in a path.
public struct Scrubbing: Sendable {
    /// Which names hide a value.
    public var redaction: Redaction

    private let also: @Sendable (String) -> String

    /// Creates a scrubbing.
    ///
    /// - Parameters:
    ///   - redaction: which names hide a value.
    ///   - also: changes each text that is written: URLs, values of header fields, and payloads that are text. The same is
    ///     done to a request before it is looked for in a cassette.
    public init(_ redaction: Redaction = .standard, also: @escaping @Sendable (String) -> String = { $0 }) {
        self.redaction = redaction
        self.also = also
    }

    /// Hides what `Redaction.standard` does.
    public static let standard = Scrubbing()

    /// The fewest bytes of a secret that is looked for where no name tells of it: shorter ones occur by chance.
    public static let shortestSecret = 8
}

extension Scrubbing {
    /// An exchange without what its names tell, and without these secrets.
    func scrubbed(_ exchange: Exchange, without secrets: Set<String>) -> Exchange {
        Exchange(
            input: scrubbed(exchange.input, without: secrets),
            response: scrubbed(exchange.response, without: secrets),
            recorded: exchange.recorded
        )
    }

    func scrubbed(_ input: Input, without secrets: Set<String>) -> Input {
        let change = { (text: String) in also(text.without(secrets)) }
        let payload = input.methodAndPayload.payload.map { payload in
            let data = scrubbed(input.methodAndPayload.body ?? Data(), payload.mediaType, change)
            return Payload(.data(data), mediaType: payload.mediaType)
        }
        return Input(
            url: scrubbed(input.url, change),
            headers: scrubbed(input.headers, change),
            methodAndPayload: HTTPMethodAndPayload(method: input.methodAndPayload.method, payload: payload)
        )
    }

    private func scrubbed(_ response: Response, without secrets: Set<String>) -> Response {
        let change = { (text: String) in also(text.without(secrets)) }
        let mediaType = response.headers["Content-Type"].map(MediaType.init(rawValue:))
        return Response(
            statusCode: response.statusCode,
            headers: scrubbed(response.headers, change),
            payload: scrubbed(response.payload, mediaType, change),
            trailers: scrubbed(response.trailers, change),
            redirections: response.redirections.map { step in
                Redirection(
                    from: scrubbed(step.from, change),
                    statusCode: step.statusCode,
                    to: scrubbed(step.to, change)
                )
            }
        )
    }

    private func scrubbed(_ url: URL, _ change: (String) -> String) -> URL {
        let text = change(redaction.shown(url: url.absoluteString.showingPlaceholder))
        // What can't be shown without a secret is not shown at all.
        return URL(string: text.encodingPlaceholder) ?? URL(filePath: "/")
    }

    private func scrubbed(_ headers: HTTPHeaders, _ change: (String) -> String) -> HTTPHeaders {
        HTTPHeaders(
            headers.fields.map { field in
                let value = redaction.shown(field.value.showingPlaceholder, of: field.name)
                return HTTPHeaders.Field(name: field.name, value: change(value))
            }
        )
    }

    private func scrubbed(_ payload: Data, _ mediaType: MediaType?, _ change: (String) -> String) -> Data {
        let hidden = redaction.scrubbing(payload: payload, mediaType: mediaType)
        return String(validating: hidden, as: UTF8.self).map { Data(change($0).utf8) } ?? hidden
    }
}
