import Chance
import Foundation
import StartSmall
import Synchronization

/// Who calls: many at once, of whom some lose patience.
struct Callers: Sendable {
    /// Twice as many as the limit of concurrency lets through.
    private static let count = Client.limit * 2

    /// One call in so many is cancelled, at a random moment of what most calls take.
    private static let cancelledOneIn = 4
    private static let longestPatience = Duration.milliseconds(20)

    /// How calls ended, by what they ended with.
    typealias Ends = [String: Int]

    let client: Client

    /// What each caller asks for, and when it loses patience, is the same for a seed; what meets what is not.
    let seed: UInt64

    /// Calls until then, and until the last call has ended.
    @concurrent
    func call(until end: ContinuousClock.Instant) async -> Ends {
        await withTaskGroup(of: Ends.self) { group in
            for number in 0..<Self.count {
                group.addTask {
                    var random = SplitMix64(seed: seed &+ UInt64(number))
                    var ends: Ends = [:]
                    while ContinuousClock.now < end { ends[await call(&random), default: 0] += 1 }
                    return ends
                }
            }
            return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
    }

    /// One call, in one of the ways to make one; what it ended with.
    private func call(_ random: inout SplitMix64) async -> String {
        let number = Int.random(in: 0..<Service.texts, using: &random)
        let endpoint = Endpoint.text(.get("texts/\(number)"))
        let call = Guest.$current.withValue(Guest()) { Task { await endpoint.fetch(via: client.connector) } }
        if Int.random(in: 0..<Self.cancelledOneIn, using: &random) == 0 {
            try? await Task.sleep(for: Self.longestPatience * Double.random(in: 0...1, using: &random))
            call.cancel()
        }
        switch await call.value {
        case .right(let text): return text == Service.text(number) ? "answered" : "answered WRONG"
        case .left(.left(.cancelled)): return "cancelled"
        case .left(.left(let error)): return "no response: \(error.name)"
        case .left(.right(.unexpectedStatusCode(let response))): return "status \(response.statusCode.code)"
        case .left(.right): return "unreadable"
        }
    }
}

/// Held by the task of a call, and by all tasks that are made in it, for as long as one of them is left.
final class Guest: Sendable {
    @TaskLocal static var current: Guest?

    private static let living = Atomic(0)

    /// How many are left.
    static var count: Int { living.load(ordering: .sequentiallyConsistent) }

    init() {
        Self.living.add(1, ordering: .relaxed)
    }

    deinit {
        Self.living.subtract(1, ordering: .relaxed)
    }
}
