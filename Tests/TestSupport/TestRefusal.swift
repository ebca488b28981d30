public import StartSmallCore

/// A refusal with any facts.
public struct TestRefusal: Refusal {
    public var name = "testRefusal"
    public var reason = "by a test"
    public var isTransient = false
    public var end = RefusalEnd.never
    public var fault = ConnectionError.Fault.caller

    public init(isTransient: Bool = false, end: RefusalEnd = .never, fault: ConnectionError.Fault = .caller) {
        (self.isTransient, self.end, self.fault) = (isTransient, end, fault)
    }
}
