import Foundation
import StartSmall
import Synchronization

/// Serves a connector to one connection after another, each on a thread of its own.
struct HTTP1Service: Sendable {
    let connector: Connector

    /// What stands before the path of a request: `http://127.0.0.1:PORT`.
    let origin: String

    /// Opens when the server stops.
    let stopped: Latch

    /// Answers the requests of a connection until either side ends it.
    func serve(_ socket: LoopbackSocket) {
        var parser = HTTP1RequestParser()
        while true {
            switch parser.next() {
            case .needsBytes:
                guard let bytes = socket.receive() else { return }
                parser.append(bytes)
            case .head(let request):
                if request.expectsContinue, !socket.send(HTTP1ResponseWriter.goOn) { return }
            case .request(let request):
                guard answer(request, socket) else { return socket.finish() }
            case .refused(let refusal):
                _ = socket.send(HTTP1ResponseWriter.bytes(of: refusal.response, to: "", closing: true))
                return socket.finish()
            }
        }
    }

    /// Answers a request; false if the connection ends with that.
    private func answer(_ request: HTTP1Request, _ socket: LoopbackSocket) -> Bool {
        guard let input = request.input(origin: origin) else {
            let refusal = HTTP1Refusal.malformed("the target is not a URL")
            _ = socket.send(HTTP1ResponseWriter.bytes(of: refusal.response, to: request.method, closing: true))
            return false
        }
        guard case .hasResponse(let response)? = output(for: input) else { return false }
        // After an interim status a client waits for the answer, which is never to come.
        let isLast =
            request.wantsClose || response.headers.tokens(of: "Connection").contains("close")
            || response.statusCode.isInformational
        let bytes = HTTP1ResponseWriter.bytes(
            of: response,
            to: request.method,
            chunked: request.minorVersion >= 1,
            closing: isLast && !response.statusCode.isInformational
        )
        return socket.send(bytes) && !isLast
    }

    /// Calls the connector and blocks this thread until it is done; nil, and the call is cancelled, if the server stops.
    private func output(for input: Input) -> Output? {
        let output = Mutex<Output?>(nil)
        let isDone = Latch()
        let call = WebAPI.call(with: input, via: connector) { result in
            output.withLock { $0 = result }
            isDone.open()
        }
        Latch.block(untilOneOpens: isDone, stopped)
        call.cancel()
        return output.withLock { $0 }
    }
}
