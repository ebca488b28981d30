import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The Swift blocks on the order of wrappers in Sources/StartSmall/StartSmall.docc/Wrappers.md.
struct OrderExamples {
    private let stub = Connector.stub(.text("Design for failure."))
    private let token = "secret"

    @Test("a wrong order is found, with a better one, and the description is the stack")
    func wrong() throws {
        let wrong = Connector.standard(over: stub).wrapped(by: .retry(), .idempotencyKey(), .bearer(token))
        let finding = try #require(wrong.check().first)

        #expect(finding.rule == .idempotencyKeyInsideOfRetry)
        #expect(finding.betterOrder?.prefix(3) == ["idempotencyKey", "retry", "bearer"])

        let guide = Markdown.read("Sources/StartSmall/StartSmall.docc/Wrappers.md")
        let drawn = guide.blocks.first { $0.lines.first == "1. retry(attempts ≤ 3)" }
        #expect(wrong.description == drawn?.lines.joined(separator: "\n"))
    }

    @Test("the connector of an app is checked")
    func app() {
        let app = Connector.standard(over: stub).wrapped(by: .idempotencyKey(), .retry(), .bearer(token))
        #expect(app.check() == [])
    }

    @Test("a custom wrapper that declares its properties is checked")
    func custom() async {
        let server = URL(string: "https://api.example.com")!
        let sent = Recorder<Input>()
        let signing = Wrapper.signed { $0.url.path() }
        #expect(stub.wrapped(by: signing, .baseURL(server)).check().map(\.rule) == [.signatureOutsideOfChange])
        #expect(stub.wrapped(by: .baseURL(server), signing).check() == [])
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
        let declaration = WrapperDeclaration(
            "signed",
            reads: [.method, .url, .queries, .payload],
            changes: [.signature, .header("X-Signature")],
            secrets: [.header("X-Signature")]
        )
        return Wrapper(declaration) { input, next in
            await next(input.with { $0.headers["X-Signature"] = sign(input) })
        }
    }
}
