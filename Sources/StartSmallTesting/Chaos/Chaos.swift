public import StartSmall
import Synchronization

extension Wrapper {
    /// Wrapper that makes trouble on purpose: what a network and a server do on a bad day, the same in each run.
    ///
    /// ```swift
    /// .chaos(.latency(.seconds(2), when: .probability(0.3)), .status(.serviceUnavailable, when: .calls(1...2)), seed: 7)
    /// ```
    ///
    /// All faults whose time has come are done in the order in which they are given: a latency first, and then an error,
    /// is an error that comes late. The first error or status answers, and the connector inside is not called.
    ///
    /// **What a seed reproduces.** A fault is decided by the seed, the fault's place in the list, the method and URL of the
    /// request, and the number of the call among those of the same method and URL. The port of a server on this machine,
    /// which is another in each run, counts for the number alone. No clock and no order of calls to elsewhere has a part
    /// in it, so that a run with many calls at once has the very same faults each time; only which of several calls that
    /// ask for the same at once is the first of them is for the machine to say.
    ///
    /// - Unchanged when: no fault's time has come.
    /// - Order: inside of what is tested, as the innermost.
    /// - Fails with: what the faults say, and `ConnectionError.cancelled` at once when the task is cancelled
    ///   while it waits.
    /// - State: the numbers of the calls, of its own in each connector that is wrapped.
    ///
    /// - Parameters:
    ///   - faults: what goes wrong, and when.
    ///   - seed: another one is another run.
    ///   - clock: what the waiting is measured by.
    public static func chaos(
        _ faults: Fault...,
        seed: UInt64 = 0,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Wrapper {
        Wrapper(wrapping: { connector in
            let numbers = Mutex<[String: Int]>([:])
            let chaotic = Wrapper { input, next in
                let name = input.nameForChance
                let number = numbers.withLock { numbers in
                    let number = (numbers[name] ?? 0) + 1
                    numbers[name] = number
                    return number
                }
                let decisive = input.nameForSeed
                let acts = faults.enumerated().filter { index, fault in
                    let chance = SeededHash.of(seed: seed, fault: index, request: decisive, number: number)
                    return fault.occasion(FaultTrigger.Call(input: input, number: number, chance: chance))
                }
                return await FaultInjector(acts.map(\.element.kind), clock: clock).call(input, next)
            }
            return connector.wrapped(by: chaotic)
        })
    }
}

/// A thing that goes wrong, and when; for ``StartSmall/Wrapper/chaos(_:seed:clock:)``.
public struct Fault: Sendable {
    /// What goes wrong.
    enum Kind: Sendable {
        case latency(Duration)
        case output(Output)
        case truncated(Int)
        case cutOff(Int)
        case slow(bytes: Int, every: Duration)
    }

    let kind: Kind
    let occasion: FaultTrigger

    /// Nothing happens for so long, before anything is sent.
    public static func latency(_ duration: Duration, when occasion: FaultTrigger = .always) -> Fault {
        Fault(kind: .latency(duration), occasion: occasion)
    }

    /// There is no response.
    public static func error(_ error: ConnectionError, when occasion: FaultTrigger = .always) -> Fault {
        Fault(kind: .output(.noResponse(error)), occasion: occasion)
    }

    /// The server answers with a status and no payload.
    public static func status(
        _ status: HTTPStatus,
        headers: HTTPHeaders = [:],
        when occasion: FaultTrigger = .always
    ) -> Fault {
        Fault(kind: .output(.status(status, headers: headers)), occasion: occasion)
    }

    /// The payload ends after so many bytes, as if that were all of it.
    public static func truncated(toBytes count: Int, when occasion: FaultTrigger = .always) -> Fault {
        Fault(kind: .truncated(max(0, count)), occasion: occasion)
    }

    /// The connection is lost after so many bytes of payload; a shorter payload comes whole.
    ///
    /// It ends with `ConnectionError.connectionLost`, which keeps what had arrived; a file or receiver gets
    /// that too.
    public static func cutOff(afterBytes count: Int, when occasion: FaultTrigger = .always) -> Fault {
        Fault(kind: .cutOff(max(0, count)), occasion: occasion)
    }

    /// The payload comes so many bytes at a time, with a wait before each; a file or receiver gets it in those parts.
    public static func slow(
        bytes count: Int,
        every pause: Duration,
        when occasion: FaultTrigger = .always
    ) -> Fault {
        Fault(kind: .slow(bytes: max(1, count), every: pause), occasion: occasion)
    }
}

/// When a fault's time has come.
public struct FaultTrigger: Sendable {
    /// A call, as a rule sees it.
    public struct Call: Sendable {
        /// What is asked for.
        public var input: Input

        /// The call's number among those of the same method and URL; the first has 1.
        public var number: Int

        /// A number from 0 up to but not 1, which the seed decides.
        public var chance: Double
    }

    private let has: @Sendable (Call) -> Bool

    /// Creates a rule of one's own.
    public init(_ has: @escaping @Sendable (Call) -> Bool) {
        self.has = has
    }

    /// Whether a fault's time has come.
    public func callAsFunction(_ call: Call) -> Bool {
        has(call)
    }

    /// In every call.
    public static let always = FaultTrigger { _ in true }

    /// In this share of the calls, from 0 to 1, by chance.
    public static func probability(_ probability: Double) -> FaultTrigger {
        FaultTrigger { $0.chance < probability }
    }

    /// In the calls of these numbers, as in `.calls(1...2)`, counted for each method and URL.
    public static func calls(_ numbers: ClosedRange<Int>) -> FaultTrigger {
        FaultTrigger { numbers.contains($0.number) }
    }

    /// In every so many calls, counted for each method and URL; in none if that is below 1.
    public static func every(_ count: Int) -> FaultTrigger {
        FaultTrigger { count > 0 && $0.number.isMultiple(of: count) }
    }

    /// In calls of such requests.
    public static func matching(_ matches: @escaping @Sendable (Input) -> Bool) -> FaultTrigger {
        FaultTrigger { matches($0.input) }
    }

    /// When the time of both has come.
    public func and(_ other: FaultTrigger) -> FaultTrigger {
        FaultTrigger { self($0) && other($0) }
    }
}
