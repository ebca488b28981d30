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

    /// Calls until then, and until the last call has ended.
    @concurrent
    func call(until end: ContinuousClock.Instant) async -> Ends {
        await withTaskGroup(of: Ends.self) { group in
            for _ in 0..<Self.count {
                group.addTask {
                    var ends: Ends = [:]
                    while ContinuousClock.now < end { ends[await call(), default: 0] += 1 }
                    return ends
                }
            }
            return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
    }

    /// One call, in one of the ways to make one; what it ended with.
    private func call() async -> String {
        let (number, guest, way) = (Int.random(in: 0..<Service.texts), Guest(), Way.allCases.randomElement() ?? .text)
        let call = Task {
            defer { withExtendedLifetime(guest) {} }
            return await way.end(of: number, via: client.connector)
        }
        if Int.random(in: 0..<Self.cancelledOneIn) == 0 {
            try? await Task.sleep(for: Self.longestPatience * Double.random(in: 0...1))
            call.cancel()
        }
        return await call.value
    }
}

/// Held by a call for as long as anything of it is left.
final class Guest: Sendable {
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
