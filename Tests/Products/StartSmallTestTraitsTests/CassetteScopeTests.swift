import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTestTraits

/// The reasons for which a test with the trait fails, and its messages.
struct CassetteScopeTests {
    private let scope = CassetteScope()
    private let advice = "Read the file before you commit it."

    /// Writes a file with these GETs, whose responses are their paths.
    private func record(_ targets: String...) async throws {
        let issues = try await scope.issues { for target in targets { await get(target) } }
        #expect(issues == warning("recorded Cassettes/books.json; exchanges: \(targets.count). \(advice)"))
        #expect(scope.sent.elements.count == targets.count)
    }

    // MARK: - Recording

    @Test("the first run records the file and says so, and the second one replays it without a network")
    func recordsOnce() async throws {
        let run = { @Sendable in
            #expect(await get("/1") == "/1")
            #expect(await get("/2") == "/2")
        }
        let first = try await scope.issues(of: run)
        #expect(first == warning("recorded Cassettes/books.json; exchanges: 2. \(advice)"))
        let text = try #require(scope.text())
        #expect(try await scope.issues(recording: .forbidden, of: run) == [])
        #expect(scope.text() == text)
        #expect(scope.sent.elements.count == 2)
    }

    @Test("on CI, a missing file is a failure: the test is not run, and nothing is sent or recorded")
    func missingOnCI() async throws {
        let issues = try await scope.issues(isOnCI: true, recording: .forbidden) { Issue.record("run") }
        #expect(issues == ["Cassettes/books.json is missing: run this test elsewhere than on CI to record it"])
        #expect(scope.text() == nil)
        try await record("/1")
        #expect(try await scope.issues(isOnCI: true, recording: .forbidden) { await get("/1") } == [])
    }

