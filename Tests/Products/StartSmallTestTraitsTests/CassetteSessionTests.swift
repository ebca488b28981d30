import StartSmall
import StartSmallTesting
import StartSmallTestTraits
import Testing

/// The test to which a call of `Connector.cassette` belongs.
struct CassetteSessionTests {
    private let scope = CassetteScope()

    @Test("outside of a test with the trait, and in a detached task, a call gets an error that says what to do")
    func outside() async throws {
        let outputs = Recorder<Output>()
        outputs.append(await output("/1"))
        let issues = try await scope.issues(recording: .forbidden) {
            outputs.append(await Task.detached { await output("/1", via: .cassette) }.value)
        }
        #expect(issues == ["nothing to record: no call through Connector.cassette"])
        for output in outputs.elements {
            #expect(output.connectionError?.name == "engineUnavailable")
            #expect(output.connectionError?.debugInfo.contains("take it in the test, and pass it on") == true)
        }
        #expect(outputs.elements.count == 2)
    }

    @Test("after the end of its test, a connector sends nothing, and says so")
    func ended() async throws {
        let kept = Recorder<Connector>()
        _ = try await scope.issues {
            kept.append(.cassette)
            await get("/1")
        }
        let error = await output("/2", via: try #require(kept.elements.first)).connectionError
        #expect(error?.debugInfo == "the test of this Connector.cassette has ended")
        #expect(scope.sent.elements.count == 1)
    }

    @Test("concurrent tests have their own files, also through one stored connector")
    func concurrent() async throws {
        let stored = Connector.cassette
        let names = (1...8).map { "\($0)" }
        for _ in 1...2 {
            try await withThrowingTaskGroup { group in
                for name in names {
                    group.addTask {
                        let issues = try await scope.issues(name) {
                            for _ in 1...5 { #expect(await get("/\(name)", via: stored) == "/\(name)") }
                        }
                        #expect(issues.allSatisfy { $0.hasPrefix("warning: recorded ") })
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(scope.sent.elements.count == 5 * names.count)
    }

    @Test("a connector that another test has taken belongs to the test that makes the call")
    func takenEarlier() async throws {
        let kept = Recorder<Connector>()
        for name in ["one", "two"] {
            let issues = try await scope.issues(name) {
                kept.append(.cassette)
                let first = try #require(kept.elements.first)
                #expect(await get("/\(name)", via: first) == "/\(name)")
            }
            #expect(issues.allSatisfy { $0.hasPrefix("warning: recorded ") })
            #expect(scope.text(of: name)?.contains("https://books.example/\(name)") == true)
        }
    }
}
