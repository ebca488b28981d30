public import StartSmallSupport

/// An event that a wrapper or connector reports: a value of a type in its own module.
///
/// ```swift
/// struct CacheHit: ReportedEvent {
///     let key: String
///     var name: String { "cacheHit" }
/// }
///
/// next.report(CacheHit(key: input.url.path()))
/// ```
///
/// The description of the value is its text for logs, and contains no credentials. A value keeps no file and no body. `event.reported(CacheHit.self)`
/// returns the value to a listener.
public protocol ReportedEvent: Equatable, Sendable {
    /// The name for logs, such as `retrying`: a constant in lower camel case.
    ///
    /// A value with the name of an event of the call, such as `ended`, is none.
    var name: String { get }
}

/// A reported event of any type; two are equal if their types and values are.
public struct Reported: Equatable, Sendable {
    /// The value that the wrapper or connector created.
    public let event: any ReportedEvent

    package init(_ event: some ReportedEvent) { self.event = event }

    /// Returns whether the types and the values are equal.
    public static func == (one: Reported, other: Reported) -> Bool {
        func equals<Value: ReportedEvent>(_ value: Value) -> Bool { other.event as? Value == value }
        return equals(one.event)
    }
}

extension Reported: MirroredByDescription {
    /// The name and the description of the value, on one line, with credentials redacted.
    public var description: String { "\(event.name): \(Redaction.standard.shown(text: "\(event)"))" }
}

extension Event {
    /// Returns the event of a value that a wrapper or connector reports.
    public static func reported(_ event: some ReportedEvent) -> Event { .reported(Reported(event)) }

    /// Returns the value that a wrapper or connector reported; nil for another type, and for other events.
    ///
    /// ```swift
    /// if let retrying = event.reported(Retrying.self) { show(attempt: retrying.attempt) }
    /// ```
    public func reported<Value: ReportedEvent>(_ type: Value.Type = Value.self) -> Value? {
        if case .reported(let reported) = self { reported.event as? Value } else { nil }
    }
}

extension CallContext {
    /// Reports an event of a wrapper or connector to the listeners of this call.
    ///
    /// Without a listener, the event is not even created. Events after the call has reported its output, with an open
    /// body after the end of that, are dropped.
    public func report(_ event: @autoclosure () -> some ReportedEvent) { report(.reported(event())) }
}
