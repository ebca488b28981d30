import Foundation
import StartSmall
import Synchronization

/// Many concurrent callers, of whom some cancel.
struct Callers: Sendable {
    /// Twice the limit of concurrent calls.
    private static let count = Client.limit * 2

    /// One call in this number is cancelled, at a random moment of the time that most calls take.
    private static let cancelledOneIn = 4
    private static let maxCancellationDelay = Duration.milliseconds(20)

    /// The number of calls for each kind of end.
    typealias Ends = [String: Int]

    let client: Client

    /// Makes calls until `end`, and waits until the last call has ended.
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

    /// Makes one call in a random way, and returns how it ended.
    private func call() async -> String {
        let (number, guest, way) = (Int.random(in: 0..<Service.texts), Guest(), Way.allCases.randomElement() ?? .text)
        let call = Task {
            defer { withExtendedLifetime(guest) {} }
            return await way.end(of: number, via: client.connector)
        }
        if Int.random(in: 0..<Self.cancelledOneIn) == 0 {
            try? await Task.sleep(for: Self.maxCancellationDelay * Double.random(in: 0...1))
            call.cancel()
        }
        return await call.value
    }
}

/// An object that a call retains as long as anything of the call remains.
final class Guest: Sendable {
    private static let living = Atomic(0)

    /// The number of remaining objects.
    static var count: Int { living.load(ordering: .sequentiallyConsistent) }

    init() {
        Self.living.add(1, ordering: .relaxed)
    }

    deinit {
        Self.living.subtract(1, ordering: .relaxed)
    }
}
