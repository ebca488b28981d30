import Dispatch
import StartSmall
import StartSmallTesting

extension Example {
    /// A call is cancelled as everything in Swift is: by its task.
    ///
    /// What comes of it is told on the main queue, as an app wishes it.
    static let cancel = Example(
        name: "cancel",
        summary: "a call that is given up while it runs",
        server: Connector { _ in
            await Latch().wait()
            return .noResponse(.cancelled)
        }
    ) { kitchen in
        let hasStarted = Latch()
        let listener = Listener { (event: Event) in
            switch event {
            case .started: hasStarted.open()
            case .progress, .timings, .receivedHead: return
            default: break
            }
            kitchen.print(event.name)
        }
        let app = kitchen.app.wrapped(by: .listen(to: listener))
        let task = Endpoint.text(.get("/slow")).fetch(via: app, on: .main) { errorOrText in
            kitchen.print(errorOrText.connectionError == .cancelled ? "given up" : "\(errorOrText)")
        }
        await hasStarted.wait()
        task.cancel()
        await task.value
    }
}
