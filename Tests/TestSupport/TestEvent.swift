public import StartSmallCore

/// A reported event of any name.
public struct TestEvent: ReportedEvent {
    public let name: String

    public init(_ name: String) { self.name = name }
}
