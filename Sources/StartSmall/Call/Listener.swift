import Synchronization

/// Someone who is told of what happens in calls, and changes nothing: a log, an indicator, metrics.
///
/// A listener is called in the middle of a call, from any thread, and holds the call up until it returns.
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
struct Audience: Sendable {
    var listener: Listener
    let nextCall: @Sendable () -> CallID

    /// An audience that counts from a random number, so that no two number their calls alike.
    init(_ listener: Listener) {
        let count = Atomic<UInt64>(.random(in: .min ... .max))
        self.listener = listener
        self.nextCall = { CallID(rawValue: count.wrappingAdd(1, ordering: .relaxed).newValue) }
    }
}

/// How a wrapper or connector tells the listeners of its call what happens: `report(.custom(name: "hit", detail: key))`.
///
/// The event is not even made where nobody listens. What only the call itself may tell, such as ``Event/ended``, is not
/// passed on, and neither is anything after the end: a wrapper may let go of work that ends later.
public struct Report: Sendable {
    private let tell: (@Sendable (Event) -> Void)?

    /// The report of a new call.
    init(to audience: Audience?) {
        guard let audience else {
            tell = nil
            return
        }
        let (listener, call) = (audience.listener, audience.nextCall())
        let isOver = Atomic(false)
        tell = { event in
            if isOver.load(ordering: .acquiring) { return }
            if case .ended = event { isOver.store(true, ordering: .releasing) }
            listener.hear(event, call)
        }
    }

    /// Whether anybody listens: if not, what is told is not worth finding out.
    public var isHeard: Bool { tell != nil }

    /// Tells the listeners of this call.
    public func callAsFunction(_ event: @autoclosure () -> Event) {
        guard let tell else { return }
        let event = event()
        if !event.isTheCalls { tell(event) }
    }

    /// Tells the listeners what only the call itself may tell.
    ///
    /// Out of line, so that no event takes room in the frame of a call that nobody listens to.
    func call(_ event: @autoclosure () -> Event) {
        if let tell { Self.send(event, to: tell) }
    }

    @inline(never)
    private static func send(_ event: () -> Event, to tell: @Sendable (Event) -> Void) {
        tell(event())
    }
}
