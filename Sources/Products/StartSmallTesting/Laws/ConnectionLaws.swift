import StartSmallCore
import Foundation

extension ConnectorLaw {
    /// Laws on the bodies of streams, for every connector that answers GET with 200 and a payload, even without a
    /// network.
    ///
    /// The kit makes a body of the whole payload of a stub or a replay.
    public static let ofBodies = [
        ConnectorLaw(.bodyBytes, "a stream has the bytes that a payload in memory has") { trial in
            try await LoopbackServer.serving(.stub(.text("hello"))) { server in
                let whole = await WebAPI.call(with: Input(url: server.url), via: trial.connector).response?.payload
                let response = await trial.stream(from: server).response
                trial.expect("the status", response?.statusCode, .ok)
                trial.expect("the payload of the response", response?.payload, Data())
                trial.expect("the bytes of the body", try await response?.body?.bytes(), whole)
                trial.expect("whether there is a payload", whole?.isEmpty, false)
            }
        },
        ConnectorLaw(.bodyEnd, "a body ends once, and nothing follows its end") { trial in
            try await LoopbackServer.serving(.stub(.text("hello"))) { server in
                let body = await trial.stream(from: server).response?.body
                let ends = Recorder<ResponseBody.End>()
                body?.onEnd { ends.append($0) }
                trial.expect("whether the body is empty", try await body?.bytes().isEmpty, false)
                trial.expect("the chunk after the end", try await body?.next(), nil)
                body?.discard()
                trial.expect("the chunk after another end", try await body?.next(), nil)
                trial.expect("the ends", ends.elements, [.complete])
            }
        },
    ]

    static let ofBodiesOnTheWire = [
        ConnectorLaw(.bodyHead, "a stream is open when its head has arrived, before its payload") { trial in
            let opened = Latch()
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\n"), .wait(opened),
                .send("hi"), .close,
            ]
            try await LoopbackServer.playing({ _ in steps }) { server in
                let response = await trial.stream(from: server).response
                opened.open()
                trial.expect("A", response?.headers["A"], "b")
                trial.expect("the bytes of the body", try await response?.body?.bytes(), Data("hi".utf8))
            }
        },
        ConnectorLaw(.bodyInterrupted, "a body that is interrupted ends at once, and so does its connection") { trial in
            try await trial.expectEnd { body, error in
                let reading = Task { await body.failure() }
                // The reader waits for a second chunk that does not come.
                for _ in 0..<100 { await Task.yield() }
                body.interrupt(with: error)
                trial.expect("the error", await reading.value, error)
            }
        },
        ConnectorLaw(.bodyDiscarded, "a body that is discarded or released ends at once, and so does its connection") {
            trial in
            try await trial.expectEnd { body, _ in
                body.discard()
                trial.expect("the error", await body.failure(), .cancelled)
            }
            try await trial.expectEnd { _, _ in }
        },
        ConnectorLaw(.pace, "a body that nobody reads blocks the server") { trial in
            let (tooMuch, isTooMuch) = (Latch(), Recorder<Void>())
            let block = Data(count: 64 * 1024)
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 67108864\r\n\r\n"),
                .sendRepeatedly(block, times: blocksThatWait), .open(tooMuch),
                .sendRepeatedly(block, times: 1024 - blocksThatWait),
            ]
            let ok: [ServerScriptStep] = [.receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")]
            let others = Array(repeating: ok, count: otherCalls).flatMap(\.self)
            try await LoopbackServer.playing({ $0 == 0 ? steps : others }) { server in
                let body = await trial.stream(from: server).response?.body
                var count = try await body?.next()?.count ?? 0
                let watching = Task {
                    await tooMuch.wait()
                    isTooMuch.append(())
                }
                // Time enough for the engine to read everything, measured by other calls instead of a clock.
                for _ in 0..<otherCalls { _ = await WebAPI.call(with: Input(url: server.url), via: trial.connector) }
                trial.expect("times that too many bytes were sent", isTooMuch.elements.count, 0)
                watching.cancel()
                while let chunk = try await body?.next() { count += chunk.count }
                trial.expect("the bytes that were read", count, 1024 * block.count)
            }
        },
    ]

    /// The number of blocks of 64 KiB each: more than loopback sockets buffer, which is some 10 MiB.
    private static let blocksThatWait = 384

    private static let otherCalls = 2_000
}

