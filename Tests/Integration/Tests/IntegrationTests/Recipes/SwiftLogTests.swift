import Logging
import StartSmall
import StartSmallTesting
import Testing

func log(to logger: Logger) -> Listener {
    Listener { event, call in
        let level: Logger.Level = event.isFailure ? .error : .debug
        logger.log(level: level, "\(event.name)", metadata: ["call": "\(call)"])
    }
}

/// The recipe of Sources/StartSmall/StartSmall.docc/Listeners.md.
struct SwiftLogTests {
    private struct Lines: LogHandler {
        let lines: Recorder<String>
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.append("\(event.level) \(event.message) \(event.metadata?["call"] == nil ? "" : "call")")
        }
    }

    @Test("each event is a message with the ID of its call, and a failure is an error")
    func messages() async {
        let lines = Recorder<String>()
        let logger = Logger(label: "API") { _ in Lines(lines: lines) }
        let app = Connector.stub(.status(.notFound)).wrapped(by: .listen(to: log(to: logger)))
        _ = await Endpoint.text(.get("https://api.example.com/")).fetch(via: app)
        #expect(
            lines.elements == [
                "debug started call", "debug received call", "error rejected call", "debug failed call",
                "debug ended call",
            ]
        )
    }
}
