import Foundation
import StartSmall
import Synchronization

/// A service that answers the requests of connections with a connector, each connection on its own thread.
struct HTTP1Service: Sendable {
    let connector: Connector

    /// The prefix of a request's path: `http://127.0.0.1:PORT`.
    let origin: String

    /// A latch that opens when the server stops.
    let stopped: Latch

    /// Answers the requests of a connection until either side ends the connection.
    func serve(_ socket: LoopbackSocket) {
        var parser = HTTP1RequestParser()
        while true {
            switch parser.next() {
            case .needsBytes:
                guard let bytes = socket.receive() else { return }
                parser.append(bytes)
            case .head(let request):
                if request.expectsContinue, !socket.send(HTTP1ResponseWriter.resume) { return }
            case .request(let request):
                guard respond(to: request, socket) else { return socket.finish() }
            case .refused(let refusal):
                _ = socket.send(HTTP1ResponseWriter.bytes(of: refusal.response, to: "", closing: true))
                return socket.finish()
            }
        }
    }

    /// Answers a request; returns false if the connection ends with the response.
    private func respond(to request: HTTP1Request, _ socket: LoopbackSocket) -> Bool {
        guard let input = request.input(origin: origin) else {
            let refusal = HTTP1Refusal.malformed("the target is not a URL")
            _ = socket.send(HTTP1ResponseWriter.bytes(of: refusal.response, to: request.method, closing: true))
            return false
        }
        guard case .hasResponse(let response)? = output(for: input) else { return false }
        // After an interim status, a client waits for a final response, which never follows.
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

    /// Calls the connector and blocks this thread for the output; cancels the call and returns nil if the server stops.
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
