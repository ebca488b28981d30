import Foundation
import StartSmall
import StartSmallTesting
import Synchronization

@testable import StartSmallCaching

/// A clock that a test sets.
final class TestTime: Sendable {
    private let seconds: Mutex<Double>

    init(_ start: Date = .start) { seconds = Mutex(start.timeIntervalSinceReferenceDate) }

    var date: Date { Date(timeIntervalSinceReferenceDate: seconds.withLock { $0 }) }

    /// Lets time pass; backwards with a negative number.
    func pass(_ time: Double) { seconds.withLock { $0 += time } }

    var now: @Sendable () -> Date { { self.date } }
}

extension Date {
    /// The time at which all tests begin: a whole second.
    static let start = Date(timeIntervalSince1970: 1_700_000_000)

    static func after(_ seconds: Double) -> Date { start.addingTimeInterval(seconds) }
}

/// The text of a date relative to the start.
func httpDate(_ seconds: Double = 0) -> String { HTTPDate.text(.after(seconds)) }

/// A store that keeps everything, and counts.
final class TestStore: Sendable {
    private struct State {
        var responses: [CacheKey: [StoredResponse]] = [:]
        var removed: [String] = []
    }

    private let state = Mutex(State())

    /// The store as a wrapper uses it.
    var store: CacheStore {
        CacheStore(
            responses: { self.responses(of: $0) },
            store: { self.insert($0, $1) },
            remove: { self.remove($0) }
        )
    }

    /// The functions of a store.
    enum Function: CaseIterable, Sendable {
        case responses, store, remove
    }

    /// Returns the store with an action in one of its functions: after it has read, or before it stores or removes.
    func store(at place: Function, _ action: @escaping @Sendable () async throws -> Void) -> CacheStore {
        let act = { @Sendable (function: Function) in if function == place { try await action() } }
        return CacheStore(
            responses: {
                let found = self.responses(of: $0)
                try await act(.responses)
                return found
            },
            store: {
                try await act(.store)
                self.insert($0, $1)
            },
            remove: {
                try await act(.remove)
                self.remove($0)
            }
        )
    }

    var keys: [CacheKey] { state.withLock { Array($0.responses.keys) } }

    var removed: [String] { state.withLock { $0.removed } }

    var all: [StoredResponse] { state.withLock { $0.responses.values.flatMap(\.self) } }

    func responses(of key: CacheKey) -> [StoredResponse] { state.withLock { $0.responses[key] ?? [] } }

    func insert(_ stored: StoredResponse, _ key: CacheKey) {
        state.withLock { state in
            state.responses[key, default: []].removeAll { $0.variant == stored.variant }
            state.responses[key, default: []].append(stored)
        }
    }

    func remove(_ url: String) {
        state.withLock { state in
            state.removed.append(url)
            for key in state.responses.keys where key.url == url { state.responses[key] = nil }
        }
    }
}

extension URL {
    static let test = URL(string: "https://api.example.com/a")!
}

extension Input {
    static func get(_ headers: HTTPHeaders = [:], _ url: URL = .test) -> Input { Input(url: url, headers: headers) }

    static func head(_ headers: HTTPHeaders = [:], _ url: URL = .test) -> Input {
        Input(url: url, headers: headers, methodAndPayload: .head)
    }

    static func post(_ headers: HTTPHeaders = [:], _ url: URL = .test) -> Input {
        Input(url: url, headers: headers, methodAndPayload: .post(payload: nil))
    }

    /// The request as the rules see it; fails the test if it passes through.
    var cacheable: CacheableRequest {
        get throws {
            guard case .cacheable(let request) = RequestClass(of: self, CacheOptions()) else { throw NotCacheable() }
            return request
        }
    }
}

struct NotCacheable: Error {}

extension StoredResponse {
    /// A response that was sent, and arrived, `arrived` seconds after the start.
    static func at(
        _ headers: HTTPHeaders,
        arrived: Double = 0,
        status: HTTPStatus = .ok,
        variant: HTTPHeaders = [:],
        payload: String = "payload"
    ) -> StoredResponse {
        StoredResponse(
            Response(statusCode: status, headers: headers, payload: Data(payload.utf8)),
            variant: variant,
            requestedAt: .after(arrived),
            receivedAt: .after(arrived)
        )
    }
}

extension CacheRules {
    static let standard = CacheRules(options: CacheOptions())
}

/// The decision without the values that a table does not need.
enum Verdict: Hashable, Sendable {
    case fresh
    case stale(StalePermission)
    case forward(MissReason)
    case timeout

    init(_ decision: CacheDecision) {
        self =
            switch decision {
            case .fresh: .fresh
            case .stale(_, let permission, _): .stale(permission)
            case .forward(let forwarding): .forward(forwarding.reason)
            case .gatewayTimeout: .timeout
            }
    }
}

extension Output {
    var text: String? { response.map { String(decoding: $0.payload, as: UTF8.self) } }

    /// The text of the status, and its parameters.
    var statusText: String? { response?.cacheStatus }

    var cacheStatus: StatusParameters? { statusText.map { StatusParameters(text: $0) } }
}

/// The parameters of a `Cache-Status`.
struct StatusParameters {
    let text: String

    var isHit: Bool { self["hit"] != nil }
    var isStored: Bool { self["stored"] != nil }
    var detail: String? { self["detail"] }

    private subscript(name: String) -> String? {
        text.components(separatedBy: "; ").first { $0 == name || $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }
}

extension Connector {
    /// A connector with a cache around it.
    func cached(_ store: CacheStore, _ time: TestTime = TestTime(), _ options: CacheOptions = CacheOptions())
        -> Connector
    {
        wrapped(by: .cache(in: store, options: options, now: time.now))
    }

    func output(_ input: Input = .get()) async -> Output { await WebAPI.call(with: input, via: self) }
}

/// Lets other tasks run until a condition is true, or the time limit of the test is over.
func reach(_ condition: @Sendable () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
