/// A call and where its time went: its network requests with their phases, and the waits between them.
///
/// ```swift
/// let app = Connector.standard.wrapped(by: .retry(), .listen(to: .timeline { print($0) }))
/// ```
///
/// ```
/// GET https://api.example.com/users/renamed: 200 OK, 334 ms
///   request 1, HTTP/1.1, new       -++▒▒▒▒▒                             81.2 ms
///   retrying: attempt 2 in 0.12 s…         ..............                120 ms
///   request 2, HTTP/1.1, reused                          ▒▒▒▒▒           41.0 ms
///   redirecting: 301 Moved Perman…                            |            0 ms
///   request 3, HTTP/1.1, reused                               ▒▒▒▒▒█████ 91.9 ms
/// ```
///
/// The texts contain no credentials. ``description`` has one line for each part, and ``svg`` is a picture of the same.
/// Both also draw several calls: ``text(of:)``, ``svg(of:)``.
public struct Timeline: Hashable, Sendable {
    /// The method and the URL of the call; without a request, `no request`.
    public var title: String

    /// The status of the response, or the error.
    public var outcome: String

    /// The time at which the call began, from the creation of the listener.
    public var start: Duration

    /// The time at which the call ended, from the creation of the listener.
    public var end: Duration

    /// The parts of the call by their start, at most ``maximumParts``.
    public var parts: [Part] = []

    /// The number of parts that were left out, from the first one over the limit on.
    public var omittedParts = 0

    /// A network request, a wait, or a moment, of a call.
    public struct Part: Hashable, Sendable {
        /// A text such as `request 2, HTTP/2, reused`, or the name and the description of a wrapper's event.
        public var label: String

        /// The phases of a request, or one of ``Phase/wait``; each begins where the one before ends.
        public var spans: [Span]

        /// The time at which the part began, from the creation of the listener.
        public var start: Duration { spans.first?.start ?? .zero }

        /// The time at which the part ended, from the creation of the listener.
        public var end: Duration { spans.last?.end ?? .zero }

        /// Creates a part.
        public init(_ label: String, _ spans: [Span]) { (self.label, self.spans) = (label, spans) }
    }

    /// The time of a phase.
    public struct Span: Hashable, Sendable {
        /// The phase.
        public var phase: Phase

        /// The times from the creation of the listener.
        public var start, end: Duration

        /// Creates a span.
        public init(_ phase: Phase, from start: Duration, to end: Duration) {
            (self.phase, self.start, self.end) = (phase, start, max(start, end))
        }
    }

    /// A phase of a part, in the order of a request; the raw value is its name in pictures.
    public enum Phase: String, Hashable, Sendable, CaseIterable {
        /// The time from a wrapper's event, such as `retrying`, to the next event or the next request.
        case wait

        /// The time until a connection was available.
        case queued

        /// The lookup of the host's addresses.
        case nameLookup = "name lookup"

        /// The time until the connection was established.
        case connect

        /// The TLS handshake.
        case secureConnection = "TLS"

        /// The sending of the request, and the wait for the first byte of its response.
        case firstByte = "first byte"

        /// The arrival of the rest of the response.
        case payload
    }

    /// The maximum number of parts of a call: 200, more than a picture shows legibly.
    ///
    /// A stream that connects again for days reports events without end.
    public static let maximumParts = 200

    /// Creates a timeline.
    public init(_ title: String, outcome: String, from start: Duration, to end: Duration, _ parts: [Part] = []) {
        (self.title, self.outcome, self.start, self.end, self.parts) = (title, outcome, start, end, parts)
    }
}
