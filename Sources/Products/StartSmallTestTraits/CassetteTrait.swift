public import StartSmall
public import StartSmallTesting
public import Testing

extension Trait where Self == CassetteTrait {
    /// Replays the calls of a test from a `Cassette`, which the first run of the test records.
    ///
    /// ```swift
    /// @Test(.cassette("books")) func theFirstPageHasTenBooks() async throws {
    ///     #expect(try await Books.list.value(via: .cassette).count == 10)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the test's own file, without `.json`, in the folder `Cassettes` beside the file of this call.
    ///   - connector: the connector that the first run records, inside of wrappers that the test adds.
    ///   - matching: the rule that matches requests with recorded ones.
    ///   - order: the number and order of playbacks.
    ///   - days: the maximum age of a recording in days; nil for no limit.
    ///   - scrubbing: the redaction of the cassette.
    ///   - source: the path of the source file of this call.
    public static func cassette(
        _ name: String,
        recording connector: Connector = .standard,
        matching: RequestMatching = .methodURLAndPayload,
        order: PlaybackOrder = .any,
        expiringAfterDays days: Int? = nil,
        scrubbing: CassetteRedaction = .standard,
        filePath source: String = #filePath
    ) -> Self {
        let file = URL(filePath: source).deletingLastPathComponent().appending(path: "Cassettes/\(name).json")
        return Self(name: name, file: file, connector: connector, scrubbing: scrubbing) { unexpected, played in
            .replay(
                from: file,
                matching: matching,
                order: order,
                expiringAfterDays: days,
                scrubbing: scrubbing,
                unexpected: unexpected,
                played: played
            )
        }
    }
}

/// A trait that gives a test a cassette of its own, which `Connector.cassette` replays or records.
///
/// **With its file**, a test uses no network. It fails for each request that is not in the cassette, even if the code
/// under test ignored the error, and, unless it failed otherwise or was cancelled, for exchanges that were never used.
///
/// **Without its file**, a test is recorded, and a warning says so. The file is written only if the test passes. Where the
/// environment variable `CI` is not empty, the test fails before it begins.
///
/// All cases of a parameterized test share the file. A suite can't have this trait: one file for all of its tests could
/// not tell which exchanges are unused.
public struct CassetteTrait: TestTrait, TestScoping {
    let name: String
    let file: URL
    let connector: Connector
    let scrubbing: CassetteRedaction

    /// Whether a missing file is a failure: GitHub, GitLab and most other services set the variable.
    var isOnCI = ProcessInfo.processInfo.environment["CI"]?.isEmpty == false
    let player: @Sendable (_ unexpected: Recorder<Input>, _ played: Recorder<Exchange>) -> Connector

    private var isThere: Bool { FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) }

    /// Returns this trait, for a test as a whole as well as for each of its cases.
    ///
    /// - Parameters:
    ///   - test: the test.
    ///   - testCase: a case of the test; nil for the test as a whole.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> CassetteTrait? { self }

    /// Runs `function`, a test whose calls through `Connector.cassette` are replayed or recorded, or a case of it.
    ///
    /// - SeeAlso: ``scopeProvider(for:testCase:)``
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        if testCase != nil {
            // `Test.cancel()` cancels the task of a case only.
            defer { if Task.isCancelled { CassetteSession.current?.fail() } }
            return try await function()
        }
        // By bytes: a `/` before a combining character is not the character `/`.
        let isFileName = !name.isEmpty && !name.utf8.contains { $0 < 0x20 || "/\\".utf8.contains($0) }
        if !isFileName || name.utf8.first == UInt8(ascii: ".") {
            test.fail("\(name.debugDescription) can't be the name of a cassette in the folder Cassettes")
        } else if isThere {
            try await replay(test, function)
        } else if isOnCI {
            test.fail("Cassettes/\(name).json is missing: run this test elsewhere than on CI to record it")
        } else {
            try await record(test, function)
        }
    }

    private func replay(_ test: Test, _ run: () async throws -> Void) async throws {
        let cassette: Cassette
        do { cassette = try Cassette(at: file) } catch { return test.fail("the cassette can't be read: \(error)") }
        let (unexpected, played, misses) = (Recorder<Input>(), Recorder<Exchange>(), Recorder<String>())
        let watched = Wrapper("cassette") { input, next in
            let output = await next(input)
            if let error = output.connectionError, unexpected.elements.contains(input) {
                misses.append(error.debugInfo)
            }
            return output
        }
        defer { for miss in misses.elements { test.fail("\(miss). To record all of it again, remove the file.") } }
        let session = CassetteSession(player(unexpected, played).wrapped(by: watched))
        guard try await session.passes(run), misses.elements.isEmpty else { return }
        var counts = played.elements.reduce(into: [Exchange: Int]()) { $0[$1, default: 0] += 1 }
        for (index, exchange) in cassette.exchanges.enumerated() {
            counts[exchange, default: 0] -= 1
            if counts[exchange, default: 0] >= 0 { continue }
            let place = "exchange \(index + 1) of \(cassette.exchanges.count) of Cassettes/\(name).json"
            test.fail("\(place) was never used: \(exchange.input)")
        }
    }

    private func record(_ test: Test, _ run: () async throws -> Void) async throws {
        let draft = FileManager.default.temporaryDirectory.appending(path: "StartSmallCassette-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: draft) }
        let session = CassetteSession(connector.wrapped(by: .record(to: draft, scrubbing: scrubbing)))
        guard try await session.passes(run) else {
            return test.warn("Cassettes/\(name).json is not written, since the test did not pass")
        }
        guard let cassette = try? Cassette(at: draft), !cassette.exchanges.isEmpty else {
            return test.fail("nothing to record: no call through Connector.cassette")
        }
        for case (let input, let reason?) in cassette.exchanges.map({ ($0.input, $0.omittedResponse) }) {
            return test.fail("the response to \(input) can't be replayed: \(reason)")
        }
        if isThere {
            return test.fail("another test has recorded Cassettes/\(name).json: give each test its own file")
        }
        do { try cassette.write(to: file) } catch { return test.fail("the cassette can't be written: \(error)") }
        let count = cassette.exchanges.count
        test.warn("recorded Cassettes/\(name).json; exchanges: \(count). Read the file before you commit it.")
    }
}

extension Test {
    fileprivate func fail(_ text: String) { Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation) }
}
