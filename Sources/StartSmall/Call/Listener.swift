import Synchronization

/// Someone who is told of what happens in calls, and changes nothing: a log, an indicator, metrics.
///
/// A listener is called in the middle of a call, from any thread. It holds the call up until it returns, unless another
/// thread is inside a listener when the call ends: then the last events follow from that thread, and the call does not
/// wait.
public struct Listener: Sendable {
    /// Hears of an event; only calls do this.
    let hear: @Sendable (Event, CallID) -> Void

    /// Creates a listener that also hears in which call something happens.
    public init(_ hear: @escaping @Sendable (Event, CallID) -> Void) {
        self.hear = hear
    }

    /// Creates a listener.
    public init(_ hear: @escaping @Sendable (Event) -> Void) {
        self.hear = { event, _ in hear(event) }
    }

    /// A listener that lets both hear, the left one first.
    public static func + (left: Listener, right: Listener) -> Listener {
        Listener { event, call in
            left.hear(event, call)
            right.hear(event, call)
        }
    }
}

/// What tells the calls apart of which a listener hears.
public struct CallID: Hashable, Sendable, CustomStringConvertible {
    /// A number that no two calls share but by a chance of 1 in 2⁶⁴.
    public let rawValue: UInt64

    /// Creates an id; calls make their own.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Sixteen hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// Who hears of the calls of a connector, and what numbers them.
struct ListenerContext: Sendable {
    var listener: Listener
    let nextCall: @Sendable () -> CallID

    /// An audience that counts from a random number, so that no two number their calls alike.
    init(_ listener: Listener) {
        let count = Atomic<UInt64>(.random(in: .min ... .max))
        self.listener = listener
        self.nextCall = { CallID(rawValue: count.wrappingAdd(1, ordering: .relaxed).newValue) }
    }
}
