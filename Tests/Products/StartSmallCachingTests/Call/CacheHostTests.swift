import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallCaching

/// Requests that ask for several hosts at one URL, by their own `Host` (RFC 9110 7.1).
@Suite(.timeLimit(.minutes(2))) struct CacheHostTests {
    private let base = TestStore()
    private let sent = Recorder<Input>()

    private static let gateway = URL(string: "http://127.0.0.1:8080/a")!

    private static func input(_ host: String, _ url: URL = gateway) -> Input { .get(["Host": host], url) }

    /// A connector to a gateway, which answers with the host.
    private func connector(_ store: CacheStore) -> Connector {
        Connector.stub(recording: sent) { input in
            let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Location": "/b"]
            return .text(input.headers["Host"] ?? "-", headers: headers)
        }.cached(store)
    }

    @Test("of two hosts at one URL, neither gets the stored response of the other one")
    func stored() async {
        let connector = connector(base.store)
        for _ in 0..<2 {
            for host in ["tenant-a", "tenant-b", "tenant-a:8080"] {
                #expect(await connector.output(Self.input(host)).text == host)
            }
            #expect(await connector.output(.get([:], Self.gateway)).text == "-")
        }
        #expect(sent.elements.count == 4)
        #expect(await connector.output(Self.input("TENANT-A:80")).text == "tenant-a")
        #expect(await connector.output(Self.input("127.0.0.1:8080")).cacheStatus?.isHit == true)
    }

    @Test("of two hosts at one URL, neither joins the request of the other one")
    func shared() async {
        let (store, latch) = (base.store, Latch())
        let connector = Connector.stub(recording: sent) { input in
            await latch.wait()
            return .text(input.headers["Host"] ?? "-", headers: ["Cache-Control": "max-age=60"])
        }.cached(store)
        let hosts = ["a", "b", "A", "B:80"]
        let calls = hosts.map { host in Task { await connector.output(Self.input(host)).text } }
        await reach { [sent] in sent.elements.count == 2 && store.coordinator.waitingCount == 2 }
        latch.open()
        for (call, host) in zip(calls, hosts) {
            #expect(await call.value?.prefix(1).lowercased() == host.prefix(1).lowercased())
        }
        #expect(sent.elements.count == 2)
    }

    @Test("what one server says about a host answers no request to another server, and a change there invalidates it")
    func servers() async {
        let connector = connector(base.store)
        let own = URL(string: "http://bank/a")!
        _ = await connector.output(Self.input("bank"))
        #expect(await connector.output(.get([:], own)).text == "-")
        #expect(base.keys.count == 2 && Set(base.keys.map(\.url)) == ["http://bank/a"])
        _ = await connector.output(.post([:], own))
        #expect(base.keys.isEmpty)
    }
}
