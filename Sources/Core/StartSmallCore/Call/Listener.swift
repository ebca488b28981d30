import Synchronization

/// A function that receives the events of calls and changes nothing: a log, an activity indicator, metrics.
///
/// A call runs its listeners synchronously, from any thread, with one event at a time, and continues when they return.
/// Events that other threads report while a listener runs are delivered after it, by its thread; they go on at once.
public struct Listener: Sendable {
    /// The function that receives an event; only calls use this function.
    let observe: @Sendable (Event, CallID) -> Void

    /// Creates a listener that receives each event with the ID of its call.
    public init(_ observe: @escaping @Sendable (Event, CallID) -> Void) {
        self.observe = observe
    }

    /// Creates a listener.
    public init(_ observe: @escaping @Sendable (Event) -> Void) {
        self.observe = { event, _ in observe(event) }
    }

    /// Returns a listener that passes each event to both listeners.
    ///
    /// - Parameters:
    ///   - left: receives each event first.
    ///   - right: receives each event second.
    public static func + (left: Listener, right: Listener) -> Listener {
        Listener { event, callID in
            left.observe(event, callID)
            right.observe(event, callID)
        }
    }
}

extension Wrapper {
    /// Sends all events of each call to a listener.
    ///
    /// - Passes through: all calls; neither input nor output is changed.
    /// - Order: any; a listener receives the events of the whole call at any position. Of two, the inner one receives
    ///   each event first.
    public static func listen(to listener: Listener) -> Wrapper {
        Wrapper("listen", wrapping: { $0.adding(listener) })
    }
}

/// The identifier of a call, which distinguishes the calls that a listener observes.
public struct CallID: Hashable, Sendable, CustomStringConvertible {
    /// A number that two calls share only with a probability of 1 in 2⁶⁴.
    public let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// The number as sixteen hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The listener of a connector's calls and the generator of their IDs.
struct ListenerContext: Sendable {
    var listener: Listener
    let nextCallID: @Sendable () -> CallID

    /// Creates a context whose IDs count up from a random number, so that two contexts do not share IDs.
    init(_ listener: Listener) {
        let count = Atomic<UInt64>(.random(in: .min ... .max))
        self.listener = listener
        self.nextCallID = { CallID(rawValue: count.wrappingAdd(1, ordering: .relaxed).newValue) }
    }
}
