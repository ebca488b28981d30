import Foundation
import StartSmall

/// A change of each text of an exchange; placeholders in URLs and fields are in readable form.
struct ExchangeChange {
    var url: (String) -> String
    var field: (HTTPHeaders.Field) -> String
    var payload: (RecordedPayload) -> Data

    /// The change of a method, of the type of a payload, and of the text of an error.
    var word: (String) -> String

    /// The change of a field's name.
    var name: (String) -> String
}

extension Exchange {
    /// Returns the exchange with each text changed, in the order of the file.
    func changed(by change: ExchangeChange) -> Exchange {
        Exchange(
            input: input.changed(by: change),
            response: response.changed(by: change),
            failure: failure?.changed(by: change),
            recorded: recorded,
            inputDigest: inputDigest,
            responseDigest: responseDigest
        )
    }
}

extension Input {
    func changed(by change: ExchangeChange) -> Input {
        let headers = headers.changed(by: change)
        let mediaType = methodAndPayload.payload?.mediaType.map { MediaType(rawValue: change.word($0.rawValue)) }
        let method = change.word(methodAndPayload.method)
        let payload = methodAndPayload.payload.map { payload in
            let content = payload.content.hasStream ? payload.content : .data(change.payload(recordedPayload))
            return Payload(content, mediaType: mediaType)
        }
        return Input(
            url: url.changed(by: change),
            headers: headers,
            methodAndPayload: HTTPMethodAndPayload(method: method, payload: payload)
        )
    }
}

extension Response {
    func changed(by change: ExchangeChange) -> Response {
        let headers = headers.changed(by: change)
        let payload = change.payload(recordedPayload)
        let redirections = redirections.map { step in
            Redirection(
                from: step.from.changed(by: change),
                statusCode: step.statusCode,
                to: step.to.changed(by: change)
            )
        }
        return Response(
            statusCode: statusCode,
            headers: headers,
            payload: payload,
            trailers: trailers.changed(by: change),
            redirections: redirections
        )
    }
}

extension URL {
    fileprivate func changed(by change: ExchangeChange) -> URL {
        // A URL that can't be represented without a secret is omitted.
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
