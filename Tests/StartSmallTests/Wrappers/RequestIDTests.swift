import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct RequestIDTests {
    private static let id = UUID(uuidString: "8E03978E-40D5-43DD-BC93-6894A57F9324")!

    @Test("every request has an ID in lower case, for any method", arguments: RecordedCall.methods)
    func attached(_ method: HTTPMethodAndPayload) async {
        let input = Input(url: Fixture.url, methodAndPayload: method)
        let recorded = await RecordedCall(of: input, through: .requestID { Self.id })
        #expect(recorded.request?.headers == ["X-Request-ID": "8e03978e-40d5-43dd-bc93-6894a57f9324"])
    }

    @Test("a request with its own ID is not changed")
    func unchanged() async {
        let input = Input(url: Fixture.url, headers: ["x-request-id": "own"])
        #expect(await RecordedCall(of: input, through: .requestID()).sent == [input])
    }

    @Test("the field can have another name")
    func header() async {
        let recorded = await RecordedCall(through: .requestID(header: "X-Correlation-ID") { Self.id })
        #expect(recorded.request?.headers.fields.map(\.name) == ["X-Correlation-ID"])
    }

    @Test("outside of a retry, all attempts have one ID; inside of it, each has its own")
    func order() async {
        let outside = await RecordedCall(through: .requestID(), .attempts(3)).sent.map { $0.headers["X-Request-ID"] }
        #expect(outside.count == 3 && Set(outside).count == 1)
        let inside = await RecordedCall(through: .attempts(3), .requestID()).sent.map { $0.headers["X-Request-ID"] }
        #expect(Set(inside).count == 3)
    }

    @Test("IDs are random by default, and reach a server")
    func wire() async throws {
        let arrived = try await RecordedCall.onTheWire(through: .requestID())?.headers["X-Request-ID"]
        #expect(arrived.flatMap(UUID.init) != nil)
    }
}
