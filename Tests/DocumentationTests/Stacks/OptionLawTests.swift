import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

/// An option that one caller sets never reaches the output of another caller, whatever wrapper both share.
@Suite(.timeLimit(.minutes(2))) struct OptionLawTests {
    private enum Tenant: RequestOption { typealias Value = String }

    private static let tenants = [nil, "a", "b"]

    private static func input(_ tenant: String?) -> Input {
        WrapperLaws.standardInput.with { $0.options[Tenant.self] = tenant }
    }

    /// A server that tells the tenant which a wrapper made of the option, and whose responses anyone may store.
    private static func server(_ sent: Recorder<Input> = Recorder()) -> Connector {
        .stub(recording: sent) { input in
            for _ in 0..<20 { await Task.yield() }
            return .text(input.headers["X-Tenant"] ?? "none", headers: ["Cache-Control": "max-age=60"])
        }
        .wrapped(
            by: Wrapper { input, next in
                await next(input.with { $0.headers["X-Tenant"] = $0.options[Tenant.self] })
            }
        )
    }

    private static func text(_ output: Output) -> String? {
        output.response.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    /// Cassettes match without options.
    private static let wrappers = KitWrapper.all.filter { !["record", "replay"].contains($0.name) }

    @Test("each caller gets the response for its own option, at the same time and later", arguments: wrappers)
    func apart(kit: KitWrapper) async {
        let sent = Recorder<Input>()
        let app = Self.server(sent).wrapped(by: kit.wrapper)
        for _ in 0..<2 {
            await withTaskGroup(of: (String?, String?).self) { group in
                for tenant in Self.tenants {
                    group.addTask { (tenant, Self.text(await WebAPI.call(with: Self.input(tenant), via: app))) }
                }
                for await (tenant, text) in group where text != nil { #expect(text == tenant ?? "none") }
            }
        }
        let options = Set(sent.elements.map { $0.options[Tenant.self] })
        #expect(options.isEmpty || options == Set(Self.tenants))
    }

    @Test("a dry run shows the options, and a redirect to another origin and a retry keep them")
    func kept() async {
        let sent = Recorder<Input>()
        let answers = [
            Output.status(.found, headers: ["Location": "https://other.example/"]), .status(.serviceUnavailable),
            .status(.ok),
        ]
        let app = Connector.stub(sequence: answers, recording: sent)
            .wrapped(by: .retry(RetryPolicy(backoff: Backoff { $0.number < 3 ? .zero : nil })), .redirect())
        #expect(await app.dryRun(Self.input("a")).request?.options[Tenant.self] == "a")
        #expect("\(await app.dryRun(Self.input("a")))".hasSuffix("options: Tenant"))
        _ = await WebAPI.call(with: Self.input("a"), via: app)
        #expect(sent.elements.map { $0.options[Tenant.self] } == ["a", "a", "a"])
        #expect(sent.elements.map { $0.url.host() }.contains("other.example"))
    }

    @Test("a cassette matches without options, and has neither their names nor their values")
    func cassette() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "calls.cassette")
            _ = await WebAPI.call(
                with: Self.input("hunter2"),
                via: Connector.stub(.text("hi")).wrapped(by: .record(to: file))
            )
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("hunter2") && !text.contains("Tenant"))
            #expect(Self.text(await WebAPI.call(with: Self.input("b"), via: .replay(from: file))) == "hi")
        }
    }

    @Test("a difference between options has their names, and no value")
    func difference() {
        let (one, other) = (Self.input("hunter2"), Self.input("hunter3"))
        #expect(StartSmallTesting.difference(between: one, and: other) == "options: Tenant → other values")
        #expect(StartSmallTesting.difference(between: one, and: one) == nil)
    }
}
