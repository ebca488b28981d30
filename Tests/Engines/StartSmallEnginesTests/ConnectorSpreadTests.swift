import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmall
@testable import StartSmallCore

@Suite("a connector that is spread over several", .timeLimit(.minutes(1))) struct ConnectorSpreadTests {
    private static func stub(_ text: String) -> Connector {
        .stub(.hasResponse(Response(statusCode: .ok, payload: Data(text.utf8))))
    }

    private func payload(_ connector: Connector) async throws -> String {
        let response = try #require(await WebAPI.call(with: Fixture.input, via: connector).response)
        return String(decoding: response.payload, as: UTF8.self)
    }

    @Test("while one call runs at a time, the first connector gets each of them, in a copy as well")
    func oneAtATime() async throws {
        let connector = Connector.spread(over: ["a", "b", "c"].map(Self.stub))
        let copy = connector.named("copy")
        for number in 0..<6 { #expect(try await payload(number.isMultiple(of: 2) ? connector : copy) == "a") }
    }

    @Test("calls that run at the same time are spread evenly")
    func evenly() async {
        let (begun, haveAllBegun) = (Recorder<String>(), Latch())
        let connector = Connector.spread(
            over: ["a", "b"].map { name in
                Connector { _ in
                    begun.append(name)
                    if begun.elements.count == 100 { haveAllBegun.open() }
                    await haveAllBegun.wait()
                    return .noResponse(Fixture.lost)
                }
            }
        )
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { _ = await WebAPI.call(with: Fixture.input, via: connector) } }
        }
        #expect(begun.elements.count { $0 == "a" } == 50 && begun.elements.count { $0 == "b" } == 50)
    }

    @Test(
        "each call goes to the first connector with the fewest open bodies, in whatever way the others have ended",
        arguments: 0..<20
    )
    func law(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let count = Int.random(in: 1...4, using: &random)
        let connector = Connector.spread(
            over: (0..<count).map { index in
                let head = Response(statusCode: .ok, headers: ["Index": "\(index)"])
                return Connector { _ in .open(head, ["a", "b"].map(\.utf8)) }
            }
        )
        var open: [(index: Int, body: ResponseBody)] = []
        for _ in 0..<100 {
            if !open.isEmpty, Bool.random(using: &random) {
                let body = open.remove(at: Int.random(in: open.indices, using: &random)).body
                if Bool.random(using: &random) { _ = await body.read() }
                switch Int.random(in: 0..<3, using: &random) {
                case 0: while case .success(.some) = await body.read() {}
                case 1: EndFromOutside.allCases.randomElement(using: &random)?.end(body)
                default: break  // The body is dropped.
                }
            } else {
                let counts = (0..<count).map { index in open.count { $0.index == index } }
                let input = Fixture.input.with { $0.delivery = .stream }
                let response = try #require(await WebAPI.call(with: input, via: connector).response)
                let index = try #require(response.headers["Index"].flatMap { Int($0) })
                #expect(index == counts.firstIndex(of: counts.min() ?? 0))
                open.append((index, try #require(response.body)))
            }
        }
    }

    @Test("an abandoned call runs until its connector returns, whose body is dropped", arguments: [true, false])
    func abandoned(hasBody: Bool) async throws {
        let (hasBegun, mayReturn, isOver) = (Latch(), Latch(), Latch())
        let slow = Connector { input in
            if input.delivery == .memory { return .hasResponse(Response(statusCode: .ok, payload: Data("a".utf8))) }
            hasBegun.open()
            // Not in the task of the call, whose cancellation must not end the waiting.
            await Task.detached { await mayReturn.wait() }.value
            return hasBody ? .open(Response(statusCode: .ok), ["a".utf8]) : .noResponse(Fixture.lost)
        }
        let connector = Connector.spread(over: [slow, Self.stub("b")])
        let ending = Wrapper { input, next in await next(input).onEnd { _ in isOver.open() } }
        let call = Task {
            let input = Fixture.input.with { $0.delivery = .stream }
            return await WebAPI.call(with: input, via: connector.wrapped(by: .timeout(.seconds(60)), ending))
        }
        await hasBegun.wait()
        call.cancel()
        #expect(await call.value == .noResponse(.cancelled))
        #expect(try await payload(connector) == "b")
        mayReturn.open()
        await isOver.wait()
        #expect(try await payload(connector) == "a")
    }

    @Test("without a connector, each call ends with an error")
    func none() async {
        let output = await WebAPI.call(with: Fixture.input, via: .spread(over: []))
        #expect(output.connectionError?.name == "engineUnavailable")
    }

    @Test(
        "payloads are decoded, or are not, only if all connectors say the same",
        arguments: [
            ([true, true], true), ([false], false), ([true, false], nil), ([true, nil], nil), ([nil, nil], nil),
            ([], nil),
        ] as [([Bool?], Bool?)]
    )
    func decoding(answers: [Bool?], answer: Bool?) {
        let connectors = answers.map { answer in Self.stub("").decodingPayloads { _ in answer } }
        #expect(Connector.spread(over: connectors).decodesPayload(of: Fixture.input) == answer)
    }
}
