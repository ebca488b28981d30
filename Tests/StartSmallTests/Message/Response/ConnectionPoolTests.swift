import Foundation
import Testing

@testable import StartSmall

struct ConnectionPoolTests {
    private typealias Counts = ConnectionPool.Counts

    private func origin(_ text: String) throws -> Origin { try #require(URL(string: text).flatMap { Origin($0) }) }

    @Test("the numbers of a pool are the sum of its parts, and a replaced part counts once")
    func sum() throws {
        let pool = ConnectionPool()
        let (one, other) = (try self.origin("https://a.example"), try self.origin("http://b.example"))
        #expect(pool.counts == [:])
        pool.replaceCounts([one: Counts(inUse: 1, idle: 2)], ofPart: 0)
        pool.replaceCounts([one: Counts(inUse: 3), other: Counts(idle: 1)], ofPart: 1)
        #expect(pool.counts == [one: Counts(inUse: 4, idle: 2), other: Counts(idle: 1)])
        pool.replaceCounts([:], ofPart: 1)
        #expect(pool.counts == [one: Counts(inUse: 1, idle: 2)])
        pool.replaceCounts([one: Counts(inUse: -1, idle: 0)], ofPart: 0)
        #expect(pool.counts == [:])
    }

    @Test("a pool is equal to its copies only, which share its numbers")
    func identity() throws {
        let (pool, other) = (ConnectionPool(), ConnectionPool())
        let copy = pool
        copy.replaceCounts([try origin("https://a.example"): Counts(idle: 1)])
        #expect(pool == copy && pool.hashValue == copy.hashValue && pool.counts.count == 1)
        #expect(pool != other && other.counts == [:])
    }

    @Test("the time to connect does not include the time in a queue, and a reused connection has none")
    func timeToConnect() {
        let seconds = { (count: Int64) in Duration.seconds(count) }
        #expect(RequestTimings(total: seconds(9)).timeToConnect == nil)
        #expect(RequestTimings(connect: seconds(3), total: seconds(9)).timeToConnect == seconds(3))
        let secure = RequestTimings(
            connect: seconds(3),
            secureConnection: seconds(5),
            total: seconds(9),
            queued: seconds(2)
        )
        #expect(secure.timeToConnect == seconds(3))
        #expect(RequestTimings(connect: seconds(1), total: seconds(9), queued: seconds(2)).timeToConnect == .zero)
        #expect(secure.description.hasPrefix("queued 2.0 seconds, "))
    }
}
