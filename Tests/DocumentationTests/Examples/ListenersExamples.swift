import Foundation
import StartSmall
import StartSmallMetrics
import StartSmallTesting
import Testing

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
        #expect(noted.elements == ["/users/octocat: refused"])
        #expect(fractions.elements == [0.5])
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
