import Foundation
import StartSmall
import StartSmallTesting
import Testing
import ParityTrait

struct UserAgentTests {
    @Test("every request has a User-Agent", .parity("B14"), arguments: RecordedCall.methods)
    func named(_ method: HTTPMethodAndPayload) async {
        let input = Input(url: Fixture.url, methodAndPayload: method)
        let recorded = await RecordedCall(of: input, through: .userAgent("Acme", version: "1.2", comment: "Linux"))
        #expect(recorded.request?.headers == ["User-Agent": "Acme/1.2 (Linux)"])
    }

    @Test("a request with its own User-Agent is not changed")
    func unchanged() async {
        let input = Input(url: Fixture.url, headers: ["user-agent": "own"])
        #expect(await RecordedCall(of: input, through: .userAgent("Acme")).sent == [input])
    }

    @Test("of two wrappers, the outer one sets the User-Agent")
    func order() async {
        let recorded = await RecordedCall(through: .userAgent("Outer"), .userAgent("Inner"))
        #expect(recorded.request?.headers.values(of: "User-Agent") == ["Outer"])
    }

    @Test("an invalid product is a clear error, and nothing is sent")
    func malformed() async {
        let recorded = await RecordedCall(through: .userAgent("My App"))
        #expect(recorded.output.connectionError?.name == "malformedHeader")
        #expect(recorded.output.connectionError?.debugInfo.contains("\"My App\"") == true)
        #expect(recorded.sent.isEmpty)
    }

    @Test("by default, the app's own name reaches a server, and not the engine's")
    func standard() async throws {
        let arrived = try await RecordedCall.onTheWire(through: .userAgent())
        let expected = UserAgentProduct.userAgent([.thisApp()]).right
        #expect(arrived?.headers.values(of: "User-Agent") == [expected ?? "no product"])
    }
}
