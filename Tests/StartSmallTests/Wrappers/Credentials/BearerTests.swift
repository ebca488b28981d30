import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct BearerTests {
    @Test("every request has the token, for any method", arguments: RecordedCall.methods)
    func attached(_ method: HTTPMethodAndPayload) async {
        let input = Input(url: Fixture.url, methodAndPayload: method)
        for wrapper in [Wrapper.bearer("hunter2"), .bearer { "hunter2" }] {
            let recorded = await RecordedCall(of: input, through: wrapper)
            #expect(recorded.request?.headers == ["Authorization": "Bearer hunter2"])
        }
    }

    @Test("a request with its own credentials is not changed, and the provider is not called")
    func unchanged() async {
        let asked = Recorder<Void>()
        let input = Input(url: Fixture.url, headers: ["authorization": "Bearer own"])
        let asking = Wrapper.bearer {
            asked.append(())
            return "hunter2"
        }
        for wrapper in [Wrapper.bearer("hunter2"), asking] {
            #expect(await RecordedCall(of: input, through: wrapper).sent == [input])
        }
        #expect(asked.elements.isEmpty)
    }

    @Test("with `only`, another origin gets no token, and the provider is not called", arguments: Origins.all)
    func only(_ url: String, _ isHome: Bool) async throws {
        let asked = Recorder<Void>()
        let input = Input(url: try #require(URL(string: url)))
        let asking = Wrapper.bearer(to: .origin(Origins.home)) {
            asked.append(())
            return "hunter2"
        }
        for wrapper in [Wrapper.bearer("hunter2", to: .origin(Origins.home)), asking] {
            let recorded = await RecordedCall(of: input, through: wrapper)
            #expect(recorded.request?.headers.contains("Authorization") == isHome)
        }
        #expect(asked.elements.count == (isHome ? 1 : 0))
    }

    @Test("an `only` that is no origin fails every call, with that reason", arguments: Origins.none, Origins.all)
    func noOrigin(_ home: (url: String, shown: String), _ origin: (url: String, isHome: Bool)) async throws {
        let input = Input(url: try #require(URL(string: origin.url)))
        let only = try #require(URL(string: home.url))
        for wrapper in [Wrapper.bearer("hunter2", to: .origin(only)), .bearer(to: .origin(only)) { "hunter2" }] {
            let recorded = await RecordedCall(of: input, through: wrapper)
            #expect(recorded.output == .noResponse(.missingCredentials(debugInfo: home.shown)))
            #expect(recorded.sent.isEmpty)
        }
    }

    @Test("without a token, or with an empty one, nothing is sent, and the error says so", arguments: [nil, ""])
    func missing(_ token: String?) async {
        let recorded = await RecordedCall(through: .bearer { token })
        #expect(recorded.output == .noResponse(.missingCredentials(debugInfo: "the bearer token is missing or empty")))
        #expect(recorded.sent.isEmpty)
    }

    @Test("a token that can't be sent is an error that does not contain the token")
    func malformed() async {
        for wrapper in [Wrapper.bearer("hunter2\n"), .bearer { "hunter2\n" }] {
            let recorded = await RecordedCall(through: wrapper)
            #expect(recorded.output.connectionError?.name == "missingCredentials")
            #expect(!"\(recorded.output)".contains("hunter2"))
            #expect(recorded.sent.isEmpty)
        }
    }

    @Test("an error of the provider is kept, and a connection error is not changed")
    func thrown() async {
        struct Locked: Error {}
        let lost = await RecordedCall(through: .bearer { throw Fixture.lost })
        #expect(lost.output == .noResponse(Fixture.lost))
        let locked = await RecordedCall(through: .bearer { throw Locked() })
        #expect(
            locked.output == .noResponse(.missingCredentials(debugInfo: "the bearer token can't be loaded: Locked()"))
        )
        #expect(lost.sent.isEmpty && locked.sent.isEmpty)
    }

    @Test("inside of a retry, each attempt has the current token")
    func attempts() async {
        let tokens = Recorder<Void>()
        let wrapper = Wrapper.bearer {
            tokens.append(())
            return "t\(tokens.elements.count)"
        }
        let sent = await RecordedCall(through: .attempts(2), wrapper).sent
        #expect(sent.map { $0.headers["Authorization"] } == ["Bearer t1", "Bearer t2"])
    }

    @Test("a call that is cancelled while its token is fetched sends nothing")
    func cancelled() async {
        let recorded = await RecordedCall.cancelled { wait in
            .bearer {
                await wait()
                return "late"
            }
        }
        #expect(recorded.output == .noResponse(.cancelled))
        #expect(recorded.sent.isEmpty)
    }

    @Test("a redirect to another origin removes the token if it is inside of the wrapper; outside of it, `only` does")
    func redirect() async {
        func tokens(_ wrappers: Wrapper...) async -> [String?] {
            let sent = Recorder<Input>()
            let moved = Response(statusCode: .found, headers: ["Location": "https://evil.example/"])
            let stub = Connector.stub(sequence: [.hasResponse(moved), .hasResponse(Fixture.ok)], recording: sent)
            _ = await WebAPI.call(with: Fixture.input, via: stub.wrapped(by: wrappers))
            return sent.elements.map { $0.headers["Authorization"] }
        }
        #expect(await tokens(.bearer("t"), .redirect()) == ["Bearer t", nil])
        #expect(await tokens(.redirect(), .bearer("t", to: .origin(Fixture.url))) == ["Bearer t", nil])
        #expect(await tokens(.redirect(), .bearer("t")) == ["Bearer t", "Bearer t"])
    }

    @Test("the token reaches a server, and neither description nor event shows it")
    func wire() async throws {
        let log = EventLog()
        let arrived = try await RecordedCall.onTheWire(through: .bearer("hunter2"))
        #expect(arrived?.headers["Authorization"] == "Bearer hunter2")
        let recorded = await RecordedCall(through: .listen(to: log.listener), .bearer("hunter2"))
        #expect(!"\(recorded.sent) \(log.events)".contains("hunter2"))
    }
}
