import Foundation
package import StartSmall
import StartSmallTesting

/// The requests and the output of one call through wrappers to an engine that answers 200.
package struct RecordedCall {
    /// The requests that reached the engine, in order.
    package let sent: [Input]
    package let output: Output

    /// The first request that reached the engine.
    package var request: Input? { sent.first }

    private init(sent: [Input], output: Output) {
        self.sent = sent
        self.output = output
    }

    package init(of input: Input = Fixture.input, through wrappers: Wrapper...) async {
        let recorder = Recorder<Input>()
        let stub = Connector.stub(.hasResponse(Fixture.ok), recording: recorder)
        output = await WebAPI.call(with: input, via: stub.wrapped(by: .all(wrappers)))
        sent = recorder.elements
    }

    /// Returns a call that is cancelled while its wrapper waits in the closure with which the wrapper is created.
    package static func cancelled(
        through wrapper: (_ wait: @escaping @Sendable () async -> Void) -> Wrapper
    ) async -> RecordedCall {
        let (begun, never, sent) = (Latch(), Latch(), Recorder<Input>())
        let waiting = wrapper {
            begun.open()
            await never.wait()
        }
        let connector = Connector.stub(.hasResponse(Fixture.ok), recording: sent).wrapped(by: waiting)
        let task = Task { await WebAPI.call(with: Fixture.input, via: connector) }
        await begun.wait()
        task.cancel()
        let output = await task.value
        return RecordedCall(sent: sent.elements, output: output)
    }

    /// All methods with an enum case, and a custom one; those that can have a payload have one.
    package static let methods: [HTTPMethodAndPayload] = [
        .get, .head, .connect, .trace, .post(payload: payload), .put(payload: payload), .delete(payload: payload),
        .options(payload: payload), .patch(payload: payload), .custom(method: "QUERY", payload: payload),
    ]

    private static let payload = Payload(.data(Data("{}".utf8)), mediaType: .json)
}

extension Wrapper {
    /// Makes this many calls, one after the other, like a retry.
    package static func attempts(_ count: Int) -> Wrapper {
        Wrapper { input, next in
            for _ in 1..<count { _ = await next(input) }
            return await next(input)
        }
    }
}
