import Foundation
import StartSmall

/// The builder of the request in the arguments; only a payload of `@-` reads standard input.
struct RequestBuilder {
    let read: @Sendable () throws(StreamError) -> Data

    /// Builds the request; the URL is not a template.
    func input(of call: Call) -> Either<ConnectionError, Input> {
        let text = URIEncoding.encodingIllegalCharacters(in: URLArgument.withScheme(call.url))
        guard let url = URL(string: text) else {
            return .left(.malformedURL(debugInfo: "not a URL: \(Redaction.standard.shown(url: call.url))"))
        }
        let payload: Either<ConnectionError, Payload?> = call.payload.map { self.payload($0).map { $0 } } ?? .right(nil)
        return payload.map { payload in
            Input(
                url: url,
                queries: call.queries,
                headers: call.headers,
                methodAndPayload: .init(method: call.sentMethod, payload: payload)
            )
        }
    }

    private func payload(_ argument: PayloadArgument) -> Either<ConnectionError, Payload> {
        switch argument {
        case .content(.text(let text)): return .text(text, mediaType: .json)
        case .content(.file(let path)): return .file(URL(fileURLWithPath: path), mediaType: .json)
        case .content(.standardInput): return standardInput.flatMap { .data($0, mediaType: .json) }
        case .form(let fields):
            let none: Either<ConnectionError, [MultipartForm.Part]> = .right([])
            let parts = fields.reduce(none) { parts, field in
                parts.flatMap { parts in part(field).map { parts + [$0] } }
            }
            return parts.flatMap { .multipart(MultipartForm($0)) }
        }
    }

    private func part(_ field: PayloadArgument.Field) -> Either<ConnectionError, MultipartForm.Part> {
        switch field.source {
        case .text(let text): .right(.text(field.name, text))
        case .file(let path): .right(.file(field.name, URL(fileURLWithPath: path)))
        case .standardInput: standardInput.map { .data(field.name, $0, fileName: "-") }
        }
    }

    private var standardInput: Either<ConnectionError, Data> {
        do throws(StreamError) {
            return .right(try read())
        } catch {
            return .left(.malformedPayload(debugInfo: "standard input: \(error.text)"))
        }
    }
}
