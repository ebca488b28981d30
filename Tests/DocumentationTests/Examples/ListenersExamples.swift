import Foundation
import StartSmall
import StartSmallAuth
import StartSmallDiagnostics
import StartSmallMetrics
import StartSmallTesting
import Synchronization
import Testing

#if canImport(Darwin)
    import os
#endif

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/Listeners.md, in order.
struct ListenersExamples {
    private let stub = Connector.stub(.text("octocat"))
    private let user = Endpoint.text(.get("https://api.example.com/users/octocat"))

    @Test("an indicator, failures and a progress are reported")
    func listeners() async {
        let shown = Recorder<Bool>()
        let noted = Recorder<String>()
        let fractions = Recorder<Double>()

        let indicator = Listener.indicator { isVisible in shown.append(isVisible) }

        let failures = Listener.onFailure { input, reason in
            noted.append("\(input?.url.path() ?? "no URL"): \(reason.name)")
        }

        let bar = Listener.progress { progress, call in fractions.append(progress.received.fraction ?? 0) }

        let half = Connector { _, context in
            context.report(.progress(TransferProgress(received: .init(bytes: 5, total: 10))))
            return .status(.notFound)
        }
        _ = await user.fetch(via: half.wrapped(by: .listen(to: indicator + failures + bar)))
        #expect(shown.elements == [true, false])
        #expect(noted.elements == ["/users/octocat: rejected"])
        #expect(fractions.elements == [0.5])
    }

    @Test("one listener reads events of two modules and of the app, and none is mistaken for one of the call")
    func reported() async {
        let noted = Recorder<String>()
        let (log, metrics, shown) = (EventLog(), CallMetrics { _ in "user" }, Recorder<Bool>())

        let delays = Listener { event in
            if let retrying = event.reported(Retrying.self) { noted.append("attempt \(retrying.attempt)") }
            if let refreshing = event.reported(Refreshing.self) { noted.append("refresh: \(refreshing.isFirst)") }
            if let hit = event.reported(CacheHit.self) { noted.append("stored: \(hit.key)") }
        }

        let server = Connector.stub(sequence: [.status(.badGateway), .status(.unauthorized), .text("octocat")])
        let ends = Listener.onEnd { _, outcome in noted.append(outcome.name) }
        let connector = server.wrapped(
            by: .listen(to: delays + log.listener + .metrics(metrics) + .indicator { shown.append($0) } + ends),
            .retry(RetryPolicy(backoff: Backoff { _ in .zero })),
            .refreshToken(in: .memory(AccessToken("old"))) { _, _ in
                Fetched<TransformError<Never>, AccessToken>.right(AccessToken("new"))
            },
            Wrapper { input, next in
                for name in ["started", "cancelled", "failed", "ended"] { next.report(Named(name: name)) }
                next.report(CacheHit(key: input.url.path()))
                return await next(input)
            }
        )
        #expect(await user.fetch(via: connector).right == "octocat")
        let hit = "stored: /users/octocat"
        #expect(noted.elements == [hit, "attempt 2", hit, "refresh: true", hit, "succeeded"])
        #expect(log.events.filter { $0 == .reported(Named(name: "ended")) }.count == 3)
        #expect(log.events.filter { $0 == .ended }.count == 1 && log.events.last == .ended)
        #expect(shown.elements == [true, false])
        #expect(metrics.snapshot.endpoints["user"]?.count == 1 && metrics.snapshot.endpoints["user"]?.errors == 0)
    }

    @Test("two calls are drawn on one scale")
    func timelines() async {
        let shown = Recorder<String>()
        func print(_ item: Any) { shown.append("\(item)") }

        let timelines = Recorder<Timeline>()
        let app = stub.wrapped(by: .listen(to: .timeline(show: timelines.append)))
        _ = await [user.fetch(via: app), user.fetch(via: app)]
        print(Timeline.text(of: timelines.elements))
        let picture = Timeline.svg(of: timelines.elements)

        let titles = shown.elements.flatMap { $0.matches(of: /GET https:\/\/api.example.com\/users\/octocat: 200 OK/) }
        #expect(titles.count == 2)
        #expect(picture.contains("octocat: 200 OK</text>"))
    }

