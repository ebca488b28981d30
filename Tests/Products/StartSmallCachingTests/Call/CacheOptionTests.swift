import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallCaching

@Suite(.timeLimit(.minutes(1))) struct CacheOptionTests {
    private enum Tenant: RequestOption { typealias Value = String }

    private enum Weight: RequestOption {
        typealias Value = Double
        static let changesResponse = false
    }

    private let sent = Recorder<Input>()
    private let time = TestTime()
    private let store = TestStore()

    private static let tenant = Input.get().with { $0.options[Tenant.self] = "a" }
    private static func weighed(_ weight: Double) -> Input { .get().with { $0.options[Weight.self] = weight } }

    private func cached(_ fields: String = "max-age=60") -> Connector {
        .stub(.text("a", headers: ["Cache-Control": fields, "ETag": "\"1\""]), recording: sent)
            .cached(store.store, time)
    }

    @Test("a request with an option that may change the response is neither answered nor stored")
    func passingBy() async {
        let connector = cached()
        for input in [Self.tenant, Self.weighed(.nan)] {
            for _ in 0..<2 { #expect(await connector.output(input).cacheStatus?.detail == "options") }
        }
        #expect(store.keys.isEmpty && sent.elements.count == 4)
        _ = await connector.output()
        #expect(await connector.output(Self.tenant).cacheStatus?.isHit == false && sent.elements.count == 6)
        let only = Self.tenant.with { $0.headers["Cache-Control"] = "only-if-cached" }
        #expect(await connector.output(only).response?.statusCode == .gatewayTimeout && sent.elements.count == 6)
        _ = await connector.output(Self.tenant.with { $0.methodAndPayload = .delete(payload: nil) })
        #expect(store.keys.isEmpty)
    }

    @Test("an option that changes no response hinders neither an answer nor its storage")
    func others() async {
        let connector = cached()
        #expect(await connector.output(Self.weighed(1)).cacheStatus?.isStored == true)
        for input in [Self.weighed(2), .get()] { #expect(await connector.output(input).cacheStatus?.isHit == true) }
        #expect(sent.elements.count == 1)
    }

    @Test("a call waits for a request under way only if all options are equal")
    func underWay() async {
        let (answered, store) = (Latch(), store.store)
        let connector = Connector.stub(recording: sent) { _ in
            await answered.wait()
            return .text("a", headers: ["Cache-Control": "max-age=60"])
        }.cached(store, time)
        let calls = [1, 2, 1].map { weight in Task { await connector.output(Self.weighed(weight)) } }
        await reach { [sent] in sent.elements.count == 2 && store.coordinator.waitingCount == 1 }
        #expect(Set(sent.elements.map { $0.options[Weight.self] }) == [1, 2])
        answered.open()
        for call in calls { #expect(await call.value.text == "a") }
        #expect(sent.elements.count == 2)
    }

    @Test("a validation in the background keeps the options")
    func background() async {
        let connector = cached("max-age=1, stale-while-revalidate=60")
        _ = await connector.output()
        time.pass(2)
        #expect(await connector.output(Self.weighed(3)).cacheStatus?.isHit == true)
        await reach { [sent] in sent.elements.count == 2 }
        #expect(sent.elements.last?.options[Weight.self] == 3)
    }
}
