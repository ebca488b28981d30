import Foundation
import StartSmall
import StartSmallAuth
import StartSmallSupport
@testable import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

/// Wrappers that send a request more than once do so with a replayable stream, and not with any other.
@Suite(.timeLimit(.minutes(1))) struct OncePayloadTests {
    /// A connector that produces each payload, and answers in this order.
    private func connector(_ answers: [Output], recording bodies: Recorder<Data>) -> Connector {
        let answering = Connector.stub(sequence: answers)
        return Connector { input in
            switch ValidatedRequest.from(input) {
            case .left(let error): return .noResponse(error)
            case .right(let wire):
                let body = Recorder<Data>()
                if let stream = wire.stream {
                    do throws(ConnectionError) {
                        try await stream.produce { body.append($0) }
                    } catch {
                        return .noResponse(error)
                    }
                }
                bodies.append(body.elements.reduce(Data(), +))
            }
            return await WebAPI.call(with: input, via: answering)
        }
    }

    private func put(_ replayable: Bool, to url: URL = Fixture.url) -> Input {
        let stream = PayloadStream(replayable: replayable) { try await $0.write(Data("abc".utf8)) }
        return Input(url: url, methodAndPayload: .put(payload: Payload(.stream(stream), mediaType: .text)))
    }

    private static let body = Data("abc".utf8)
    private static let created = Output.status(.created)

    @Test("a payload that can be produced only once is not retried, and the error says so")
    func notRetried() async {
        let bodies = Recorder<Data>()
        let lost = connector([.noResponse(Fixture.lost), Self.created], recording: bodies)
        let output = await WebAPI.call(with: put(false), via: lost.wrapped(by: .retry(random: { 0 })))
        #expect(output.connectionError?.name == "connectionLost")
        #expect(output.connectionError?.cause?.text == "lost; not retried: the payload can be produced only once")
        let unavailable = Output.status(.serviceUnavailable)
        let refusing = connector([unavailable, Self.created], recording: bodies)
        #expect(await WebAPI.call(with: put(false), via: refusing.wrapped(by: .retry(random: { 0 }))) == unavailable)
        #expect(bodies.elements == [Self.body, Self.body])
    }

    @Test("a payload that can be produced only once is retried as long as its production has not begun")
    func unbegun() async {
        let bodies = Recorder<Data>()
        let sending = connector([Self.created], recording: bodies)
        let attempts = Recorder<Int>()
        let refusing = Connector { input in
            attempts.append(1)
            if attempts.elements.count == 1 { return .noResponse(Fixture.lost) }
            return await WebAPI.call(with: input, via: sending)
        }
        let connector = refusing.wrapped(by: .retry(.exponential(baseDelay: .zero), random: { 0 }))
        #expect(await WebAPI.call(with: put(false), via: connector) == Self.created)
        #expect(bodies.elements == [Self.body])
    }

    @Test(
        "a redirect that keeps the method produces the payload anew (RFC 9110 15.4.8, 15.4.9)",
        arguments: [HTTPStatus.temporaryRedirect, .permanentRedirect]
    )
    func redirected(status: HTTPStatus) async {
        let redirect = Output.status(status, headers: ["Location": "/there"])
        let bodies = Recorder<Data>()
        let again = connector([redirect, Self.created], recording: bodies).wrapped(by: .redirect())
        #expect(await WebAPI.call(with: put(true), via: again).response?.statusCode == .created)
        #expect(bodies.elements == [Self.body, Self.body])
        let once = connector([redirect, Self.created], recording: bodies).wrapped(by: .redirect())
        #expect(await WebAPI.call(with: put(false), via: once) == redirect)
        #expect(bodies.elements.count == 3)
    }

    @Test("a rejected token is refreshed for a replayable payload only; any other ends with its 401")
    func refreshed() async {
        for replayable in [true, false] {
            let (bodies, refreshes) = (Recorder<Data>(), Recorder<Int>())
            let stored = Locked<AccessToken?>(AccessToken("old"))
            let store = TokenStore(load: { stored.withLock { $0 } }, save: { token in stored.withLock { $0 = token } })
            let connector = connector([.status(.unauthorized), Self.created], recording: bodies).wrapped(
                by: .refreshToken(in: store) { _, _ -> Fetched<TransformError<Never>, AccessToken> in
                    refreshes.append(1)
                    return .right(AccessToken("new"))
                }
            )
            let output = await WebAPI.call(with: put(replayable), via: connector)
            #expect(output.response?.statusCode == (replayable ? .created : .unauthorized))
            #expect(bodies.elements == (replayable ? [Self.body, Self.body] : [Self.body]))
            #expect(refreshes.elements.count == (replayable ? 1 : 0))
        }
    }
}
