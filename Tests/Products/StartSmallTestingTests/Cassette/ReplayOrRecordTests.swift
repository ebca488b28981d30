import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// A cassette around a connector, which calls and records new requests.
@Suite struct ReplayOrRecordTests {
    private let file = TestFile()
    private let sent = Recorder<Input>()

    private func connector(now: Date = Sample.noon, days: Int? = nil) -> Connector {
        Connector.stub(.status(.accepted), recording: sent)
            .wrapped(by: .replay(from: file.url, expiringAfterDays: days, now: { now }))
    }

    @Test("a recorded request is not sent, and a new one is sent, and recorded after it")
    func new() async throws {
        #expect(await WebAPI.call(with: Sample.user, via: connector()) == .status(.accepted))
        let (connector, other) = (connector(), Sample.input("https://a/new"))
        for input in [Sample.user, other] {
            #expect(await WebAPI.call(with: input, via: connector) == .status(.accepted))
        }
        #expect(sent.elements == [Sample.user, other])
        #expect(try Cassette(at: file.url).exchanges.map(\.input) == sent.elements)
    }

    @Test("the wrapper keeps the laws of wrappers while recording and while replaying")
    func laws() async {
        let recording = WrapperLaws { [file] in .replay(from: file.another()) }
        #expect(await recording.violations() == [])
        await Connector.recording([Sample.user], to: file)
        let replaying = WrapperLaws(atMostCalls: 0, of: Sample.user) { [file] in
            .replay(from: file.url, order: .repeating)
        }
        #expect(await replaying.violations() == [])
    }

    @Test(
        "an expired exchange is recorded again in its own place, however often it is requested",
        arguments: [
            ([Sample.user, Sample.input("https://a/")], .any, 1, [true, false]),
            ([Sample.user, Sample.input("https://a/")], .repeating, 3, [true, false]),
            ([Sample.user, Sample.user], .any, 2, [true, true]),
        ] as [([Input], PlaybackOrder, Int, [Bool])]
    )
    func expired(recorded: [Input], order: PlaybackOrder, count: Int, isNew: [Bool]) async throws {
        await Connector.recording(recorded, to: file)
        let now = Sample.noon.addingTimeInterval(31 * 86_400)
        let connector = Connector.stub(.status(.accepted)).wrapped(
            by: .replay(from: file.url, order: order, expiringAfterDays: 30, now: { now })
        )
        for _ in 0..<count { #expect(await WebAPI.call(with: Sample.user, via: connector) == .status(.accepted)) }
        let exchanges = try Cassette(at: file.url).exchanges
        #expect(exchanges.map(\.recorded) == isNew.map { $0 ? now : Sample.noon })
        #expect(exchanges.map(\.response) == isNew.map { $0 ? Response(statusCode: .accepted) : Sample.answer })
    }

    @Test("an expired exchange keeps its place, although a new secret changes it")
    func expiredWithSecret() async throws {
        let input = Sample.input("https://a/x/hunter2-word")
        await Connector.recording([input, Sample.user], to: file)
        let now = Sample.noon.addingTimeInterval(31 * 86_400)
        let connector = Connector.stub(.json(#"{"token": "hunter2-word"}"#)).wrapped(
            by: .replay(from: file.url, expiringAfterDays: 30, now: { now })
        )
        _ = await WebAPI.call(with: input, via: connector)
        let exchanges = try Cassette(at: file.url).exchanges
        #expect(exchanges.map(\.recorded) == [now, Sample.noon])
        #expect(!file.text.contains("hunter2"))
    }

    @Test("a custom function changes an exchange once, whatever secrets are found later")
    func ownFunction() async throws {
        let scrubbing = CassetteRedaction(also: { $0.replacingOccurrences(of: "api", with: "test-api") })
        let secrets = ["hunter2-one", "hunter2-two"].map { Sample.input("https://api.a/?token=\($0)") }
        let plain = Sample.input("https://api.a/hunter2-two")
        await Connector.recording([plain] + secrets, to: file, scrubbing: scrubbing)
        let urls = try Cassette(at: file.url).exchanges.map { $0.input.url.absoluteString }
        let shown =
            ["https://test-api.a/%5Bredacted%5D"]
            + [2, 1].map { _ in "https://test-api.a/?token=%5Bredacted%5D" }
        #expect(urls == shown)
    }

    @Test("a cassette that can't be read is not overwritten")
    func malformed() async throws {
        try file.write("{")
        let error = await WebAPI.call(with: Sample.user, via: connector()).connectionError
        #expect(error?.name == "engineUnavailable")
        #expect(sent.elements == [])
        #expect(file.text == "{")
    }
}
