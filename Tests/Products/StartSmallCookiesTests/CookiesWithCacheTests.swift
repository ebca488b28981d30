import Foundation
import StartSmall
import StartSmallSupport
import StartSmallCookies
import StartSmallTesting
import Testing

@testable import StartSmallCaching

/// Jars of several users over one cache: a session belongs to the jar whose request got it from the server.
@Suite(.timeLimit(.minutes(2))) struct CookiesWithCacheTests {
    private static let input = Input(url: CookieFixture.url("https://h.test/"))

    private let store = CacheStore.memory()
    private let time = TestTime()
    private let alice = CookieFixture.jar()
    private let bob = CookieFixture.jar()

    /// A response with a session, which a cache may store (RFC 9111 7.3: `Set-Cookie` does not inhibit it).
    private static func session(_ value: String, _ headers: HTTPHeaders = ["Cache-Control": "max-age=60"]) -> Output {
        var headers = headers
        headers.append("Set-Cookie", "session=\(value)")
        return .text("page", headers: headers)
    }

    private func connector(_ jar: CookieJar, _ server: Connector) -> Connector {
        server.wrapped(by: .cookies(in: jar), .cache(in: store, now: time.now))
    }

    private func call(_ jar: CookieJar, _ server: Connector, _ input: Input = input) async -> Output {
        await WebAPI.call(with: input, via: connector(jar, server))
    }

    @Test("of two calls that share a request, only the one that sent it receives the cookies")
    func collapsed() async {
        let (begun, answered) = (Latch(), Latch())
        let sent = Recorder<Input>()
        let server = Connector.stub(recording: sent) { _ in
            begun.open()
            await answered.wait()
            return Self.session("a")
        }
        async let first = call(alice, server)
        await begun.wait()
        async let second = call(bob, server)
        while store.coordinator.waitingCount < 1, !Task.isCancelled { await Task.yield() }
        answered.open()
        let outputs = await [first, second]
        #expect(outputs.allSatisfy { $0.response?.payload == Data("page".utf8) } && sent.elements.count == 1)
        #expect(alice.header() == "session=a")
        #expect(bob.cookies.isEmpty)
    }

    @Test("a stored response gives nobody its cookies, fresh, stale, too large or in place of an error")
    func stored() async {
        let isDown = Locked(false)
        let fields: HTTPHeaders = ["Cache-Control": "max-age=60, stale-while-revalidate=10, stale-if-error=600"]
        let server = Connector.stub { _ in
            isDown.withLock { $0 } ? .text("down", status: .serviceUnavailable) : Self.session("a", fields)
        }
        _ = await call(alice, server)
        alice.removeAll()
        isDown.withLock { $0 = true }

        for (age, input, detail) in [
            (0.0, Self.input, "fresh"), (0, Self.input.with { $0.payloadLimit = 1 }, "too large"),
            (65, Self.input, "stale"), (300, Self.input, "in place of an error"),
        ] {
            time.advance(by: age)
            for jar in [alice, bob] {
                let output = await call(jar, server, input)
                let response = output.response ?? output.connectionError?.response
                #expect(response?.statusCode == .ok, "\(detail)")
                #expect(jar.cookies.isEmpty, "\(detail)")
            }
        }
    }

    @Test("the cookies of a 304 are received by the jar whose request it answers, and the stored ones are not")
    func validated() async {
        let isFirst = Locked(true)
        let server = Connector.stub { _ in
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isFirst { return Self.session("a", ["Cache-Control": "max-age=60", "ETag": "\"1\""]) }
            let headers: HTTPHeaders = ["ETag": "\"1\"", "Set-Cookie": "theme=dark"]
            return .hasResponse(Response(statusCode: .notModified, headers: headers))
        }
        _ = await call(alice, server)
        time.advance(by: 90)
        #expect(await call(bob, server).response?.payload == Data("page".utf8))
        #expect(alice.header() == "session=a")
        #expect(bob.header() == "theme=dark")
    }
}
