import Foundation
import StartSmall

/// What becomes of each text of an exchange; in URLs and fields, what stands for a secret can be read.
struct ExchangeChange {
    var url: (String) -> String
    var field: (HTTPHeaders.Field) -> String
    var payload: (RecordedPayload) -> Data

    /// A method, and the type of a payload.
    var word: (String) -> String

    /// The name of a field.
    var name: (String) -> String
}

extension Exchange {
    func changed(by change: ExchangeChange) -> Exchange {
        Exchange(input: input.changed(by: change), response: response.changed(by: change), recorded: recorded)
    }
}

extension Input {
    func changed(by change: ExchangeChange) -> Input {
        let payload = methodAndPayload.payload.map { payload in
            Payload(
                .data(change.payload(recordedPayload)),
                mediaType: payload.mediaType.map { MediaType(rawValue: change.word($0.rawValue)) }
            )
        }
        return Input(
            url: url.changed(by: change),
            headers: headers.changed(by: change),
            methodAndPayload: HTTPMethodAndPayload(method: change.word(methodAndPayload.method), payload: payload)
        )
    }
}

extension Response {
    fileprivate func changed(by change: ExchangeChange) -> Response {
        Response(
            statusCode: statusCode,
            headers: headers.changed(by: change),
            payload: change.payload(recordedPayload),
            trailers: trailers.changed(by: change),
            redirections: redirections.map { step in
                Redirection(
                    from: step.from.changed(by: change),
                    statusCode: step.statusCode,
                    to: step.to.changed(by: change)
                )
            }
        )
    }
}

extension URL {
    fileprivate func changed(by change: ExchangeChange) -> URL {
        // What can't be shown without a secret is not shown at all.
        URL(string: change.url(absoluteString.showingPlaceholder).encodingPlaceholder) ?? URL(filePath: "/")
    }
}

extension HTTPHeaders {
    fileprivate func changed(by change: ExchangeChange) -> HTTPHeaders {
        HTTPHeaders(
            fields.map { field in
                let shown = HTTPHeaders.Field(name: field.name, value: field.value.showingPlaceholder)
                return HTTPHeaders.Field(name: change.name(field.name), value: change.field(shown))
            }
        )
    }
}
