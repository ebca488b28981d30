import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct ValidateTests {
    private static let refused = Response(statusCode: .ok, headers: ["X-Version": "2"], payload: Data("old".utf8))
    private static let refusedHead = Response(statusCode: .ok, headers: ["X-Version": "2"])
    private static let onlyVersion3 = Wrapper.validate { response in
        response.headers["X-Version"] == "3" ? nil : "not version 3"
    }

    @Test(
        "a refused response is an error that contains it and the reason, for any status, and an accepted one is unchanged",
        .parity("B12"),
        .parity("B3"),
        arguments: [100, 200, 304, 404, 599]
    )
    func refused(_ status: Int) async {
        for (version, reason) in [("2", "not version 3"), ("3", nil)] as [(String, String?)] {
            let response = Response(
                statusCode: .from(code: status),
                headers: ["X-Version": version],
                payload: Data("a".utf8)
            )
            let connector = Connector.stub(.hasResponse(response)).wrapped(by: Self.onlyVersion3)
            let output = await WebAPI.call(with: Fixture.input, via: connector)
            #expect(output == reason.map { .noResponse(.rejected(response, reason: $0)) } ?? .hasResponse(response))
        }
    }

    @Test("a validation is for all endpoints of an API, and comes before their transforms", .parity("B3"))
    func beforeTransform() async {
        let connector = Connector.stub(.hasResponse(Self.refused)).wrapped(by: Self.onlyVersion3)
        let read = Recorder<Void>()
        let endpoint = Endpoint<Never, Void>(.right(Fixture.input)) { _ in
            read.append(())
            return .right(())
        }
        let fetched = await endpoint.fetch(via: connector)
        #expect(fetched.left?.left == .rejected(Self.refused, reason: "not version 3"))
        #expect(read.elements.isEmpty)
    }

    @Test("listeners observe a refused response like any other call without a usable response", .parity("B12"))
    func events() async {
        let log = EventLog()
        let connector = Connector.stub(.hasResponse(Self.refused)).wrapped(
            by: Self.onlyVersion3,
            .listen(to: log.listener)
        )
        _ = await Fixture.endpoint.fetch(via: connector)
        #expect(log.names == ["started", "received", "invalid", "failed", "ended"])
        #expect(log.events[1] == .received(Self.refused))
        #expect(log.events[2] == .invalid(Self.refused, reason: "not version 3"))
    }

    @Test("the redirections before a refused response are kept, outside and inside of `.redirect`")
    func redirections() async {
        let moved = Response(statusCode: .found, headers: ["Location": "/next", "X-Version": "3"])
        for wrappers in [[Self.onlyVersion3, .redirect()], [.redirect(), Self.onlyVersion3]] {
            let stub = Connector.stub(sequence: [.hasResponse(moved), .hasResponse(Self.refused)])
            let output = await WebAPI.call(with: Fixture.input, via: stub.wrapped(by: .all(wrappers)))
            guard case .noResponse(.rejected(let response, _)) = output else {
                Issue.record("\(output)")
                continue
            }
            #expect(response.redirections.map(\.from) == [Fixture.url])
        }
    }

    // Payloads with other deliveries.

    private static let inChunks = Connector { _ in .open(refused, ["o".utf8, "ld".utf8]) }

    @Test("the reader of a stream gets nothing of a refused response, in parts or whole, and the error has all of it")
    func stream() async {
        for connector in [Self.inChunks, .stub(.hasResponse(Self.refused))] {
            let ended = Recorder<Output>()
            let noting = Wrapper { input, next in await next(input).whenEnded { ended.append($0) } }
            let output = await WebAPI.call(
                with: Input(url: Fixture.url, delivery: .stream),
                via: connector.wrapped(by: Self.onlyVersion3, noting)
            )
            #expect(output == .noResponse(.rejected(Self.refused, reason: "not version 3")))
            #expect(ended.elements == [.hasResponse(Self.refusedHead.delivering(Self.refused.payload.count))])
        }
    }

    @Test("the validation of a stream sees the head once, and no body")
    func headOfStream() async throws {
        let seen = Recorder<Response>()
        let validating = Wrapper.validate { response in
            seen.append(response)
            return nil
        }
        let input = Input(url: Fixture.url, delivery: .stream)
        let output = await WebAPI.call(with: input, via: Self.inChunks.wrapped(by: validating))
        #expect(seen.elements == [Self.refusedHead])
        let body = try #require(output.response?.body)
        var payload = Data()
        for try await chunk in body { payload += chunk }
        #expect(payload == Self.refused.payload)
    }

    @Test("no file is written if the response is refused, and an existing one stays")
    func file() async throws {
        for connector in [Self.inChunks, .stub(.hasResponse(Self.refused))] {
            for old in ["before", nil] {
                let download = try await Download(replacing: old, via: connector.wrapped(by: Self.onlyVersion3))
                #expect(download.error?.name == "rejected")
                #expect(download.text == old && download.isAlone)
            }
        }
    }
}
