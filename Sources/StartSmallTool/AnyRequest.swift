import Foundation
import StartSmall

/// `start-small get URL` and its like: any request to any server, its payload to standard output.
enum AnyRequest {
    static func run(_ call: Command.Call, _ console: Console, via engine: Connector) async -> ExitCode {
        let connector = engine.wrapped(by: listeners(for: call, console).map(Wrapper.listen))
        let refused: (TransformError<Never>) -> Void = { console.write($0.response.payload) }
        guard let path = call.output else {
            let data = await Endpoint.data(input(of: call)).fetch(via: connector)
            return console.show(data, refused: refused) { console.write($0) }
        }
        let file = await Endpoint.download(input(of: call), to: URL(fileURLWithPath: path)).fetch(via: connector)
        return console.show(file, refused: refused) { _ in }
    }

    /// What a person is told while the call goes on; whoever reads a pipe is told nothing but what was asked for.
    private static func listeners(for call: Command.Call, _ console: Console) -> [Listener] {
        if call.options.tracing { return [Trace.listener(console)] }
        guard console.isTerminal(.error) else { return [] }
        let head = ResponseHead.listener(console)
        if call.output != nil { return [ProgressLine.listener(console) + head] }
        return console.isTerminal(.output) ? [head] : []
    }

    /// The request that the arguments describe; the URL is taken as it is, and no template.
    static func input(of call: Command.Call) -> Either<ConnectionError, Input> {
        guard let url = URL(string: RFC3986.encodingIllegalCharacters(in: call.url)) else {
            return .left(.malformedURL(debugInfo: "not a URL: \(Redaction.standard.shown(url: call.url))"))
        }
        guard let data = call.data else { return .right(input(of: call, url, nil)) }
        return payload(data).map { input(of: call, url, $0) }
    }

    private static func input(of call: Command.Call, _ url: URL, _ payload: Payload?) -> Input {
        Input(url: url, headers: call.headers, methodAndPayload: .init(method: call.method, payload: payload))
    }

    private static func payload(_ data: String) -> Either<ConnectionError, Payload> {
        data.hasPrefix("@")
            ? .file(URL(fileURLWithPath: String(data.dropFirst())), mediaType: .json)
            : .text(data, mediaType: .json)
    }
}