    @Test("a timeline is printed at the end of a call")
    func timeline() async {
        let shown = Recorder<String>()
        let print: @Sendable (Any) -> Void = { shown.append("\($0)") }

        let app = Connector.standard.wrapped(by: .retry(), .listen(to: .timeline { timeline in print(timeline) }))

        let unbuilt = Endpoint.text(.get("https://api.example.com/users/{login}", ["login": ".."]))
        #expect(await unbuilt.fetch(via: app).connectionError != nil)
        #expect(shown.elements.count == 1 && shown.elements[0].hasPrefix("no request: malformedURL: "))
    }

    #if canImport(Darwin) || APPLE_BRANCH
        @Test("a call is an interval of Instruments, and its events are in it")
        func signposts() async {
            let signposter = OSSignposter(subsystem: "com.example.app", category: .pointsOfInterest)
            let signposts = Listener { event, call in
                let id = OSSignpostID(call.rawValue)
                switch event {
                case .started(let input):
                    _ = signposter.beginInterval("call", id: id, "\(input?.url.path() ?? "no URL", privacy: .public)")
                case .ended: signposter.endInterval("call", .beginState(id: id))
                default: signposter.emitEvent("event", id: id, "\(event.name, privacy: .public)")
                }
            }

            #expect(await user.fetch(via: stub.wrapped(by: .listen(to: signposts))).right == "octocat")
        }
    #endif

    /// A tracer, which keeps the spans that have ended.
    private final class Tracer: Sendable {
        let open = Mutex<[CallID: [String]]>([:])
        let ended = Recorder<[String]>()

        func begin(_ call: CallID, named name: String) { open.withLock { $0[call] = [name] } }
        func add(_ event: String, to call: CallID) { open.withLock { $0[call]?.append(event) } }

        func end(_ call: CallID) {
            if let span = open.withLock({ $0.removeValue(forKey: call) }) { ended.append(span) }
        }
    }

    @Test("a listener makes a span of each call")
    func spans() async {
        let tracer = Tracer()

        let spans = Listener { event, call in
            switch event {
            case .started(let input): tracer.begin(call, named: input?.url.path() ?? "no URL")
            case .ended: tracer.end(call)
            default: tracer.add(event.name, to: call)
            }
        }

        let connector = stub.wrapped(by: .listen(to: spans))
        async let first = user.fetch(via: connector)
        async let second = user.fetch(via: connector)
        _ = await (first, second)
        let span = ["/users/octocat", "received", "transformed", "succeeded"]
        #expect(tracer.ended.elements == [span, span])
        #expect(tracer.open.withLock { $0.isEmpty })
    }

    @Test("two listeners can be joined to one")
    func joined() async {
        let observed = Recorder<String>()
        let show: @Sendable (Bool) -> Void = { observed.append("\($0)") }
        let note: @Sendable (Input?, Event) -> Void = { observed.append($1.name) }

        let connector = stub.wrapped(by: .listen(to: .indicator(show) + .onFailure(note)))

        _ = await user.fetch(via: connector)
        #expect(observed.elements == ["true", "false"])
    }

    @MainActor
    private final class Spinner {
        var isHidden = true {
            didSet { if isHidden { hidden.open() } }
        }
        let hidden = Latch()
    }

    @MainActor
    @Test("an indicator is updated on the main actor")
    func mainActor() async {
        let spinner = Spinner()

        let indicator = Listener.indicator(MainActor.serialized { isVisible in spinner.isHidden = !isVisible })

        _ = await user.fetch(via: stub.wrapped(by: .listen(to: indicator)))
        await spinner.hidden.wait()
        #expect(spinner.isHidden)
    }

    @Test("metrics are collected under a custom name")
    func metrics() async {
        let metrics = CallMetrics { input in input.url.path().hasPrefix("/users/") ? "user" : "other" }
        let connector = stub.wrapped(by: .listen(to: .metrics(metrics)))

        _ = await user.fetch(via: connector)
        let shown = Recorder<String>()
        func print(_ items: Any...) { shown.append("\(items.prefix(2))") }

        let user = metrics.snapshot.endpoints["user"]
        print(user?.count ?? 0, user?.errors ?? 0, user?.latencies[.success]?.sum ?? .zero)

        #expect(shown.elements == ["[1, 0]"])
        #expect(metrics.snapshot.openMetrics.contains(#"startsmall_calls_in_flight{endpoint="user"} 0"#))
    }
}

struct CacheHit: ReportedEvent {
    let key: String
    var name: String { "cacheHit" }
}

/// An event of any name, also one of the call.
private struct Named: ReportedEvent {
    let name: String
}
