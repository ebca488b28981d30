import Foundation
import StartSmall

extension ConnectorLaw {
    /// The laws of receivers, for every connector that answers GET by 200 and a payload, even one without a network.
    ///
    /// The kit delivers the whole payload of a stub or a replay inside of all wrappers, so that nothing tells it from an
    /// engine that delivers parts.
    public static let ofReceivers = [
        ConnectorLaw(.receiverParts, "a receiver gets the head, then the payload, and the response comes without it") {
            trial in
            let parts = Recorder<Receiver.Part>()
            let output = try await trial.received(by: Receiver { parts.append($0) })
            var (order, payload) = ([Bool](), Data())
            for part in parts.elements {
                switch part {
                case .head(let response):
                    order.append(true)
                    payload += response.payload
                case .chunk(let data):
                    order.append(false)
                    payload += data
                }
            }
            return [
                objection("the status", output.response?.statusCode, .ok),
                objection("the payload beside the parts", output.response?.payload, Data()),
                objection("whether the first two parts are heads", order.prefix(2), [true, false]),
                objection("the heads", order.count { $0 }, 1),
                payload.isEmpty ? "no byte of the payload was delivered" : nil,
            ].compactMap(\.self)
        },
        ConnectorLaw(.receiverTimeLimit, "a time limit ends a call whose receiver does not return") { trial in
            let stuck = StuckReceiver(at: .chunk)
            defer { stuck.release() }
            let output = try await trial.timedOut(with: stuck)
            return [objection("the error", output.connectionError?.name, "timedOut")].compactMap(\.self)
        },
        ConnectorLaw(.receiverLateParts, "after a time limit, a receiver gets no further part") { trial in
            let stuck = StuckReceiver(at: .head)
            defer { stuck.release() }
            let output = try await trial.timedOut(with: stuck)
            stuck.release()
            for _ in 0..<100 { await Task.yield() }
            return [
                objection("the status of the head", stuck.parts.elements.first?.head?.statusCode, .ok),
                objection("the error", output.connectionError?.name, "timedOut"),
                objection("the parts", stuck.parts.elements.count, 1),
            ].compactMap(\.self)
        },
        ConnectorLaw(.receiverCancelled, "a call that is cancelled while its receiver waits ends with cancelled") {
            trial in
            let (reached, opened) = (Gate(), Gate())
            let receiver = Receiver { part in
                if part.head != nil { return }
                reached.open()
                // Returns when the task is cancelled, without an error.
                await opened.wait()
            }
            let call = Task { try await trial.received(by: receiver) }
            await reached.wait()
            call.cancel()
            return [objection("what it came to", try await call.value, .noResponse(.cancelled))].compactMap(\.self)
        },
        ConnectorLaw(.receiverCancellationError, "a receiver that throws CancellationError cancels the call") { trial in
            let receiver = Receiver { part in
                if part.head == nil { throw CancellationError() }
            }
            let output = try await trial.received(by: receiver)
            return [objection("what it came to", output, .noResponse(.cancelled))].compactMap(\.self)
        },
        ConnectorLaw(.receiverError, "a receiver that throws ends the call with unwritableDestination") { trial in
            struct Full: Error {}
            let receiver = Receiver { part in
                if part.head == nil { throw Full() }
            }
            let output = try await trial.received(by: receiver)
            return [objection("the error", output.connectionError?.name, "unwritableDestination")].compactMap(\.self)
        },
    ]
}

/// A receiver that takes one part and does not return, even if its task is cancelled, before it is released.
private struct StuckReceiver: Sendable {
    enum Place {
        case head
        case chunk
    }

    let receiver: Receiver
    let parts: Recorder<Receiver.Part>
    let reached: Gate
    private let released: Gate

    init(at place: Place) {
        let (reached, released, parts) = (Gate(), Gate(), Recorder<Receiver.Part>())
        (self.reached, self.released, self.parts) = (reached, released, parts)
        receiver = Receiver { part in
            parts.append(part)
            guard (part.head != nil) == (place == .head) else { return }
            reached.open()
            // The value of another task is awaited to its end, whatever is cancelled.
            await Task { await released.wait() }.value
        }
    }

    func release() {
        released.open()
    }
}

extension Receiver.Part {
    fileprivate var head: Response? {
        if case .head(let response) = self { response } else { nil }
    }
}

extension ConnectorTrial {
    /// The output of a GET with a limit of a second, which is over when its receiver does not return.
    fileprivate func timedOut(with stuck: StuckReceiver) async throws -> Output {
        let clock = ManualClock()
        let limited = ConnectorTrial(connector: connector.wrapped(by: .timeout(.seconds(1), clock: clock)))
        async let call = limited.received(by: stuck.receiver)
        await stuck.reached.wait()
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        return try await call
    }

    /// The output of a GET whose payload goes to a receiver.
    fileprivate func received(by receiver: Receiver) async throws -> Output {
        try await LoopbackServer.serving(.stub(.text("hello"))) { server in
            let input = Input(url: server.url, destination: .receiver(receiver))
            return await WebAPI.call(with: input, via: connector)
        }
    }
}
