import Synchronization
import Testing
public import StartSmall

extension Connector {
    /// A connector that replays or records the calls of the current test, which has a ``CassetteTrait``.
    ///
    /// An app may store the connector: each call belongs to the test that makes it, but tests share the state of wrappers
    /// around a stored one, such as a cache or a token. In a detached task, a call belongs to the test that took the
    /// connector. If there is none, or if its test has ended, the call gets `ConnectionError.engineUnavailable`.
    public static var cassette: Connector {
        let taken = CassetteSession.current
        return Connector { input, context in
            if let session = CassetteSession.current ?? taken { return await session.connect(input, context) }
            let reason = "Connector.cassette is called outside of a test with .cassette(\"…\"), or in a detached task"
            return .noResponse(.engineUnavailable(debugInfo: "\(reason): take it in the test, and pass it on"))
        }
        .named("cassette")
    }
}

/// One run of a test: a class, since a task-local value of function type is miscompiled (Swift 6.3.1).
final class CassetteSession: Sendable {
    @TaskLocal static var current: CassetteSession?

    private let connector: Connector
    private let state = Mutex((hasFailed: false, hasEnded: false))

    init(_ connector: Connector) { self.connector = connector }

    func connect(_ input: Input, _ context: CallContext) async -> Output {
        guard state.withLock({ $0.hasEnded }) else { return await connector.connect(input, context) }
        return .noResponse(.engineUnavailable(debugInfo: "the test of this Connector.cassette has ended"))
    }

    func fail() { state.withLock { $0.hasFailed = true } }

    /// Runs a test; returns whether the test passed: it recorded no issue, and was not cancelled.
    func passes(_ run: () async throws -> Void) async throws -> Bool {
        defer { state.withLock { $0.hasEnded = true } }
        try await Self.$current.withValue(self) {
            // The only public way to learn of a test's issues: the matcher sees each of them, and matches none.
            try await withKnownIssue(isIntermittent: true) {
                try await run()
            } matching: { issue in
                if !issue.isWarning { self.fail() }
                return false
            }
        }
        return !Task.isCancelled && !state.withLock { $0.hasFailed }
    }
}
