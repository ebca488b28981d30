import Foundation
import StartSmall

extension ConnectorLaw {
    /// Laws on cancelled calls: at any stage, the call ends at once, and so does its connection.
    static let ofCancelling = [
        ConnectorLaw(.cancelledBeforeStart, "a call that is cancelled before it starts sends nothing") { trial in
            let (accepted, inside) = (Recorder<Int>(), Recorder<Output>())
            try await LoopbackServer.playing({
                accepted.append($0)
                return [.waitForClose]
            }) { server in
                // The call is cancelled from inside: a call cancelled earlier would not even reach the engine.
                let cancelling = Wrapper { input, next in
                    withUnsafeCurrentTask { $0?.cancel() }
                    let output = await next(input)
                    inside.append(output)
                    return output
                }
                let connector = trial.connector.wrapped(by: cancelling)
                await Task { _ = await WebAPI.call(with: Input(url: server.url), via: connector) }.value
            }
            return [
                rejectionReason("the output", inside.elements, [.noResponse(.cancelled)]),
                rejectionReason("connections", accepted.elements.count, 0),
            ].compactMap(\.self)
        },
        ConnectorLaw(.cancelledWhileConnecting, "a call that is cancelled while it connects ends at once") { trial in
            // The server accepts the connection, and does not answer the TLS handshake.
            try await trial.cancelled("https") { [.open($0)] }
        },
        ConnectorLaw(.cancelledInUpload, "a call that is cancelled while it sends ends at once") { trial in
            try await trial.cancelled("http", .put(payload: large)) { [.receiveHead, .open($0)] }
        },
        ConnectorLaw(.cancelledBeforeHead, "a call that is cancelled while it waits for the head ends at once") {
            trial in
            try await trial.cancelled { [.receiveRequest, .open($0)] }
        },
        ConnectorLaw(.cancelledInHead, "a call that is cancelled in the head ends at once") { trial in
            try await trial.cancelled { [.receiveRequest, .send("HTTP/1.1 200 OK\r\nA:"), .open($0)] }
        },
        ConnectorLaw(.cancelledInPayload, "a call that is cancelled in the payload ends at once") { trial in
            let begun = ServerScriptStep.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
            return try await trial.cancelled { [.receiveRequest, begun, .open($0)] }
        },
    ]

    /// A payload beyond the capacity of any socket.
    private static let large = Payload(.data(Data(count: 16 * 1024 * 1024)), mediaType: nil)
}
