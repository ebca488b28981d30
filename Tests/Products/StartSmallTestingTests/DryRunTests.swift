import Foundation
import StartSmall
import StartSmallAuth
import StartSmallDiagnostics
import StartSmallResilience
import StartSmallTesting
import Synchronization
import TestSupport
import Testing

/// A dry run: the request that a stack would send, without sending it.
struct DryRunTests {
    private let sent = Recorder<Input>()

    private func stub(_ output: Output = .status(.ok)) -> Connector { .stub(output, recording: sent) }

    @Test("the request is the one that a call sends, and nothing is sent")
    func request() async {
        let app = Connector.standard(over: stub()).wrapped(
            by: .timeout(.seconds(600)),
            .retry(),
            .baseURL(Fixture.url),
            .bearer("t"),
            .apiKey("k", in: .query("key")),
            .queryEncoding(.form)
        )
        let input = Input(url: URL(string: "/a")!, headers: ["A": "b"])
        let dry = await app.dryRun(input).request
        #expect(sent.elements == [])
        _ = await WebAPI.call(with: input, via: app)
        #expect([dry] == sent.elements)
        #expect(dry?.headers["Authorization"] == "Bearer t")
    }

    @Test("an engine and a stub without wrappers are not called either")
    func bare() async {
        #expect(await stub().dryRun(Fixture.input) == .request(Fixture.input))
        #expect(await Connector.engine.dryRun(Fixture.input) == .request(Fixture.input))
        #expect(sent.elements == [])
    }

    @Test("the output of a wrapper that sends nothing is the result")
    func output() async {
        let refused = await stub().wrapped(by: .bearer { nil }).dryRun(Fixture.input)
        guard case .output(.noResponse(.missingCredentials)) = refused else {
            Issue.record("\(refused)")
            return
        }
        let late = await stub().wrapped(by: .deadline(.now - .seconds(1))).dryRun(Fixture.input)
        #expect(late.request == nil)
        let own = Wrapper { _, _ in .status(.noContent) }
        #expect(await stub().wrapped(by: .retry(), own).dryRun(Fixture.input) == .output(.status(.noContent)))
        #expect(sent.elements == [])
    }

    @Test("an endpoint is run dry, also one whose request can't be built")
    func endpoints() async {
        #expect(await stub().dryRun(Fixture.endpoint) == .request(Fixture.input))
        let unbuildable = Endpoint.text(.get("https://example.com/{a"))
        #expect(await stub().dryRun(unbuildable).request == nil)
        #expect(await stub().dryRun(unbuildable).output?.response == nil)
        #expect(sent.elements == [])
    }

    @Test("listeners receive no events, and the descriptions have no credentials")
    func silent() async {
        let (log, lines) = (EventLog(), Recorder<String>())
        let app = stub().wrapped(
            by: .listen(to: log.listener),
            .log(.payloads, print: { lines.append($0) }),
            .retry(),
            .bearer("hunter2")
        )
        let dry = await app.dryRun(Fixture.input)
        #expect(log.names == [])
        #expect(lines.elements == [])
        #expect(!"\(dry)".contains("hunter2"))
        #expect("\(dry)".contains("https://api.example.com/things"))
        let failed = await stub().wrapped(by: .bearer { throw Secret() }).dryRun(Fixture.input)
        #expect("\(failed)".hasPrefix("no request, but"))
        #expect(!"\(failed)".contains("hunter2"))
    }

    private struct Secret: Error, CustomStringConvertible {
        var description: String { "token=hunter2hunter2hunter2" }
    }

    @Test("a wrapper that calls the connector inside, or another one, in the context of the call, sends nothing")
    func captured() async {
        let other = stub(.status(.created))
        let stateful = Wrapper(wrapping: { connector in
            connector.wrapped(
                by: Wrapper { input, next in
                    let first = await connector.connect(input.with { $0.headers["A"] = "1" }, next.context)
                    if first.response != nil { return first }
                    _ = await next(input)
                    return await other.connect(input, next.context)
                }
            )
        })
        let dry = await stub().wrapped(by: stateful, .timeout(.seconds(600))).dryRun(Fixture.input)
        #expect(dry.request?.headers["A"] == "1")
        #expect(sent.elements == [])
    }

    @Test("a request after the end of the dry run is not sent, nor one from a task that it left behind")
    func late() async {
        let (release, ended) = (Latch(), Latch())
        let leaving = Wrapper { input, next in
            Task {
                await release.wait()
                _ = await next(input)
                ended.open()
            }
            return await next(input)
        }
        #expect(await stub().wrapped(by: leaving).dryRun(Fixture.input).request != nil)
        release.open()
        await ended.wait()
        #expect(sent.elements == [])
    }

    @Test("an expired token is sent as it is, and not refreshed")
    func token() async {
        let refreshed = Recorder<AccessToken?>()
        let store = TokenStore(load: { AccessToken("old", expires: .distantPast) }, save: { refreshed.append($0) })
        let app = stub().wrapped(
            by: .refreshToken(in: store) { token, connector in
                refreshed.append(token)
                _ = await WebAPI.call(with: Fixture.input, via: connector)
                return Fetched<TransformError<Never>, AccessToken>.right(AccessToken("new"))
            }
        )
        #expect(await app.dryRun(Fixture.input).request?.headers["Authorization"] == "Bearer old")
        #expect(refreshed.elements.isEmpty)
        #expect(sent.elements == [])
        _ = await WebAPI.call(with: Fixture.input, via: app)
        #expect(sent.elements.last?.headers["Authorization"] == "Bearer new")
    }

    @Test("a dry run waits for no permit, and takes none")
    func permits() async {
        let (begun, release) = (Latch(), Latch())
        let app = Connector.silent(begun: begun, until: release).wrapped(by: .limitConcurrency(1, waiting: 0))
        async let running = WebAPI.call(with: Fixture.input, via: app)
        await begun.wait()
        #expect(await app.dryRun(Fixture.input) == .request(Fixture.input))
        release.open()
        _ = await running
    }

    @Test("a dry run joins no call in flight, and no call joins a dry run")
    func sharing() async {
        let (begun, release) = (Latch(), Latch())
        let app = Connector.silent(begun: begun, until: release).wrapped(by: .shareInFlight())
        async let running = WebAPI.call(with: Fixture.input, via: app)
        await begun.wait()
        #expect(await app.dryRun(Fixture.input) == .request(Fixture.input))
        release.open()
        _ = await running
        // The dry run waits while the call begins.
        let (inside, going) = (Latch(), Latch())
        let isDry = Mutex(true)
        let waiting = Wrapper { input, next in
            if isDry.withLock({ isDry in
                defer { isDry = false }
                return isDry
            }) {
                inside.open()
                await going.wait()
            }
            return await next(input)
        }
        let other = stub().wrapped(by: .shareInFlight(), waiting)
        async let dry = other.dryRun(Fixture.input)
        await inside.wait()
        #expect(await WebAPI.call(with: Fixture.input, via: other) == .status(.ok))
        going.open()
        #expect(await dry == .request(Fixture.input))
    }

    @Test("a wrapper sees whether its call is a dry run")
    func isDryRun() async {
        let seen = Recorder<Bool>()
        let seeing = Wrapper { input, next in
            seen.append(next.context.isDryRun)
            return await next(input)
        }
        let app = stub().wrapped(by: .timeout(.seconds(600)), .listen(to: EventLog().listener), seeing)
        _ = await app.dryRun(Fixture.input)
        _ = await WebAPI.call(with: Fixture.input, via: app)
        #expect(seen.elements == [true, false])
    }
}
