import Foundation
import StartSmall

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
                return [
                    rejectionReason("the status", response?.statusCode, .ok),
                    rejectionReason("the payload of the response", response?.payload, Data()),
                    rejectionReason("the bytes of the body", try await response?.body?.bytes(), whole),
                    whole?.isEmpty == false ? nil : "there is no payload",
                ].compactMap(\.self)
            }
        },
        ConnectorLaw(.bodyEnd, "a body ends once, and nothing follows its end") { trial in
            try await LoopbackServer.serving(.stub(.text("hello"))) { server in
                guard let body = await trial.stream(from: server).response?.body else { return ["there is no body"] }
                let ends = Recorder<ResponseBody.End>()
                body.onEnd { ends.append($0) }
                let bytes = try await body.bytes()
                let after = try await body.next()
                body.discard()
                return [
                    bytes.isEmpty ? "there is no payload" : nil,
                    rejectionReason("the chunk after the end", after, nil),
                    rejectionReason("the chunk after another end", try await body.next(), nil),
                    rejectionReason("the ends", ends.elements, [.complete]),
                ].compactMap(\.self)
            }
        },
    ]

    /// Laws on bodies over real sockets.
    static let ofBodiesOnTheWire = [
        ConnectorLaw(.bodyHead, "a stream is open when its head has arrived, before its payload") { trial in
            let opened = Latch()
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\n"), .wait(opened),
                .send("hi"), .close,
            ]
            return try await LoopbackServer.playing({ _ in steps }) { server in
                let response = await trial.stream(from: server).response
                opened.open()
                return [
                    rejectionReason("A", response?.headers["A"], "b"),
                    rejectionReason("the bytes of the body", try await response?.body?.bytes(), Data("hi".utf8)),
                ].compactMap(\.self)
            }
        },
        ConnectorLaw(.bodyTrailers, "the fields after a stream are known at its end (RFC 9110 6.5)") { trial in
            let bytes =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\nhi\r\n0\r\nX-T: 1\r\n\r\n"
            return try await LoopbackServer.playing({ _ in [.receiveRequest, .send(bytes), .close] }) { server in
                let response = await trial.stream(from: server).response
                let before = [response?.trailers, response?.body?.trailers]
                return [
                    rejectionReason("the bytes of the body", try await response?.body?.bytes(), Data("hi".utf8)),
                    rejectionReason("the trailers before the end", before, [[:], [:]]),
                    rejectionReason("X-T", response?.body?.trailers["X-T"], "1"),
                ].compactMap(\.self)
            }
        },
        ConnectorLaw(.bodyInterrupted, "a body that is interrupted ends at once, and so does its connection") { trial in
            try await trial.closed { body, error in
                let reading = Task { await body.failure() }
                // The reader waits for a second chunk that does not come.
                for _ in 0..<100 { await Task.yield() }
                body.interrupt(with: error)
                return rejectionReason("the error", await reading.value, error)
            }
        },
        ConnectorLaw(.bodyDiscarded, "a body that is discarded ends at once, and so does its connection") { trial in
            try await trial.closed { body, _ in
                body.discard()
                return rejectionReason("the error", await body.failure(), .cancelled)
            }
        },
        ConnectorLaw(.bodyDropped, "a body that is released ends at once, and so does its connection") { trial in
            try await trial.closed { _, _ in nil }
        },
    ]
}

extension ConnectorTrial {
    /// Returns the output of a GET whose payload is a stream.
    func stream(from server: LoopbackServer) async -> Output {
        await WebAPI.call(with: Input(url: server.url, delivery: .stream), via: connector)
    }

    /// Returns the violations of bodies that are ended before and after their first chunk, while the server is silent.
    ///
    /// Each connection must be closed then.
    ///
    /// - Parameter end: ends the body, unless its release is to end it; returns a violation, or nil.
    fileprivate func closed(
        by end: @escaping @Sendable (ResponseBody, ConnectionError) async -> String?
    ) async throws -> [String] {
        let error = ConnectionError.timedOut(.init(domain: "ConnectorLaw", code: 1, text: "interrupted"))
        var violations: [String] = []
        for isBegun in [false, true] {
            let closed = Latch()
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n" + (isBegun ? "hi" : "")),
                .waitForClose, .open(closed),
            ]
            let violation = try await LoopbackServer.playing({ _ in steps }) { server in
                let violation = try await openedAndEnded(server, isBegun, error, end)
                await closed.wait()
                return violation
            }
            if let violation { violations.append(violation) }
        }
        return violations
    }

    /// Opens a body, and keeps it until it is ended.
    private func openedAndEnded(
        _ server: LoopbackServer,
        _ isBegun: Bool,
        _ error: ConnectionError,
        _ end: (ResponseBody, ConnectionError) async -> String?
    ) async throws -> String? {
        guard let body = await stream(from: server).response?.body else { return "there is no body" }
        if isBegun { _ = try await body.next() }
        return await end(body, error)
    }
}

extension ResponseBody {
    /// Returns all bytes to the end.
    func bytes() async throws(ConnectionError) -> Data {
        var bytes = Data()
        while let chunk = try await next() { bytes += chunk }
        return bytes
    }

    /// Returns the error of the next chunk; nil if there is none.
    fileprivate func failure() async -> ConnectionError? {
        do throws(ConnectionError) {
            _ = try await next()
            return nil
        } catch {
            return error
        }
    }
}
