public import StartSmallCore
import StartSmallFoundation
import Synchronization

/// Metrics of all calls that a listener observes: counts, durations, outcomes, and calls in flight.
///
/// ```swift
/// let metrics = CallMetrics()
/// let connector = Connector.standard.wrapped(by: .listen(to: .metrics(metrics)))
/// print(metrics.snapshot.openMetrics)
/// ```
///
/// Copies are one collection. The measured duration is that of a whole call, including all its attempts, delays and
/// redirects.
public struct CallMetrics: Sendable {
    /// The default upper bounds of the latency histogram: 5 ms to 10 s, for web services, as in Prometheus' clients.
    public static let defaultBounds: [Duration] = [
        .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .milliseconds(2500), .seconds(5), .seconds(10),
    ]

    /// The default maximum number of names: 100.
    ///
    /// An app has fewer endpoints, and a name that is made of external data can't use up all memory of the app or of a
    /// metrics collector.
    public static let defaultNameLimit = 100

    /// The common name of all endpoints over the limit.
    static let otherName = "other"

    /// The name of calls whose input could not be built.
    static let unbuiltName = "unbuilt"

    private let store: SharedStore
    private let name: @Sendable (Input) -> String
    private let now: @Sendable () -> Duration

    /// Creates an empty collection.
    ///
    /// - Parameters:
    ///   - bounds: the upper bounds of the latency histogram.
    ///   - nameLimit: the maximum number of distinct names; all further ones count as `other`.
    ///   - name: returns the name under which a call is counted and shown; by default ``methodAndHost(_:)``. Parts of a
    ///     path or query that the function uses become visible, and a name for each user makes too many names.
    ///   - clock: the clock that measures durations.
    public init(
        bounds: [Duration] = defaultBounds,
        nameLimit: Int = defaultNameLimit,
        name: @escaping @Sendable (Input) -> String = methodAndHost,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        store = SharedStore(Store(bounds: Set(bounds).sorted(), nameLimit: nameLimit))
        self.name = name
        let start = clock.now
        now = { start.duration(to: clock.now) }
    }

    /// Returns the method and the host, such as `GET api.example.com`, without path and query, which may contain any
    /// data.
    ///
    /// A listener receives the input of the endpoint, so that a relative URL has the method alone: `GET`.
    public static func methodAndHost(_ input: Input) -> String {
        let method = input.methodAndPayload.method
        return Origin(input.url).map { "\(method) \($0.host)" } ?? method
    }

    /// The current metrics.
    public var snapshot: Snapshot { store.state.withLock { $0.snapshot } }

    fileprivate func observe(_ event: Event, _ callID: CallID) {
        switch event {
        case .started(let input):
            let (name, now) = (input.map(name) ?? Self.unbuiltName, now())
            store.state.withLock { $0.start(callID, named: name, at: now) }
        case .ended:
            let now = now()
            store.state.withLock { $0.end(callID, at: now) }
        case .received(let response), .receivedHead(let response):
            store.state.withLock { $0.running[callID]?.statusClass = StatusClass(response.statusCode) }
        case .noResponse(let error):
            store.state.withLock {
                $0.running[callID]?.failure = error.name
                if let kept = error.response { $0.running[callID]?.statusClass = StatusClass(kept.statusCode) }
            }
        default: if event.isFailure { store.state.withLock { $0.running[callID]?.failure = event.name } }
        }
    }
}

extension Listener {
    /// Returns a listener that collects the metrics of calls.
    public static func metrics(_ metrics: CallMetrics) -> Listener {
        Listener { event, callID in metrics.observe(event, callID) }
    }
}

extension CallMetrics {
    private final class SharedStore: Sendable {
        let state: Mutex<Store>

        init(_ store: Store) { state = Mutex(store) }
    }

    private struct Store: Sendable {
        struct Running {
            let name: String
            let start: Duration
            var statusClass = StatusClass.none
            var failure: String?
        }

        let bounds: [Duration]
        let nameLimit: Int
        var running: [CallID: Running] = [:]
        var snapshot = Snapshot()

        init(bounds: [Duration], nameLimit: Int) {
            self.bounds = bounds
            self.nameLimit = nameLimit
        }

        /// Two listeners of one connector that share this store report the same call twice.
        mutating func start(_ callID: CallID, named name: String, at now: Duration) {
            guard running[callID] == nil else { return }
            let endpoints = snapshot.endpoints
            let hasOwnName = endpoints[name] != nil || endpoints.count < nameLimit
            let name = hasOwnName ? name : otherName
            running[callID] = Running(name: name, start: now)
            snapshot.endpoints[name, default: EndpointStatistics()].inFlight += 1
        }

        mutating func end(_ callID: CallID, at now: Duration) {
            guard let ended = running.removeValue(forKey: callID) else { return }
            let empty = Histogram(bounds: bounds)
            snapshot.endpoints[ended.name, default: EndpointStatistics()].inFlight -= 1
            snapshot.endpoints[ended.name]?.latencies[ended.statusClass, default: empty].add(now - ended.start)
            if let failure = ended.failure {
                snapshot.endpoints[ended.name]?.failures[failure, default: 0] += 1
            }
        }
    }
}
