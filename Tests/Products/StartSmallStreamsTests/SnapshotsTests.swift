import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import TestSupport
import Testing

struct SnapshotsTests {
    private let lines = Endpoint.lines(.get("https://api.example.com/log"))

    @Test("a snapshot follows each element, none precedes the first, and each iteration begins anew")
    func prefixes() async throws {
        let texts = lines.values(via: .stub(parts: ["a\nb\n", "c"])).snapshots(into: "-") { $0 += $1 }
        for _ in 1...2 {
            var snapshots: [String] = []
            for try await snapshot in texts { snapshots.append(snapshot) }
            #expect(snapshots == ["-a", "-ab", "-abc"])
        }
        let none = lines.values(via: .stub(parts: [String]())).snapshots(into: "-") { $0 += $1 }
        for try await snapshot in none { Issue.record("\(snapshot)") }
    }

    @Test("a failure is thrown after the snapshots before it, with its type")
    func failure() async {
        let stub = Connector.stub(parts: ["a\n"], failingWith: Fixture.lost)
        var snapshots: [String] = []
        do throws(CallError<TransformError<Never>>) {
            let texts = lines.values(via: stub).snapshots(into: "") { $0 += $1 }
            for try await snapshot in texts { snapshots.append(snapshot) }
            Issue.record("no failure")
        } catch {
            #expect(error == .left(Fixture.lost(after: Response(statusCode: .ok), reading: 2)))
        }
        #expect(snapshots == ["a"])
    }

    @Test("failures as elements are added, too")
    func elements() async {
        let bad = Endpoint.jsonLines(Int.self, .get("https://api.example.com/log")).stream(
            via: .stub(parts: ["1\nx\n2\n"])
        )
        let counts = bad.snapshots(into: (sum: 0, failures: 0)) { counts, element in
            switch element {
            case .right(let number): counts.sum += number
            case .left: counts.failures += 1
            }
        }
        let last = await all(counts).last
        #expect(last?.sum == 3 && last?.failures == 1)
    }

    @Test("cancelling the consumer is the failure of the sequence below")
    func cancelled() async {
        let texts = lines.values(via: .stub(parts: ["a\nb\n"])).snapshots(into: "") { $0 += $1 }
        let task = Task { () -> (Int, (any Error)?) in
            var count = 0
            do {
                for try await _ in texts {
                    count += 1
                    withUnsafeCurrentTask { $0?.cancel() }
                }
                return (count, nil)
            } catch {
                return (count, error)
            }
        }
        let (count, error) = await task.value
        #expect(count == 1)
        #expect(error as? CallError<TransformError<Never>> == .left(.cancelled))
    }

    /// A value that counts its copies, as an array copies its elements.
    private struct Counted: Sendable {
        final class Storage: Sendable {}
        private(set) var storage = Storage()
        private(set) var copies = 0

        mutating func add() {
            if isKnownUniquelyReferenced(&storage) { return }
            (storage, copies) = (Storage(), copies + 1)
        }
    }

    @Test("a snapshot is changed in place, unless its consumer has kept it", arguments: [true, false])
    func copies(keeping: Bool) async throws {
        let text = String(repeating: "a\n", count: 100)
        let snapshots = lines.values(via: .stub(parts: [text])).snapshots(into: Counted()) { counted, _ in counted.add()
        }
        var (kept, copies): ([Counted], Int) = ([], 0)
        for try await snapshot in snapshots {
            copies = snapshot.copies
            if keeping { kept.append(snapshot) }
        }
        // The value with which it begins is copied for the iteration.
        #expect(copies == (keeping ? 100 : 1))
    }
}
