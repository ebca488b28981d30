import Foundation
import StartSmall

extension ConnectorLaw {
    /// Laws on payloads in parts, and on trailers.
    static let ofStreams = [
        ConnectorLaw(.trailers, "fields after the payload are returned as trailers (RFC 9110 6.5)") { trial in
            let bytes =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n2\r\nhi\r\n0\r\nX-T: 1\r\n\r\n"
            let parts = Recorder<PayloadConsumer.Part>()
            let consumer = PayloadConsumer { parts.append($0) }
            let inMemory = try await trial.response(to: bytes).response
            let inParts = try await trial.response(to: bytes) { $0.destination = .consumer(consumer) }.response
            var (heads, chunks) = ([HTTPHeaders](), Data())
            for part in parts.elements {
                switch part {
                case .head(let response): heads.append(response.trailers)
                case .chunk(let data): chunks += data
                }
            }
            return [
                rejectionReason("the payload", inMemory?.payload, Data("hi".utf8)),
                rejectionReason("X-T", inMemory?.trailers["X-T"], "1"),
                rejectionReason("the payload to a consumer", chunks, Data("hi".utf8)),
                rejectionReason("the trailers of the head", heads, [[:]]),
                rejectionReason("X-T of a response with a consumer", inParts?.trailers["X-T"], "1"),
            ].compactMap(\.self)
        },
        ConnectorLaw(.pace, "a blocked consumer blocks the server") { trial in
            let (tooMuch, held, resume) = (Latch(), Latch(), Latch())
            let (block, isTooMuch, taken) = (Data(count: 64 * 1024), Recorder<Void>(), Recorder<Int>())
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 67108864\r\n\r\n"),
                .sendRepeatedly(block, times: blocksThatWait), .open(tooMuch),
                .sendRepeatedly(block, times: 1024 - blocksThatWait),
            ]
            let ok: [ServerScriptStep] = [.receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")]
            let others = Array(repeating: ok, count: otherCalls).flatMap(\.self)
            let consumer = PayloadConsumer { part in
                guard case .chunk(let data) = part else { return }
                taken.append(data.count)
                held.open()
                await resume.wait()
            }
            let (output, hasWaited) = try await LoopbackServer.playing({ $0 == 0 ? steps : others }) { server in
                let input = Input(url: server.url, destination: .consumer(consumer))
                let call = Task { await WebAPI.call(with: input, via: trial.connector) }
                await held.wait()
                let watching = Task {
                    await tooMuch.wait()
                    isTooMuch.append(())
                }
                // Time enough for the engine to read everything, measured by other calls instead of a clock.
                for _ in 0..<otherCalls {
                    _ = await WebAPI.call(with: Input(url: server.url), via: trial.connector)
                }
                let hasWaited = isTooMuch.elements.isEmpty
                resume.open()
                watching.cancel()
                return (await call.value, hasWaited)
            }
            return [
                hasWaited
                    ? nil : "the server sent \(blocksThatWait * block.count) bytes that the consumer had not taken",
                rejectionReason("the status", output.response?.statusCode, .ok),
                rejectionReason("the bytes that were taken", taken.elements.reduce(0, +), 1024 * block.count),
            ].compactMap(\.self)
        },
    ]

    /// The number of blocks of 64 KiB each: more than loopback sockets buffer, which is some 10 MiB.
    private static let blocksThatWait = 384

    private static let otherCalls = 2_000
}
