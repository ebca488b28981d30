import Foundation
import StartSmall

extension ConnectorLaw {
    /// Laws on failures: each failure is reported as the right error, and soon.
    static let ofFailures = [
        ConnectorLaw(.malformedURL, "a URL without an HTTP scheme or a host is malformed") { trial in
            var objections: [String?] = []
            for text in ["ftp://127.0.0.1/", "/a", "http:///"] {
                guard let url = URL(string: text) else { continue }
                let output: Output = await WebAPI.call(with: Input(url: url), via: trial.connector)
                objections.append(
                    rejectionReason("the error for \(text)", output.connectionError?.name, "malformedURL")
                )
            }
            return objections.compactMap(\.self)
        },
        ConnectorLaw(.connectionRefused, "a port without a listener refuses the connection") { trial in
            // Port 1 belongs to a service of 1988; a port that was free a moment ago may be in use by now.
            guard let url = URL(string: "http://127.0.0.1:1/") else { return [] }
            let output: Output = await WebAPI.call(with: Input(url: url), via: trial.connector)
            return [rejectionReason("the error", output.connectionError?.name, "connectionRefused")].compactMap(\.self)
        },
        ConnectorLaw(.hostNotFound, "a reserved host name is not found (RFC 6761 6.4)") { trial in
            guard let url = URL(string: "http://startsmall.invalid/") else { return [] }
            let output: Output = await WebAPI.call(with: Input(url: url), via: trial.connector)
            return [rejectionReason("the error", output.connectionError?.name, "hostNotFound")].compactMap(\.self)
        },
        ConnectorLaw(.endWithoutResponse, "a connection that ends before the response is lost") { trial in
            try await trial.lost(by: [.close]) + trial.lost(by: [.reset])
        },
        ConnectorLaw(.closedInHead, "a connection that is closed in the head is lost") { trial in
            try await trial.lost(by: [.send("HTTP/1.1 200 OK\r\nContent-Le"), .close])
        },
        ConnectorLaw(.resetInHead, "a connection that is reset in the head is lost") { trial in
            try await trial.lost(by: [.send("HTTP/1.1 200 OK\r\nContent-Le"), .reset])
        },
        ConnectorLaw(.malformedResponse, "bytes that are not HTTP are a malformed response") { trial in
            var objections: [String?] = []
            for bytes in [
                "garbage\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            ] {
                let output = try await trial.response(to: bytes)
                objections.append(rejectionReason("the error", output.connectionError?.name, "malformedResponse"))
            }
            return objections.compactMap(\.self)
        },
        ConnectorLaw(.brokenOff, "a truncated payload is a lost connection, whose error contains the arrived bytes") {
            trial in
            let (head, hello) = ("HTTP/1.1 200 OK\r\nA: b\r\n", "5\r\nhello\r\n")
            let ofLength = ServerScriptStep.send(head + "Content-Length: 10\r\n\r\nhello")
            let inChunks = ServerScriptStep.send(head + "Transfer-Encoding: chunked\r\n\r\n" + hello)
            return try await trial.lost(by: [ofLength, .close], after: "hello")
                + trial.lost(by: [inChunks, .close], after: "hello")
        },
        ConnectorLaw(.resetInPayload, "a connection that is reset in the payload is lost") { trial in
            // The arrived bytes may be lost too: the number of bytes that the client has read by then is unknown.
            let output = try await trial.response(
                to: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello",
                then: [.reset]
            )
            return [rejectionReason("the error", output.connectionError?.name, "connectionLost")].compactMap(\.self)
        },
        ConnectorLaw(.payloadLimit, "a payload over the limit ends the call") { trial in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
            let bytes = ServerScriptStep.sendRepeatedly(Data(count: 100), times: 10)
            let output = try await trial.response(to: head, then: [bytes, .close]) { $0.payloadLimit = 10 }
            return [rejectionReason("the error", output.connectionError?.name, "payloadTooLarge")].compactMap(\.self)
        },
        ConnectorLaw(.callsAtOnce, "concurrent calls each get their own response") { trial in
            let echo = Connector { .text($0.url.path()) }
            return try await LoopbackServer.serving(echo) { server in
                await withTaskGroup(of: String?.self) { group in
                    for number in 0..<Self.callsAtOnce {
                        let url = server.url.appending(path: "\(number)")
                        group.addTask {
                            let output: Output = await WebAPI.call(with: Input(url: url), via: trial.connector)
                            let text = output.response.map { String(decoding: $0.payload, as: UTF8.self) }
                            return rejectionReason("call \(number)", text, "/\(number)")
                        }
                    }
                    return await group.reduce(into: []) { if let rejectionReason = $1 { $0.append(rejectionReason) } }
                }
            }
        },
    ]

    /// The number of calls: enough to share any connection pool, and few enough for a server thread each.
    private static let callsAtOnce = 50
}
