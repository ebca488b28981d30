import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmall
@testable import StartSmallCore

@Suite(.timeLimit(.minutes(1))) struct StreamingWrapperTests {
    private static let chunks = ["he", "llo"].map { Data($0.utf8) }

    /// The connectors without wrappers: with an open body, with a whole payload, and with another connector inside.
    enum Engine: CaseIterable, Sendable {
        case open, whole, composite

        func connector(_ status: HTTPStatus = .ok, recording sent: Recorder<Input>? = nil) -> Connector {
            let head = Response(statusCode: status)
            switch self {
            case .open:
                return Connector { input in
                    sent?.append(input)
                    return .open(head, chunks)
                }
            case .whole:
                var response = head
                response.payload = Data(chunks.joined())
                return .stub(.hasResponse(response), recording: sent)
            case .composite:
                let inner = Engine.open.connector(status, recording: sent)
                return Connector { input, context in await inner.connect(input, context) }
            }
        }
    }

    /// A wrapper that counts the bytes of payloads as they arrive.
    private func counter(_ counted: Recorder<Int>) -> Wrapper {
        .streaming { input, next in
            await next(input).mapBody { body in
                body.map { bytes in
                    counted.append(bytes.count)
                    return bytes
                }
            }
        }
    }

    @Test("a byte counter is the same for each delivery and status, and gets an open body", arguments: Engine.allCases)
    func counting(engine: Engine) async throws {
        for status in [HTTPStatus.ok, .notFound, .found] {
            for delivery in [Delivery.memory, .stream] {
                let (counted, sent, isOpen) = (Recorder<Int>(), Recorder<Input>(), Recorder<Bool>())
                let noting = Wrapper.streaming { input, next in
                    let output = await next(input)
                    isOpen.append(output.response?.body != nil && output.response?.payload == Data())
                    return output
                }
                let connector = engine.connector(status, recording: sent).wrapped(by: counter(counted), noting)
                let output = await WebAPI.call(with: Input(url: Fixture.url, delivery: delivery), via: connector)
                #expect(try await output.response?.wholePayload() == Data("hello".utf8))
                #expect(counted.elements.reduce(0, +) == 5)
                #expect(isOpen.elements == [true] && sent.elements.map(\.delivery) == [.stream])
            }
        }
    }

    @Test("no streaming wrapper runs for a call that is cancelled")
    func cancelled() async {
        let connector = Engine.open.connector().wrapped(by: .streaming { _, _ in .text("ran") })
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await connector.connect(Fixture.input, CallContext(reportingTo: nil))
        }
        #expect(await call.value == .noResponse(.cancelled))
    }

    @Test("streaming wrappers keep their order, and all others are outside of them")
    func order() async {
        let order = Recorder<String>()
        func streaming(_ name: String) -> Wrapper {
            .streaming { input, next in
                order.append(name)
                return await next(input)
            }
        }
        func whole(_ name: String) -> Wrapper {
            Wrapper { input, next in
                order.append(name)
                return await next(input)
            }
        }
        let connector = Connector.stub(.hasResponse(Fixture.ok))
            .wrapped(by: whole("A"), streaming("b"), whole("C"), streaming("d"))
            .wrapped(by: streaming("e"))
        _ = await WebAPI.call(with: Fixture.input, via: connector)
        #expect(order.elements == ["A", "C", "e", "b", "d"])
    }

    @Test("a response that a streaming wrapper makes has a body for the ones outside of it, and is delivered")
    func answering() async throws {
        let (counted, sent) = (Recorder<Int>(), Recorder<Input>())
        let connector = Connector.stub(.hasResponse(Fixture.ok), recording: sent)
            .wrapped(by: counter(counted), .streaming { _, _ in .text("own") })
        for delivery in [Delivery.memory, .stream] {
            let output = await WebAPI.call(with: Input(url: Fixture.url, delivery: delivery), via: connector)
            #expect(try await output.response?.wholePayload() == Data("own".utf8))
        }
        #expect(counted.elements == [3, 3])
        #expect(sent.elements == [])
    }

    @Test("a broken payload of an error keeps its status and its bytes", arguments: [Delivery.memory, .stream])
    func broken(delivery: Delivery) async {
        let head = Response(statusCode: .serviceUnavailable)
        for wrappers in [[], [counter(Recorder())]] {
            let log = EventLog()
            let connector = Connector { _ in .open(head, Self.chunks, then: Fixture.lost) }
                .wrapped(by: .all([.listen(to: log.listener)] + wrappers))
            let output = await WebAPI.call(with: Input(url: Fixture.url, delivery: delivery), via: connector)
            #expect(output.connectionError?.name == "connectionLost")
            #expect(output.response?.statusCode == .serviceUnavailable)
            #expect(output.response?.payload == Data("hello".utf8))
            #expect(log.names.suffix(3) == ["noResponse", "failed", "ended"])
        }
    }

    @Test("an error of a streaming wrapper keeps no body, which ends", arguments: [Delivery.memory, .stream])
    func refused(delivery: Delivery) async {
        let ends = Recorder<ResponseBody.End>()
        let connector = Connector { _ in
            Output.open(Response(statusCode: .ok), Self.chunks, silent: true).onEnd { ends.append($0) }
        }
        .wrapped(
            by: .streaming { input, next in
                guard case .hasResponse(let response) = await next(input) else { return .noResponse(.cancelled) }
                return .noResponse(.rejected(response, reason: "no"))
            }
        )
        let output = await WebAPI.call(with: Input(url: Fixture.url, delivery: delivery), via: connector)
        #expect(output.response?.content == .data(Data()))
        #expect(ends.elements == [.discarded])
    }
}
