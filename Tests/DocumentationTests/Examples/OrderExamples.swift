import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The Swift blocks on the order of wrappers in Sources/StartSmall/StartSmall.docc/Wrappers.md.
struct OrderExamples {
    private let stub = Connector.stub(.text("Design for failure."))
    private let token = "secret"

    @Test("a wrong order is found, and a right one has no finding")
    func wrong() throws {
        let wrong = Connector.standard(over: stub).wrapped(by: .retry(), .idempotencyKey(), .bearer(token))
        let finding = try #require(wrong.check().first)

        #expect([finding.outer, finding.inner] == ["retry", "idempotencyKey"])

        let app = Connector.standard(over: stub).wrapped(by: .idempotencyKey(), .retry(), .bearer(token))
        #expect(app.check() == [])
    }

    @Test("a custom wrapper is checked by a rule of the app")
    func custom() async {
        let server = URL(string: "https://api.example.com")!
        let sent = Recorder<Input>()
        let signing = Wrapper.signed { $0.url.path() }
        let app = stub.wrapped(by: .baseURL(server), signing)

        let rule = OrderRule(["signed"], outsideOf: ["baseURL"], "it signs the URL, which is changed after that")
        #expect(app.check(by: OrderRule.all + [rule]) == [])

        #expect(stub.wrapped(by: signing, .baseURL(server)).check(by: [rule]).map(\.reason) == [rule.reason])
        #expect(await WrapperLaws { .signed { $0.url.path() } }.violations() == [])
        _ = await WebAPI.call(with: Input(url: server), via: .stub(.status(.ok), recording: sent).wrapped(by: signing))
        #expect(sent.elements.first?.headers["X-Signature"] == "")
    }

    @Test("a dry run is the request that would be sent")
    func dryRun() async {
        let input = Input(url: URL(string: "https://api.example.com/zen")!)
        let app = Connector.standard(over: stub).wrapped(by: .bearer(token))

        let request = await app.dryRun(input).request

        #expect(request?.headers["Authorization"] == "Bearer secret")
    }
}

extension Wrapper {
    static func signed(by sign: @escaping @Sendable (Input) -> String) -> Wrapper {
        Wrapper("signed") { input, next in
            await next(input.with { $0.headers["X-Signature"] = sign(input) })
        }
    }
}
