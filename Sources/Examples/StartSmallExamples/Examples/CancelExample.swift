import StartSmall
import StartSmallTesting
import Dispatch

extension Example {
    /// An example that cancels a call through its task, as with all concurrency in Swift.
    ///
    /// The result is delivered on the main queue, as an app needs it.
    static let cancel = Example(
        name: "cancel",
        summary: "a running call that is cancelled",
        server: Connector { _ in
            await Latch().wait()
            return .noResponse(.cancelled)
        }
    ) { context in
        let hasStarted = Latch()
        let listener = Listener { (event: Event) in
            switch event {
            case .started: hasStarted.open()
            case .progress, .timings, .receivedHead: return
            default: break
            }
            context.print(event.name)
        }
        let app = context.app.wrapped(by: .listen(to: listener))
        let task = Endpoint.text(.get("/slow")).fetch(via: app, on: .main) { errorOrText in
            context.print(errorOrText.connectionError == .cancelled ? "the call was cancelled" : "\(errorOrText)")
        }
        await hasStarted.wait()
        task.cancel()
        await task.value
    }
}