    @Test("a test that records an issue, throws, or is cancelled leaves no file, and keeps its own issue")
    func failedRecordings() async throws {
        struct Failure: Error {}
        let note = warning("Cassettes/books.json is not written, since the test did not pass")
        let failed = try await scope.issues {
            await get("/1")
            Issue.record("wrong")
        }
        #expect(failed == ["wrong"] + note)
        let thrown = try await scope.issues {
            await get("/1")
            throw Failure()
        }
        #expect(thrown == ["Failure()"] + note)
        let required = try await scope.issues {
            await get("/1")
            try #require(Bool(false))
        }
        #expect(required.count == 1 + note.count)
        let cancelled = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await scope.issues { await get("/1") }
        }.result
        #expect(try cancelled.get() == note)
        #expect(scope.text() == nil)
        #expect(scope.sent.elements.count == 3)
    }

    @Test("a cancelled case of a parameterized test counts as a cancelled test")
    func cancelledCase() async throws {
        let (test, trait) = (try #require(Test.current), scope.trait())
        let issues = try await scope.issues {
            await get("/1")
            let cancelled = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await trait.provideScope(for: test, testCase: .current) {}
            }
            try await cancelled.value
        }
        #expect(issues == warning("Cassettes/books.json is not written, since the test did not pass"))
    }

    @Test("a known issue and a warning of a test don't discard its recording")
    func knownIssues() async throws {
        let issues = try await scope.issues {
            await get("/1")
            withKnownIssue { Issue.record("of a defect") }
            try #require(Test.current).warn("a warning of its own")
        }
        #expect(issues.allSatisfy { $0.hasPrefix("warning: ") })
        #expect(scope.text() != nil)
    }

    @Test("a test in which a call gets no response, and another one does, is replayed as it was")
    func unanswered() async throws {
        let lost = ConnectionError.connectionLost(.init(domain: "stub", code: 1, text: "lost"))
        let engine = Connector.stub(sequence: [.noResponse(lost), .text("2")])
        let run = { @Sendable in
            #expect(await get("/1") == nil)
            #expect(await get("/1") == "2")
        }
        let issues = try await scope.issues(recording: engine, of: run)
        #expect(issues == warning("recorded Cassettes/books.json; exchanges: 2. \(advice)"))
        #expect(try await scope.issues(recording: .forbidden, of: run) == [])
    }

    @Test("a test without a call has nothing to record")
    func noCall() async throws {
        #expect(try await scope.issues {} == ["nothing to record: no call through Connector.cassette"])
        #expect(scope.text() == nil)
    }

    @Test("a response that can't be in a cassette fails the test that records it")
    func unwritablePayload() async throws {
        let zipped = Output.hasResponse(
            Response(statusCode: .ok, headers: ["Content-Encoding": "zstd"], payload: Data([0x28, 0xB5, 0x2F, 0xFD]))
        )
        let issues = try await scope.issues(recording: .stub(zipped)) { await get("/1") }
        #expect(issues.count == 1)
        #expect(issues.first?.hasPrefix("the response to GET https://books.example/1 can't be replayed: ") == true)
        #expect(scope.text() == nil)
    }

    @Test("of two tests that record one file, the second one fails, and replaces nothing")
    func sharedName() async throws {
        let issues = try await scope.issues {
            await get("/1")
            try scope.write([])
        }
        #expect(issues == ["another test has recorded Cassettes/books.json: give each test its own file"])
        #expect(try Cassette(at: scope.file()).exchanges == [])
    }

    @Test("a file that can't be written fails the test that records it")
    func unwritable() async throws {
        let folder = scope.file().deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data().write(to: folder)
        let issues = try await scope.issues { await get("/1") }
        #expect(issues.count == 1 && issues.joined().hasPrefix("the cassette can't be written: "))
    }

    // MARK: - Replaying

    @Test("a request that is not in the file fails the test, even if its error is ignored, and shows no secret")
    func unknown() async throws {
        try await record("/1", "/2")
        let issues = try await scope.issues(recording: .forbidden) {
            #expect(await get("/1") == "/1")
            #expect(await get("/3?token=hunter2-of-mine") == nil)
        }
        #expect(issues.count == 1)
        let text = issues.joined()
        #expect(text.hasPrefix("GET https://books.example/3?token=<redacted> is not in the cassette books.json: "))
        #expect(text.contains("the nearest is exchange 2 of 2, recorded → requested: "))
        #expect(text.contains("path: /2 → /3"))
        #expect(text.hasSuffix("To record all of it again, remove the file."))
        #expect(!text.contains("hunter2"))
    }

    @Test("a recorded error is replayed, and is not taken for an unknown request beside it")
    func recordedFailure() async throws {
        let input = Input(url: try #require(URL(string: "https://books.example/1")))
        let nothing = Response(statusCode: .from(code: 0))
        let failure = RecordedFailure(.malformedResponse(.init(domain: "libcurl", code: 8, text: "no HTTP")))
        try scope.write([Exchange(input: input, response: nothing, failure: failure, recorded: Date())])
        let issues = try await scope.issues(recording: .forbidden) {
            await get("/2")
            #expect(await output("/1").connectionError?.name == "malformedResponse")
        }
        #expect(issues.count == 1 && issues.joined().hasPrefix("GET https://books.example/2 is not in the cassette"))
    }

    @Test("exchanges that were never used fail the test at its end, each on one line and without secrets")
    func unused() async throws {
        try await record("/1", "/2?token=hunter2-of-mine", "/3", "/3")
        let issues = try await scope.issues(recording: .forbidden) {
            await get("/3")
            await get("/1")
        }
        let place = "of 4 of Cassettes/books.json was never used: GET https://books.example"
        #expect(issues == ["exchange 2 \(place)/2?token=<redacted>", "exchange 4 \(place)/3"])
        #expect(!issues.joined().contains("hunter2"))
    }

    @Test("a test that has failed or was cancelled is not blamed for unused exchanges, too")
    func failedReplays() async throws {
        try await record("/1", "/2")
        #expect(try await scope.issues { Issue.record("wrong") } == ["wrong"])
        let cancelled = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await scope.issues { await get("/1") }
        }.result
        #expect(try cancelled.get() == [])
    }

    @Test("the parameters of the trait are those of the replay")
    func parameters() async throws {
        try await record("/1", "/2")
        let repeated = try await scope.issues(order: .repeating) {
            for target in ["/1", "/1", "/2", "/1"] { #expect(await get(target) == target) }
        }
        #expect(repeated == [])
        let unordered = try await scope.issues(order: .recorded) { await get("/2") }
        #expect(unordered.first?.contains("the next is exchange 1 of 2") == true)
        let input = Input(url: try #require(URL(string: "https://books.example/1")))
        try scope.write(
            [Exchange(input: input, response: Response(statusCode: .ok), recorded: Date(timeIntervalSince1970: 0))],
            "old"
        )
        let expired = try await scope.issues("old", expiringAfterDays: 30) { await get("/1") }
        #expect(expired.count == 1 && expired.joined().contains("more than 30 days ago"))
    }

    @Test("a file that can't be read fails the test, which is not run", arguments: ["", "{}", "folder"])
    func unreadable(text: String) async throws {
        let url = scope.file()
        let folder = text == "folder" ? url : url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if folder != url { try Data(text.utf8).write(to: url) }
        let issues = try await scope.issues(recording: .forbidden) { Issue.record("run") }
        #expect(issues.count == 1 && issues.joined().hasPrefix("the cassette can't be read: books.json: "))
    }

    @Test(
        "a name that is none of a file in the folder fails the test, which is not run",
        arguments: ["", ".", "..", "../books", "a/b", "a/\u{301}b", "a\\b", ".books", "a\0b", "a\nb"]
    )
    func names(name: String) async throws {
        let issues = try await scope.issues(name, recording: .forbidden) { Issue.record("run") }
        #expect(issues == ["\(name.debugDescription) can't be the name of a cassette in the folder Cassettes"])
    }

    @Test("while replaying, no operation calls the connector of the recording", arguments: Operation.all)
    func noNetwork(operation: Operation) async throws {
        _ = try await scope.issues(of: operation.run)
        let count = scope.sent.elements.count
        #expect(count > 0 && scope.text() != nil)
        let issues = try await scope.issues(recording: .forbidden, of: operation.run)
        #expect(issues == [])
        // Other requests than those that are recorded.
        try scope.write([], "empty")
        let misses = try await scope.issues("empty", recording: .forbidden, of: operation.run)
        #expect(misses.count == count && misses.allSatisfy { $0.contains("nothing is recorded") })
    }
}

/// A call of each kind.
struct Operation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable () async throws -> Void

    private init(_ name: String, _ run: @escaping @Sendable () async throws -> Void) {
        (testDescription, self.run) = (name, run)
    }

    private static func call(_ name: String, _ request: Either<ConnectionError, Input>, via wrapper: Wrapper)
        -> Operation
    {
        Operation(name) { _ = await Endpoint.text(request).fetch(via: .cassette.wrapped(by: wrapper)) }
    }

    @discardableResult
    private static func call(_ change: (inout Input) -> Void) async throws -> Output {
        await WebAPI.call(
            with: Input(url: try #require(URL(string: "https://books.example/1"))).with(change),
            via: .cassette
        )
    }

    static let all: [Operation] =
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"].map { method in
            Operation(method) {
                try await call { $0.methodAndPayload = HTTPMethodAndPayload(method: method, payload: nil) }
            }
        } + [
            call("retry", .get("https://books.example/1"), via: .retry()),
            call("time limit", .get("https://books.example/1"), via: .timeout(.seconds(60))),
            call("payload", .post("https://books.example/1", payload: .json(["title": "Emma"])), via: .retry()),
            call("redirect", .get("https://books.example/1"), via: .redirect()),
            Operation("file") {
                let file = FileManager.default.temporaryDirectory.appending(path: "StartSmallTrait-\(UUID())")
                defer { try? FileManager.default.removeItem(at: file) }
                try await call { $0.delivery = .file(file) }
            },
            Operation("stream") {
                let output = try await call { $0.delivery = .stream }
                guard case .body(let body) = output.response?.content else { return }
                while try await body.next() != nil {}
            },
            Operation("concurrent calls") {
                await withDiscardingTaskGroup { group in
                    for _ in 1...4 { group.addTask { await get("/1") } }
                }
            },
            Operation("detached task") {
                let connector = Connector.cassette
                _ = await Task.detached { await get("/1", via: connector) }.value
            },
        ]
}
