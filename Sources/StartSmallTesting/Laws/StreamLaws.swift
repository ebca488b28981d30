import Foundation
import StartSmall

extension ConnectorLaw {
    /// Laws on payloads in parts, and on trailers.
    static let ofStreams = [
        ConnectorLaw(.trailers, "fields after the payload are returned as trailers (RFC 9110 6.5)") { trial in
            let bytes =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\nhi\r\n0\r\nX-T: 1\r\n\r\n"
            let response = try await trial.response(to: bytes).response
            return [
                rejectionReason("the payload", response?.payload, Data("hi".utf8)),
                rejectionReason("X-T", response?.trailers["X-T"], "1"),
            ].compactMap(\.self)
        },
        ConnectorLaw(.pace, "a body that nobody reads blocks the server") { trial in
            let tooMuch = Latch()
            let (block, isTooMuch, taken) = (Data(count: 64 * 1024), Recorder<Void>(), Recorder<Int>())
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 67108864\r\n\r\n"),
                .sendRepeatedly(block, times: blocksThatWait), .open(tooMuch),
                .sendRepeatedly(block, times: 1024 - blocksThatWait),
            ]
            let ok: [ServerScriptStep] = [.receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")]
            let others = Array(repeating: ok, count: otherCalls).flatMap(\.self)
            let (output, hasWaited) = try await LoopbackServer.playing({ $0 == 0 ? steps : others }) { server in
                let output = await trial.stream(from: server)
                taken.append(try await output.response?.body?.next()?.count ?? 0)
                let watching = Task {
                    await tooMuch.wait()
                    isTooMuch.append(())
                }
                // Time enough for the engine to read everything, measured by other calls instead of a clock.
                for _ in 0..<otherCalls {
                    _ = await WebAPI.call(with: Input(url: server.url), via: trial.connector)
                }
                let hasWaited = isTooMuch.elements.isEmpty
                watching.cancel()
                while let chunk = try await output.response?.body?.next() { taken.append(chunk.count) }
                return (output, hasWaited)
            }
            return [
                hasWaited
                    ? nil : "the server sent \(blocksThatWait * block.count) bytes that were not read",
                rejectionReason("the status", output.response?.statusCode, .ok),
                rejectionReason("the bytes that were read", taken.elements.reduce(0, +), 1024 * block.count),
            ].compactMap(\.self)
        },
    ]

    /// The number of blocks of 64 KiB each: more than loopback sockets buffer, which is some 10 MiB.
    private static let blocksThatWait = 384

    private static let otherCalls = 2_000
}
