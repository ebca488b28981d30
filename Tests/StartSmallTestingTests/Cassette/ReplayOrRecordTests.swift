import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// A cassette around a connector: what is new is called and recorded.
@Suite struct ReplayOrRecordTests {
    private let file = TestFile()
    private let sent = Recorder<Input>()

    private func connector(now: Date = Sample.noon, days: Int? = nil) -> Connector {
        Connector.stub(.status(.accepted), recording: sent)
            .wrapped(by: .replay(from: file.url, expiringAfterDays: days, now: { now }))
    }

    @Test("without a cassette, everything is called and recorded")
    func nothingThere() async throws {
        #expect(await WebAPI.call(with: Sample.user, via: connector()) == .status(.accepted))
        #expect(sent.elements == [Sample.user])
        #expect(try Cassette(at: file.url).exchanges.map(\.input) == [Sample.user])
    }

    @Test("what is recorded is not called, and what is new comes behind it")
    func new() async throws {
        await Connector.recording([Sample.user], to: file)
        let other = Sample.input("https://a/new")
        let connector = connector()
        #expect(await WebAPI.call(with: Sample.user, via: connector) == .hasResponse(Sample.answer))
        #expect(await WebAPI.call(with: other, via: connector) == .status(.accepted))
        #expect(sent.elements == [other])
        #expect(try Cassette(at: file.url).exchanges.map(\.input) == [Sample.user, other])
    }

    @Test("what is too old is recorded anew, where it stood")
    func expired() async throws {
        await Connector.recording([Sample.user, Sample.input("https://a/")], to: file)
        let now = Sample.noon.addingTimeInterval(31 * 86_400)
        #expect(await WebAPI.call(with: Sample.user, via: connector(now: now, days: 30)) == .status(.accepted))
        let exchanges = try Cassette(at: file.url).exchanges
        #expect(exchanges.map(\.recorded) == [now, Sample.noon])
        #expect(exchanges.map(\.response) == [Response(statusCode: .accepted), Sample.answer])
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
