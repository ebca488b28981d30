import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallCaching

/// Engines that decode payloads, and engines that do not, with one store.
@Suite(.timeLimit(.minutes(2))) struct CacheCodingTests {
    /// "no" in gzip.
    private static let gzip = Data(base64Encoded: "H4sIAAAAAAACA8vLBwAfKKpnAgAAAA==") ?? Data()

    private let sent = Recorder<Input>()

    /// A connector whose server sends gzip without `Vary`, and whose engine decodes it or not.
    private func connector(
        _ store: CacheStore,
        decodes: Bool?,
        coding: String = "gzip",
        after latch: Latch? = nil
    ) -> Connector {
        let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Content-Encoding": coding, "ETag": "\"1\""]
        let stub = Connector.stub(recording: sent) { input in
            await latch?.wait()
            if input.headers.contains("If-None-Match") { return .status(.notModified, headers: headers) }
            let payload = decodes == false ? Self.gzip : Data("no".utf8)
            return .hasResponse(Response(statusCode: .ok, headers: headers, payload: payload))
        }
        return (decodes.map { decodes in stub.decodingPayloads { _ in decodes } } ?? stub).cached(store)
    }

    /// Calls a function with each kind of store.
    private func withStores(_ body: (CacheStore) async throws -> Void) async throws {
        for kind in StoreKind.allCases {
            try await kind.withStores(limit: 1_000_000) { store, _ in try await body(store) }
        }
    }

    @Test(
        "no engine gets a payload in the form of another engine, in any order, fresh or stale",
        arguments: [true, false]
    )
    func forms(_ first: Bool) async throws {
        try await withStores { store in
            for maxAge in ["max-age=60", "max-age=0"] {
                for _ in 0..<2 {
                    for decodes in [first, !first] {
                        let input = Input.get(["Cache-Control": maxAge])
                        let payload = await connector(store, decodes: decodes).output(input).response?.payload
                        #expect(payload == (decodes ? Data("no".utf8) : Self.gzip))
                    }
                }
            }
        }
    }

    @Test("each engine gets its own stored response, and one request is sent for each form")
    func hits() async throws {
        try await withStores { store in
            let before = sent.elements.count
            for _ in 0..<3 { for decodes in [true, false] { _ = await connector(store, decodes: decodes).output() } }
            #expect(sent.elements.count - before == 2)
            _ = await connector(store, decodes: true).output(.post())
            for decodes in [true, false] { _ = await connector(store, decodes: decodes).output() }
            #expect(sent.elements.count - before == 5, "an invalidation is for all forms")
        }
    }

    @Test("an engine that does not say shares with those alone that do not say either")
    func unknown() async throws {
        try await withStores { store in
            for decodes in [nil, true, false, nil] {
                let payload = await connector(store, decodes: decodes).output().response?.payload
                #expect(payload == (decodes == false ? Self.gzip : Data("no".utf8)))
            }
        }
        #expect(sent.elements.count == 3 * StoreKind.allCases.count)
    }

    @Test("a payload that is not decoded answers only requests for the same codings")
    func asked() async throws {
        let connector = connector(.memory(), decodes: false)
        for asked in ["gzip", "gzip", "gzip, br"] {
            _ = await connector.output(.get(["Accept-Encoding": asked]))
        }
        #expect(sent.elements.count == 2)
        _ = await connector.output()
        #expect(sent.elements.count == 3)
    }

    @Test("a payload without a coding is shared by all engines", arguments: ["identity", "", "Identity, identity"])
    func plain(_ coding: String) async throws {
        let store = CacheStore.memory()
        for decodes in [true, false, nil] { _ = await connector(store, decodes: decodes, coding: coding).output() }
        #expect(sent.elements.count == 1)
    }

    @Test("calls at the same time get the form of their own engine")
    func shared() async {
        let (store, latch) = (TestStore().store, Latch())
        let calls = [true, false, true, false].map { decodes in
            let connector = connector(store, decodes: decodes, after: latch)
            return (Task { await connector.output().response?.payload }, decodes ? Data("no".utf8) : Self.gzip)
        }
        await reach { store.coordinator.waitingCount == 3 }
        latch.open()
        for (call, expected) in calls { #expect(await call.value == expected) }
        #expect(sent.elements.count == 2)
    }

    #if os(Linux) && !APPLE_BRANCH
        @Test("the engine of Linux says what it does, with and without decompression")
        func engine() async throws {
            let site = Connector.stub { _ in
                let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "Content-Encoding": "gzip"]
                return .hasResponse(Response(statusCode: .ok, headers: headers, payload: Self.gzip))
            }
            try await LoopbackServer.serving(site) { server in
                let store = CacheStore.memory()
                let decoding = Connector.curl().cached(store)
                let raw = Connector.curl(options: ConnectionOptions(decompression: .none)).cached(store)
                for _ in 0..<2 {
                    #expect(await raw.output(.get([:], server.url)).response?.payload == Self.gzip)
                    #expect(await decoding.output(.get([:], server.url)).text == "no")
                    let own = await decoding.output(.get(["Accept-Encoding": "x-own"], server.url))
                    #expect(own.response?.payload == Self.gzip)
                }
            }
        }
    #endif
}
