import Foundation
import StartSmall

/// `startsmall get URL` and its like: any request to any server, its payload to standard output.
enum Calling {
    static func run(_ call: Command.Call, _ console: Console, via engine: Connector) async -> ExitCode {
        var wrappers: [Wrapper] = call.options.tracing ? [.listen(to: Trace.listener(console))] : []
        guard let path = call.output else {
            let fetched = await Endpoint.data(input(of: call)).fetch(via: engine.wrapped(by: wrappers))
            return show(fetched, console) { console.write($0) }
        }
        if console.isTerminal && !call.options.tracing { wrappers.append(.listen(to: ProgressLine.listener(console))) }
        let download = Endpoint.download(input(of: call), to: URL(fileURLWithPath: path))
        return show(await download.fetch(via: engine.wrapped(by: wrappers)), console) { _ in }
    }

    private static func show<Value>(
        _ fetched: Fetched<TransformError<Never>, Value>,
        _ console: Console,
        _ write: (Value) -> Void
    ) -> ExitCode {
        switch fetched {
        case .right(let value): write(value)
        case .left(.left(let error)): console.error("no response: \(error)")
        case .left(.right(let error)):
            console.write(error.response.payload)
            console.error("no value: \(error)")
        }
        return ExitCode(fetched)
    }

    /// The request that the arguments describe; the URL is taken as it is, and no template.
    static func input(of call: Command.Call) -> Either<ConnectionError, Input> {
        guard let url = URL(string: call.url) else {
            return .left(.malformedURL(debugInfo: "not a URL: \(Redaction.standard.shown(url: call.url))"))
        }
        return payload(call.data).map { payload in
            Input(url: url, headers: call.headers, methodAndPayload: methodAndPayload(call.method, payload))
        }
    }

    private static func payload(_ data: String?) -> Either<ConnectionError, Payload?> {
        guard let data else { return .right(nil) }
        guard data.hasPrefix("@") else { return .right(Payload(.data(Data(data.utf8)), mediaType: .json)) }
        do {
            let content = try Data(contentsOf: URL(fileURLWithPath: String(data.dropFirst())))
            return .right(Payload(.data(content), mediaType: .json))
        } catch {
            return .left(.malformedPayload(debugInfo: "\(error)"))
        }
    }

    private static func methodAndPayload(_ method: String, _ payload: Payload?) -> HTTPMethodAndPayload {
        switch method {
        case "GET" where payload == nil: .get
        case "HEAD" where payload == nil: .head
        case "POST": .post(payload: payload)
        case "PUT": .put(payload: payload)
        case "PATCH": .patch(payload: payload)
        case "DELETE": .delete(payload: payload)
        case "OPTIONS": .options(payload: payload)
        default: .custom(method: method, payload: payload)
        }
    }
}
