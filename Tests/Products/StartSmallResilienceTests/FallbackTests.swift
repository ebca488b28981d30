import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallResilience

struct FallbackTests {
    private let log = EventLog()
    private let sent = Recorder<Input>()

    private func call(_ output: Output, _ input: Input = Sample.input, or other: Output = .text("other")) async
        -> Output
    {
        let connector = Connector.stub(output).wrapped(
            by: .listen(to: log.listener),
            .fallback(to: .stub(other, recording: sent))
        )
        return await WebAPI.call(with: input, via: connector)
    }

    private static let date = Sample.date

    @Test("a broken payload does not change the meaning of an error status")
    func brokenPayloads() async {
        for (status, isReplaced) in [(HTTPStatus.serviceUnavailable, true), (.notFound, false)] {
            for error in Sample.brokenPayloads(of: Response(statusCode: status)) {
                #expect(await call(.noResponse(error)) == (isReplaced ? .text("other") : .noResponse(error)))
            }
        }
    }

    @Test(
        "the other connector gets the request after a failure, which listeners observe",
        arguments: [
            (Sample.unavailable, "status 503"), (.noResponse(.circuitOpen(until: date)), "circuitOpen"),
            (.noResponse(.rateLimited(until: date)), "rateLimited"),
            (.noResponse(.tooManyCalls(limit: 1, waiting: 1)), "tooManyCalls"),
        ] as [(Output, String)]
    )
    func fallsBack(_ output: Output, _ reason: String) async {
        #expect(await call(output) == .text("other"))
        #expect(sent.elements == [Sample.input])
        #expect(log.events.contains(.reported(FallingBack.began(after: reason))))
    }

    @Test(
        "any other output is returned",
        arguments: [
            Sample.ok, .status(.notFound), .noResponse(.cancelled), .noResponse(.malformedURL(debugInfo: "")),
            .noResponse(.missingCredentials(debugInfo: "")),
        ] as [Output]
    )
    func passes(_ output: Output) async {
        #expect(await call(output) == output)
        #expect(sent.elements.isEmpty)
    }

    @Test("a request that the service may have carried out goes nowhere else, and one that was not sent does")
    func unsafe() async {
        let post = Sample.input.with {
            $0.methodAndPayload = .post(payload: Payload(.data(Data("order".utf8)), mediaType: .text))
        }
        #expect(await call(Sample.unavailable, post) == Sample.unavailable)
        #expect(await call(.noResponse(.circuitOpen(until: Sample.date)), post) == .text("other"))
        #expect(await call(Sample.unavailable, post.with { $0.headers["Idempotency-Key"] = "\"1\"" }) == .text("other"))
    }

    @Test("if the other connector fails, too, the output is that of the first")
    func bothFail() async {
        let other = Output.noResponse(.circuitOpen(until: Sample.date))
        #expect(await call(Sample.unavailable, or: other) == Sample.unavailable)
        #expect(log.events.contains(.reported(FallingBack.failed("circuitOpen"))))
        #expect(await call(Sample.unavailable, or: .status(.notFound)) == .status(.notFound))
        let rejected = Output.noResponse(.rejected(Response(statusCode: .ok), reason: "not valid"))
        #expect(await call(Sample.unavailable, or: rejected) == Sample.unavailable)
        let post = Sample.input.with { $0.methodAndPayload = .post(payload: nil) }
        for failure: Output in [Sample.unavailable, .noResponse(.missingCredentials(debugInfo: ""))] {
            #expect(await call(other, post, or: failure) == other)
        }
    }

    @Test("a response stands in for a failure, also in a file")
    func response() async throws {
        let response = Response(statusCode: .ok, payload: Data("[]".utf8))
        let connector = Connector.stub(Sample.unavailable).wrapped(by: .fallback(to: response))
        #expect(await WebAPI.call(with: Sample.input, via: connector) == .hasResponse(response))
        let file = FileManager.default.temporaryDirectory.appending(path: "startsmall-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        _ = await WebAPI.call(with: Sample.input.with { $0.delivery = .file(file) }, via: connector)
        #expect(try Data(contentsOf: file) == Data("[]".utf8))
    }
}
