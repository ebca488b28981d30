import Foundation
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

struct HeadersTests {
    private static let input = Input(url: Fixture.url, headers: ["Accept": "text/plain", "X-Tag": "own"])
    private static let common: HTTPHeaders = ["accept": "application/json", "X-Tag": "a", "X-Tag": "b", "X-New": "new"]

    /// The combinations of the two headers above, by policy.
    private static let combined: [(HeaderMergePolicy, [String])] = [
        (.ifAbsent, ["Accept: text/plain", "X-Tag: own", "X-New: new"]),
        (.override, ["accept: application/json", "X-Tag: a", "X-Tag: b", "X-New: new"]),
        (
            .append,
            ["Accept: text/plain", "X-Tag: own", "accept: application/json", "X-Tag: a", "X-Tag: b", "X-New: new"]
        ),
    ]

    @Test("every request gets the common headers, for any method", .parity("B14"), arguments: RecordedCall.methods)
    func common(_ method: HTTPMethodAndPayload) async {
        let input = Input(url: Fixture.url, methodAndPayload: method)
        let recorded = await RecordedCall(of: input, through: .headers(Self.common))
        #expect(recorded.request == Input(url: Fixture.url, headers: Self.common, methodAndPayload: method))
        #expect(recorded.output == .hasResponse(Fixture.ok))
    }

    @Test("the request's own headers win by default", .parity("D7"))
    func ownHeadersWin() async {
        let recorded = await RecordedCall(of: Self.input, through: .headers(Self.common))
        #expect(recorded.request?.headers == ["Accept": "text/plain", "X-Tag": "own", "X-New": "new"])
    }

    @Test("each policy decides between two fields of one name, and keeps all fields of the winner", arguments: combined)
    func rules(_ rule: HeaderMergePolicy, _ expected: [String]) async {
        let fixed = await RecordedCall(of: Self.input, through: .headers(Self.common, rule))
        #expect(fixed.request?.headers.fields.map(\.description) == expected)
        let computed = await RecordedCall(of: Self.input, through: .headers(rule) { _ in Self.common })
        #expect(computed.request?.headers.fields.map(\.description) == expected)
    }

    @Test("empty headers change nothing", arguments: HeaderMergePolicy.allCases)
    func unchanged(_ rule: HeaderMergePolicy) async {
        #expect(await RecordedCall(of: Self.input, through: .headers([:], rule)).sent == [Self.input])
        #expect(await RecordedCall(of: Self.input, through: .headers(rule) { _ in [:] }).sent == [Self.input])
    }

    @Test("of two wrappers with the same field, the outer one wins with ifAbsent, and the inner one with override")
    func order() async {
        func value(_ rule: HeaderMergePolicy) async -> String? {
            await RecordedCall(through: .headers(["A": "outer"], rule), .headers(["A": "inner"], rule))
                .request?.headers["A"]
        }
        #expect(await value(.ifAbsent) == "outer")
        #expect(await value(.override) == "inner")
    }

    @Test("headers are computed for each request, and for each attempt if they are inside of a retry", .parity("B14"))
    func computed() async {
        let count = Recorder<Void>()
        let numbered = Wrapper.headers { input in
            count.append(())
            return ["X-Call": "\(input.methodAndPayload.method) \(count.elements.count)"]
        }
        let inside = await RecordedCall(through: .attempts(2), numbered).sent
        #expect(inside.map { $0.headers["X-Call"] } == ["GET 1", "GET 2"])
        let outside = await RecordedCall(through: numbered, .attempts(2)).sent
        #expect(outside.map { $0.headers["X-Call"] } == ["GET 3", "GET 3"])
    }

    @Test("a thrown connection error is the call's error, and nothing is sent")
    func connectionError() async {
        let recorded = await RecordedCall(through: .headers { _ in throw Fixture.lost })
        #expect(recorded.output == .noResponse(Fixture.lost))
        #expect(recorded.sent.isEmpty)
    }

    @Test("any other thrown error is kept as text, without credentials, and nothing is sent")
    func otherError() async {
        struct Locked: Error { let url = "https://me:hunter2@keys.example" }
        let recorded = await RecordedCall(through: .headers { _ in throw Locked() })
        let error = recorded.output.connectionError
        #expect(error?.name == "malformedHeader")
        #expect(error?.debugInfo.contains("Locked") == true)
        #expect(error?.debugInfo.contains("hunter2") == false)
        #expect(recorded.sent.isEmpty)
    }

    @Test("a call that is cancelled while its headers are computed sends nothing")
    func cancelled() async {
        let recorded = await RecordedCall.cancelled { wait in
            .headers { _ in
                await wait()
                return ["X-Late": "yes"]
            }
        }
        #expect(recorded.output == .noResponse(.cancelled))
        #expect(recorded.sent.isEmpty)
    }

    @Test("a value that would corrupt the message is never sent to a server")
    func injection() async throws {
        #expect(try await RecordedCall.onTheWire(through: .headers(["X-A": "1\r\nX-B: 2"])) == nil)
    }

    @Test("the headers reach a server")
    func wire() async throws {
        let arrived = try await RecordedCall.onTheWire(through: .headers(["X-Tag": "a", "X-Tag": "b"]))
        #expect(arrived?.headers.values(of: "X-Tag") == ["a", "b"])
    }
}
