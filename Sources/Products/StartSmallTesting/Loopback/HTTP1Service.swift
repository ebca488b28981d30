import StartSmallCore
import StartSmallSupport
import Foundation
import Synchronization

/// A service that answers the requests of connections with a connector, each connection on its own thread.
struct HTTP1Service: Sendable {
    /// The size of a chunk: 8 KiB, so that a chunked payload of a test has more than one chunk.
    static let chunkBytes = 8 * 1024

    /// The message `100 Continue`, which a client may wait for before it sends the body.
    static let resume = Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    let connector: Connector

    /// The prefix of a request's path: `http://127.0.0.1:PORT`.
    let origin: String
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
                if request.expectsContinue, !socket.send(Self.resume) { return }
            case .request(let request):
                guard respond(to: request, socket) else { return socket.finish() }
            case .refused(let refusal):
                refuse(refusal.reason, socket)
                return socket.finish()
            }
        }
    }

    /// Answers a request; returns false if the connection ends with the response.
    private func respond(to request: HTTP1Request, _ socket: LoopbackSocket) -> Bool {
        guard let input = request.input(origin: origin) else {
            refuse("the target is not a URL", socket)
            return false
        }
        guard case .hasResponse(let response)? = output(for: input) else { return false }
        // After an interim status, a client waits for a final response, which never follows.
        let isInterim = response.statusCode.isInformational
        let isLast = isInterim || request.wantsClose || response.headers.tokens(of: "Connection").contains("close")
        return socket.send(Self.bytes(of: response, to: request.method, closing: isLast && !isInterim)) && !isLast
    }

    private func refuse(_ reason: String, _ socket: LoopbackSocket) {
        let refusal = Response(
            statusCode: .badRequest,
            headers: ["Content-Type": MediaType.text.rawValue],
            payload: Data("\(reason)\n".utf8)
        )
        _ = socket.send(Self.bytes(of: refusal, to: "", closing: true))
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

/// Pure functions that encode a response as an HTTP/1.1 message (RFC 9112).
extension HTTP1Service {
    /// Returns the bytes of the response to a request.
    ///
    /// If a field would break the message, the bytes are those of a response with the status 500.
    static func bytes(of response: Response, to method: String, closing: Bool = false) -> Data {
        if let field = response.headers.fields.first(where: isBroken) {
            let reason = "the connector's response has a malformed field: \(field.name.debugDescription)\n"
            let refusal = Response(statusCode: .internalServerError, payload: Data(reason.utf8))
            return bytes(of: refusal, to: method, closing: closing)
        }
        var headers = response.headers
        if closing { headers["Connection"] = "close" }
        let (status, payload) = (response.statusCode, response.payload)
        // No payload, regardless of the fields (RFC 9112 6.3), which describe the payload that GET would have had.
        let isHeadOnly = method == "HEAD" || status == .notModified
        let isChunked = headers.tokens(of: "Transfer-Encoding").last == "chunked"
        let isEmpty = status.isInformational || status == .noContent
        if isEmpty {
            // RFC 9110 8.6 and RFC 9112 6.1 forbid both fields.
            headers["Content-Length"] = nil
            headers["Transfer-Encoding"] = nil
        } else if isChunked {
            headers["Content-Length"] = nil
        } else if !isHeadOnly {
            headers["Content-Length"] = "\(payload.count)"
        } else if !payload.isEmpty {
            headers.setIfAbsent("Content-Length", to: "\(payload.count)")
        }
        let lines =
            ["HTTP/1.1 \(status.code) \(status.reason ?? "")"] + headers.fields.map { "\($0.name): \($0.value)" }
        let text = lines.joined(separator: "\r\n") + "\r\n\r\n"
        let head = FieldText.bytes(of: text).map { Data($0) } ?? Data(text.utf8)
        if isEmpty || isHeadOnly { return head }
        return head + (isChunked ? chunks(of: payload) : payload)
    }

    private static func chunks(of payload: Data) -> Data {
        var bytes = Data()
        for start in stride(from: payload.startIndex, to: payload.endIndex, by: chunkBytes) {
            let chunk = payload[start..<min(start + chunkBytes, payload.endIndex)]
            bytes += Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8)
        }
        return bytes + Data("0\r\n\r\n".utf8)
    }

    private static func isBroken(_ field: HTTPHeaders.Field) -> Bool {
        !HTTPToken.isToken(field.name) || field.value.utf8.contains { [0x00, 0x0A, 0x0D].contains($0) }
    }
}
