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
        let built = call.payload.map { payload($0, isURLEncoded: call.isURLEncoded).map(Optional.some) }
        return (built ?? .right(nil)).map { payload in
            var payload = payload
            if call.omittedHeaders.contains("content-type") { payload?.mediaType = nil }
            return Input(
                url: url,
                queries: call.queries,
                headers: call.headers,
                methodAndPayload: .init(method: call.sentMethod, payload: payload)
            )
        }
    }

    private func payload(_ argument: PayloadArgument, isURLEncoded: Bool) -> Either<ConnectionError, Payload> {
        let mediaType = isURLEncoded ? MediaType.form : .json
        do throws(UsageError) {
            switch argument {
            case .content(.file(let path)): return .file(URL(fileURLWithPath: path), mediaType: mediaType)
            case .content(let source): return .data(try bytes(source), mediaType: mediaType)
            case .items(let items) where isURLEncoded:
                var form: [URLQueryItem] = []
                for case let (name, source, _)? in items.map(\.member) {
                    form.append(URLQueryItem(name: name, value: try text(source)))
                }
                return .form(form)
            case .items(let items): return .text(try RequestItem.object(items, read: text), mediaType: .json)
            case .form(let fields):
                var parts: [MultipartForm.Part] = []
                for field in fields { parts.append(try part(field)) }
                return .multipart(MultipartForm(parts))
            }
        } catch {
            return .left(.malformedPayload(debugInfo: error.reason))
        }
    }

    private func part(_ field: PayloadArgument.Field) throws(UsageError) -> MultipartForm.Part {
        switch field.source {
        case .text(let text): .text(field.name, text)
        case .file(let path): .file(field.name, URL(fileURLWithPath: path))
        case .standardInput, .data: .data(field.name, try bytes(field.source), fileName: "-")
        }
    }

    /// Returns the bytes of a source, which are read now; an error names the file.
    private func bytes(_ source: PayloadArgument.Source) throws(UsageError) -> Data {
        do throws(StreamError) {
            switch source {
            case .text(let text): return Data(text.utf8)
            case .data(let data): return data
            case .file(let path): return try StandardStream.read(file: path)
            case .standardInput: return try read()
            }
        } catch {
            throw UsageError(reason: "\(source.name): \(error.text)")
        }
    }

    private func text(_ source: PayloadArgument.Source) throws(UsageError) -> String {
        let bytes = try bytes(source)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw UsageError(reason: "\(source.name): not UTF-8; -d and -F send any bytes")
        }
        return text
    }
}

extension PayloadArgument.Source {
    /// The name of the source in errors.
    fileprivate var name: String {
        if case .file(let path) = self { path } else { "standard input" }
    }
}
