import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct IdempotencyKeyTests {
    private static let id = UUID(uuidString: "8E03978E-40D5-43DD-BC93-6894A57F9324")!
    private static let text = "8e03978e-40d5-43dd-bc93-6894a57f9324"
    private static let post = Input(url: Fixture.url, methodAndPayload: .post(payload: nil))

    @Test("POST and PATCH get a key in quotes, and no other method does", arguments: RecordedCall.methods)
    func methods(_ method: HTTPMethodAndPayload) async {
        let input = Input(url: Fixture.url, methodAndPayload: method)
        let sent = await RecordedCall(of: input, through: .idempotencyKey { Self.id }).sent
        let expected: HTTPHeaders = ["Idempotency-Key": "\"\(Self.text)\""]
        #expect(sent.map(\.headers) == [["POST", "PATCH"].contains(method.method) ? expected : [:]])
    }

    @Test("a request with its own key is not changed")
    func unchanged() async {
        let input = Self.post.with(header: "idempotency-key", "own")
        #expect(await RecordedCall(of: input, through: .idempotencyKey()).sent == [input])
    }

    @Test("name, methods and quotes can be changed")
    func others() async {
        let wrapper = Wrapper.idempotencyKey(header: "PayPal-Request-Id", methods: ["GET"], quoted: false) { Self.id }
        #expect(await RecordedCall(through: wrapper).request?.headers == ["PayPal-Request-Id": Self.text])
        #expect(await RecordedCall(of: Self.post, through: wrapper).sent == [Self.post])
    }

    @Test("outside of a retry, all attempts have the same key; inside of it, each has its own")
    func order() async {
        func keys(_ sent: [Input]) -> [String?] { sent.map { $0.headers["Idempotency-Key"] } }
        let outside = keys(await RecordedCall(of: Self.post, through: .idempotencyKey(), .attempts(3)).sent)
        #expect(outside.count == 3 && Set(outside).count == 1)
        let inside = keys(await RecordedCall(of: Self.post, through: .attempts(3), .idempotencyKey()).sent)
        #expect(Set(inside).count == 3)
    }

    @Test("the key is shown in descriptions, since it is no secret, and reaches a server")
    func wire() async throws {
        let arrived = try await RecordedCall.onTheWire(of: Self.post, through: .idempotencyKey { Self.id })
        #expect(arrived?.headers["Idempotency-Key"] == "\"\(Self.text)\"")
        #expect("\(try #require(arrived))".contains(Self.text))
    }
}

extension Input {
    fileprivate func with(header name: String, _ value: String) -> Input {
        var input = self
        input.headers[name] = value
        return input
    }
}