extension ConnectorLaw {
    /// Laws on failures: each failure is reported as the right error, and soon.
    static let ofFailures = [
        ConnectorLaw(.malformedURL, "a URL without an HTTP scheme or a host is malformed") { trial in
            for url in ["ftp://127.0.0.1/", "/a", "http:///"].compactMap({ URL(string: $0) }) {
                await trial.expectError("malformedURL", Input(url: url))
            }
        },
        ConnectorLaw(.connectionRefused, "a port without a listener refuses the connection") { trial in
            // Port 1 belongs to a service of 1988; a port that was free a moment ago may be in use by now.
            guard let url = URL(string: "http://127.0.0.1:1/") else { return }
            await trial.expectError("connectionRefused", Input(url: url))
        },
        ConnectorLaw(.hostNotFound, "a reserved host name is not found (RFC 6761 6.4)") { trial in
            guard let url = URL(string: "http://startsmall.invalid/") else { return }
            await trial.expectError("hostNotFound", Input(url: url))
        },
        ConnectorLaw(.endWithoutResponse, "a connection that ends before the head or is reset in it is lost") { trial in
            for end in [[], [.send("HTTP/1.1 200 OK\r\nContent-Le")]] as [[ServerScriptStep]] {
                try await trial.expectLoss(by: end + [.reset])
            }
            try await trial.expectLoss(by: [.close])
        },
        ConnectorLaw(.closedInHead, "a connection that is closed in the head is lost") { trial in
            try await trial.expectLoss(by: [.send("HTTP/1.1 200 OK\r\nContent-Le"), .close])
        },
        ConnectorLaw(.malformedResponse, "bytes that are not HTTP are a malformed response") { trial in
            for bytes in [
                "garbage\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            ] {
                trial.expect(
                    "the error",
                    try await trial.response(to: bytes).connectionError?.name,
                    "malformedResponse"
                )
            }
        },
        ConnectorLaw(.brokenOff, "a truncated payload is a lost connection, whose error contains the arrived bytes") {
            trial in
            let head = "HTTP/1.1 200 OK\r\nA: b\r\n"
            let withLength = head + "Content-Length: 10\r\n\r\nhello"
            let inChunks = head + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
            for bytes in [withLength, inChunks] {
                try await trial.expectLoss(by: [.send(bytes), .close], after: "hello")
            }
            // With a reset, the arrived bytes may be lost too: how many of them the client has read is unknown.
            let output = try await trial.response(to: withLength, then: [.reset])
            trial.expect("the error", output.connectionError?.name, "connectionLost")
        },
        ConnectorLaw(.payloadLimit, "a payload over the limit ends the call") { trial in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
            let bytes = ServerScriptStep.sendRepeatedly(Data(count: 100), times: 10)
            let output = try await trial.response(to: head, then: [bytes, .close]) { $0.payloadLimit = 10 }
            trial.expect("the error", output.connectionError?.name, "payloadTooLarge")
        },
        ConnectorLaw(.callsAtOnce, "concurrent calls each get their own response") { trial in
            try await LoopbackServer.serving(Connector { .text($0.url.path()) }) { server in
                await withTaskGroup { group in
                    for number in 0..<callsAtOnce {
                        let url = server.url.appending(path: "\(number)")
                        group.addTask {
                            let output = await WebAPI.call(with: Input(url: url), via: trial.connector)
                            trial.expect("call \(number)", output.response?.payload, Data("/\(number)".utf8))
                        }
                    }
                }
            }
        },
        ConnectorLaw(.repetitions, "a call sends its request at most three times, for any status and end") { trial in
            let payload = Payload(.data(Data("hi".utf8)), mediaType: nil)
            for method in [HTTPMethodAndPayload.get, .put(payload: payload), .post(payload: payload)] {
                for end in ends {
                    // The call is the second one on its first connection.
                    let (outputs, count) = try await trial.requests(of: [.get, method]) { number in
                        (number == 0 ? [.receiveRequest, .send("HTTP/1.1 200 OK\r\n\(noPayload)\r\n")] : []) + end
                    }
                    trial.expect("the first call", outputs.first?.response?.statusCode, .ok)
                    let place = "\(count) requests of 2 calls, \(method.method) before \(end),"
                    trial.expect("whether \(place) are too many", count > mostRequests + 1, false)
                }
            }
            for status in 100...599 {
                let answer = "HTTP/1.1 \(status) No\r\n\(status < 200 ? "" : noPayload)Connection: close\r\n\r\n"
                // A client that has asked may send its payload or not, and its next request after that.
                let rest = status < 200 ? [ServerScriptStep.close] : [.receiveRequest]
                let steps = Array(
                    repeatElement([.receiveHead, .send(answer)] + rest, count: mostRequests + 1).joined()
                )
                let headers: HTTPHeaders = ["Expect": "100-continue"]
                let count = try await trial.requests(of: [.post(payload: payload)], headers: headers) { _ in steps }
                    .count
                trial.expect("whether \(count) requests after \(status) are too many", count > mostRequests, false)
            }
        },
    ]

    /// The number of calls: enough to share any connection pool, and few enough for a server thread each.
    private static let callsAtOnce = 50

    /// The most requests that one call may send: 3.
    ///
    /// A request may be sent again without `Expect`, after 417 (RFC 9110 10.1.1), or on another connection, after a
    /// used one was closed (RFC 9110 9.2.2): by an engine, and by the library on which the engine builds.
    private static let mostRequests = 3

    private static let noPayload = "Content-Length: 0\r\n"

    /// The ends of a connection: before a request, before its response, and in its head and payload.
    private static let ends: [[ServerScriptStep]] = {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
        return [
            [.close], [.reset], [.receiveRequest, .close], [.receiveRequest, .reset],
            [.receiveRequest, .send(head), .reset], [.receiveRequest, .send(head + "\r\nh"), .close],
            [.receiveRequest, .send(head + "\r\nh"), .reset],
        ]
    }()
}

extension ConnectorLaw {
    /// Laws on cancelled calls: at any stage, the call ends at once, and so does its connection.
    static let ofCancelling = [
        ConnectorLaw(.cancelledWhileConnecting, "a call that is cancelled while it connects ends at once") { trial in
            // The server accepts the connection, and does not answer the TLS handshake.
            try await trial.expectEndOfCancelled("https") { [.open($0)] }
        },
        ConnectorLaw(.cancelledInUpload, "a call that is cancelled while it sends ends at once") { trial in
            // A payload beyond the capacity of any socket.
            let large = Payload(.data(Data(count: 16 * 1024 * 1024)), mediaType: nil)
            try await trial.expectEndOfCancelled("http", .put(payload: large)) { [.receiveHead, .open($0)] }
        },
        ConnectorLaw(.cancelledInResponse, "a call that is cancelled before or in the head or payload ends at once") {
            trial in
            for begun in ["", "HTTP/1.1 200 OK\r\nA:", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"] {
                try await trial.expectEndOfCancelled { [.receiveRequest, .send(begun), .open($0)] }
            }
        },
    ]
}
