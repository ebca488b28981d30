import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallDownloads

/// The steps of a download as a value, without requests and files.
struct ResumptionTests {
    private static func response(
        _ status: HTTPStatus = .ok,
        tag: String? = "\"v1\"",
        length: Int? = nil,
        range: String? = nil
    ) -> Output {
        var head = Response(statusCode: status)
        head.headers["ETag"] = tag
        head.headers["Content-Length"] = length.map(String.init)
        head.headers["Content-Range"] = range
        return status.isSuccess ? .open(head, [Data]()) : .hasResponse(head)
    }

    /// A download of 20 bytes that broke after some of them.
    private static func broken(after size: Int = 8, isFile: Bool = true, length: Int? = 20) -> Resumption {
        var resumption = Resumption(response(length: length).discard().response ?? Fixture.ok, isFile: isFile)
        _ = resumption.take(size)
        resumption.keep()
        return resumption
    }

    private static func name(_ step: Resumption.Step) -> String {
        switch step {
        case .fail(let error): error.name
        case .read: "read"
        case .restart: "restart"
        case .requestWhole: "requestWhole"
        case .retry: "retry"
        case .end: "end"
        }
    }

    /// The outputs of a request for the rest of 8 bytes, and the steps of a file and of a stream.
    private static let rest: [(output: Output, file: String, stream: String)] = [
        (response(.partialContent, range: "bytes 8-19/20"), "read", "read"),
        (response(.partialContent, range: "bytes 8-19/*"), "read", "read"),
        (response(.partialContent, range: "bytes 7-19/20"), "requestWhole", "connectionLost"),
        (response(.partialContent, range: "bytes 9-19/20"), "requestWhole", "connectionLost"),
        (response(.partialContent, tag: "\"v2\"", range: "bytes 8-19/20"), "requestWhole", "connectionLost"),
        (response(length: 20), "read", "connectionLost"),
        (response(tag: "\"v2\"", length: 20), "restart", "connectionLost"),
        (response(tag: "\"v2\"", length: 12), "requestWhole", "connectionLost"),
        (response(tag: nil, length: 20), "requestWhole", "connectionLost"),
        (response(.noContent), "requestWhole", "connectionLost"),
        (response(.rangeNotSatisfiable), "requestWhole", "connectionLost"),
        (response(.gone), "retry", "retry"), (.noResponse(Fixture.lost), "retry", "retry"),
    ]

    @Test("each answer to a request for the rest has one step", arguments: rest.indices)
    func stepsAfterRest(_ row: Int) {
        for isFile in [true, false] {
            var resumption = Self.broken(isFile: isFile)
            let step = resumption.step(after: Self.rest[row].output, to: resumption.missing)
            #expect(Self.name(step) == (isFile ? Self.rest[row].file : Self.rest[row].stream), "\(isFile)")
        }
    }

    /// The outputs of a request for the whole, and the steps of a file and of a stream.
    private static let whole: [(output: Output, file: String, stream: String)] = [
        (response(length: 20), "restart", "read"), (response(tag: "\"v2\"", length: 20), "restart", "connectionLost"),
        (response(tag: nil), "restart", "connectionLost"),
        (response(.partialContent, range: "bytes 0-19/20"), "malformedResponse", "malformedResponse"),
        (response(.noContent), "malformedResponse", "malformedResponse"),
        (response(.rangeNotSatisfiable), "retry", "retry"), (.noResponse(Fixture.lost), "retry", "retry"),
    ]

    @Test("each answer to a request for the whole has one step", arguments: whole.indices)
    func stepsAfterWhole(_ row: Int) {
        for isFile in [true, false] {
            var resumption = Self.broken(after: 0, isFile: isFile)
            #expect(resumption.missing == nil)
            let step = resumption.step(after: Self.whole[row].output, to: nil)
            #expect(Self.name(step) == (isFile ? Self.whole[row].file : Self.whole[row].stream), "\(isFile)")
        }
    }

    @Test("if no response has a total, a rest without a total is not accepted")
    func unknownTotal() {
        for (range, step) in [("bytes 3-19/*", "requestWhole"), ("bytes 3-19/20", "read")] {
            var resumption = Self.broken(after: 3, length: nil)
            let rest = Self.response(.partialContent, range: range)
            #expect(Self.name(resumption.step(after: rest, to: resumption.missing)) == step)
        }
    }

    @Test("a break ends a download whose bytes have all arrived, and a response that does not fit is replaced at once")
    func breaks() {
        #expect(Self.broken(after: 20).step(after: Fixture.lost) == .end)
        #expect(Self.broken(after: 19).step(after: Fixture.lost) == .retry)
        #expect(Self.broken(after: 20).step(after: .cancelled) == .retry, "an error that is not transient stays one")
        var compared = Self.broken()
        #expect(compared.step(after: Self.response(length: 20), to: compared.missing) == .read)
        #expect(compared.take(20)?.known == 8)
        #expect(compared.refute().name == "malformedResponse")
        #expect(compared.step(after: Fixture.lost) == .requestWhole && compared.missing == nil)
        #expect(compared.step(after: Self.response(tag: "\"v2\""), to: nil) == .restart)
        #expect(compared.size == 0 && compared.step(after: Fixture.lost) == .retry)
    }

    @Test("the rest is taken to its end and no further, and a whole of the version is compared with what has arrived")
    func chunks() {
        var resumption = Self.broken()
        let rest = Self.response(.partialContent, range: "bytes 8-19/20")
        #expect(resumption.step(after: rest, to: resumption.missing) == .read && resumption.offset == 8)
        #expect(resumption.take(13) == nil)
        #expect(resumption.take(12).map { [$0.known, $0.position] } == [0, 8])
        #expect(resumption.failureAtEnd()?.name == "connectionLost", "taken bytes count once they are kept")
        resumption.keep()
        #expect(resumption.failureAtEnd() == nil)
        var whole = Self.broken()
        #expect(whole.step(after: Self.response(length: 20), to: whole.missing) == .read && whole.offset == 0)
        #expect(whole.take(5).map { [$0.known, $0.position] } == [5, 0])
        #expect(whole.take(5).map { [$0.known, $0.position] } == [3, 5])
        #expect(whole.failureAtEnd()?.name == "malformedResponse")
    }

    @Test("attempts count from the last new byte on, and a new version does not reset them")
    func attempts() {
        var resumption = Self.broken()
        func attempt(at seconds: Int) -> [Int] {
            let time = Duration.seconds(seconds)
            let attempt = resumption.attempt(after: .noResponse(Fixture.lost), at: time, randomBits: 0, now: Date())
            return [attempt.number, Int(attempt.elapsed.components.seconds)]
        }
        #expect([attempt(at: 1), attempt(at: 5)] == [[1, 0], [2, 4]])
        #expect(resumption.step(after: Self.response(tag: "\"v2\""), to: nil) == .restart)
        _ = resumption.take(8)
        resumption.keep()
        #expect(attempt(at: 9) == [3, 8], "no byte more than before")
        _ = resumption.take(1)
        resumption.keep()
        #expect(attempt(at: 20) == [1, 0])
    }
}
