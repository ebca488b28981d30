import Foundation
import StartSmall

/// What becomes of each text of an exchange; in URLs and fields, what stands for a secret can be read.
struct ExchangeChange {
    var url: (String) -> String
    var field: (HTTPHeaders.Field) -> String
    var payload: (RecordedPayload) -> Data
}

extension Exchange {
    func changed(by change: ExchangeChange) -> Exchange {
        Exchange(input: input.changed(by: change), response: response.changed(by: change), recorded: recorded)
    }
}

extension Input {
    func changed(by change: ExchangeChange) -> Input {
        let payload = methodAndPayload.payload.map { payload in
            Payload(.data(change.payload(recordedPayload)), mediaType: payload.mediaType)
        }
        return Input(
            url: url.changed(by: change),
            headers: headers.changed(by: change),
            methodAndPayload: HTTPMethodAndPayload(method: methodAndPayload.method, payload: payload)
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
                return HTTPHeaders.Field(name: field.name, value: change.field(shown))
            }
        )
    }
}
