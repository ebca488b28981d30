public import StartSmallCore
import StartSmallSupport
import Synchronization

extension Wrapper {
    /// Injects faults of networks and servers, the same in each run.
    ///
    /// ```swift
    /// .chaos(
    ///     .latency(.seconds(2), when: .probability(0.3)),
    ///     .status(.serviceUnavailable, when: .calls(1...2)),
    ///     seed: 7
    /// )
    /// ```
    ///
    /// All triggered faults occur in the order of the list: a latency followed by an error is a late error. The first
    /// error or status ends the call, and the inner connector is not called.
    ///
    /// A fault is determined by the seed, the fault's index in the list, the method and URL of the request, and the
    /// number of the call among those of the same method and URL; not by the port of a server on this machine.
    ///
    /// - Passes through: calls without a triggered fault.
    /// - Order: inside of the tested code, as the innermost wrapper.
    /// - Errors: those of the faults, and `ConnectionError.cancelled` as soon as the task is cancelled during a wait.
    /// - State: the numbers of the calls, separate for each wrapped connector.
    ///
    /// - Parameters:
    ///   - faults: the faults and their triggers.
    ///   - seed: the seed of the run; another seed gives other faults.
    ///   - clock: the clock that measures the waits.
    public static func chaos(
        _ faults: Fault...,
        seed: UInt64 = 0,
        clock: some Clock<Duration> = ContinuousClock()
    ) -> Wrapper {
        Wrapper("chaos") { connector in
            let numbers = Mutex<[String: Int]>([:])
            let chaotic = Wrapper.streaming { input, next in
                if next.context.isDryRun { return await next(input) }
                let number = numbers.withLock { numbers in
                    numbers[input.nameForChance, default: 0] += 1
                    return numbers[input.nameForChance, default: 0]
                }
                var payloadFaults = PayloadFaults()
                for (index, fault) in faults.enumerated() {
                    let chance = SeededHash.of("\(seed) \(index) \(number) \(input.nameForSeed)")
                    let call = FaultTrigger.Call(input: input, number: number, chance: chance)
                    guard fault.trigger.has(call) else { continue }
                    switch fault.kind {
                    case .output(let output): return output
                    case .payload(let change): change(&payloadFaults)
                    case .latency(let duration):
                        do { try await clock.sleep(for: min(max(duration, .zero), .maximumWait)) } catch {
                            return .noResponse(.cancelled)
                        }
                    }
                }
                return payloadFaults.applied(to: await next(input), clock: clock)
            }
            return connector.wrapped(by: chaotic)
        }
    }
}

/// A fault and its trigger, for ``StartSmall/Wrapper/chaos(_:seed:clock:)``.
public struct Fault: Sendable {
    enum Kind: Sendable {
        case latency(Duration)
        case output(Output)
        case payload(@Sendable (inout PayloadFaults) -> Void)
    }

    let kind: Kind
    let trigger: FaultTrigger

    /// Returns a fault that delays the call before anything is sent.
    ///
    /// - Parameters:
    ///   - duration: the delay.
    ///   - trigger: the trigger of the fault.
    public static func latency(_ duration: Duration, when trigger: FaultTrigger = .always) -> Fault {
        Fault(kind: .latency(duration), trigger: trigger)
    }

    /// Returns a fault that ends the call with `error` instead of a response.
    ///
    /// - SeeAlso: ``latency(_:when:)``
    public static func error(_ error: ConnectionError, when trigger: FaultTrigger = .always) -> Fault {
        Fault(kind: .output(.noResponse(error)), trigger: trigger)
    }

    /// Returns a fault that responds with `status`, `headers` and no payload.
    ///
    /// - SeeAlso: ``latency(_:when:)``
    public static func status(
        _ status: HTTPStatus,
        headers: HTTPHeaders = [:],
        when trigger: FaultTrigger = .always
    ) -> Fault {
        Fault(kind: .output(.status(status, headers: headers)), trigger: trigger)
    }

    /// Returns a fault that truncates the payload to `count` bytes, as if the rest did not exist.
    ///
    /// - SeeAlso: ``latency(_:when:)``
    public static func truncated(toBytes count: Int, when trigger: FaultTrigger = .always) -> Fault {
        Fault(kind: .payload { $0.truncate(toBytes: count) }, trigger: trigger)
    }

    /// Returns a fault that loses the connection after `count` bytes of payload; a shorter one is delivered completely.
    ///
    /// The call ends with `ConnectionError.connectionLost`, which contains the arrived bytes; a stream has these
    /// bytes, too.
    ///
    /// - SeeAlso: ``latency(_:when:)``
    public static func cutOff(afterBytes count: Int, when trigger: FaultTrigger = .always) -> Fault {
        Fault(kind: .payload { $0.truncate(toBytes: count, isLoss: true) }, trigger: trigger)
    }

    /// Returns a fault that delivers the payload slowly, in parts of `count` bytes, with a `pause` before each part.
    ///
    /// - SeeAlso: ``latency(_:when:)``
    public static func slow(bytes count: Int, every pause: Duration, when trigger: FaultTrigger = .always) -> Fault {
        Fault(kind: .payload { ($0.step, $0.pause) = (max(1, count), pause) }, trigger: trigger)
    }
}

/// A condition under which a fault occurs, such as `FaultTrigger { $0.input.url.path() == "/orders" && $0.number < 3 }`.
public struct FaultTrigger: Sendable {
    /// A call, for the condition of a trigger.
    public struct Call: Sendable {
        /// The input of the call.
        public var input: Input

        /// The call's number among those of the same method and URL, from 1.
        public var number: Int

        /// A random number from 0 up to but not including 1, which the seed determines.
        public var chance: Double
    }

    let has: @Sendable (Call) -> Bool

    /// Creates a custom trigger.
    ///
    /// - Parameter has: returns whether the fault occurs in a call.
    public init(_ has: @escaping @Sendable (Call) -> Bool) {
        self.has = has
    }

    /// A trigger in every call.
    public static let always = FaultTrigger { _ in true }

    /// Returns a trigger in a random share of the calls.
    ///
    /// - Parameter probability: the share, from 0 to 1.
    public static func probability(_ probability: Double) -> FaultTrigger {
        FaultTrigger { $0.chance < probability }
    }

    /// Returns a trigger in the calls of these numbers, as in `.calls(1...2)`.
    ///
    /// - Parameter numbers: the numbers of the calls, from 1, counted for each method and URL.
    public static func calls(_ numbers: ClosedRange<Int>) -> FaultTrigger {
        FaultTrigger { numbers.contains($0.number) }
    }
}
