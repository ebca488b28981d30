import Foundation
import StartSmall
import StartSmallMetrics
import Testing

struct ConnectionStatisticsTests {
    private func origin(_ text: String) throws -> Origin { try #require(URL(string: text).flatMap { Origin($0) }) }

    /// Reports a request to a listener.
    private func report(_ timings: RequestTimings, to metrics: CallMetrics) async {
        let engine = Connector { _, context in
            context.report(.timings(timings))
            return .hasResponse(Fixture.ok)
        }
        _ = await WebAPI.call(with: Fixture.input, via: engine.wrapped(by: .listen(to: .metrics(metrics))))
    }

    @Test("the connections of several engines add up, and are read when the snapshot is")
    func sum() async throws {
        let metrics = CallMetrics(bounds: [.seconds(1)])
        let origin = try self.origin("https://api.example.com/")
        let pools = [ConnectionPool(), ConnectionPool()]
        for pool in pools {
            pool.replaceCounts([origin: .init(inUse: 1, idle: 2)])
            let timings = RequestTimings(
                connect: .seconds(3),
                total: .seconds(5),
                queued: .seconds(2),
                origin: origin,
                pool: pool
            )
            await report(timings, to: metrics)
        }
        let statistics = try #require(metrics.snapshot.connections["https://api.example.com:443"])
        #expect((statistics.inUse, statistics.idle) == (2, 4))
        #expect((statistics.queued.sum, statistics.connecting.sum) == (.seconds(4), .seconds(2)))
        for pool in pools { pool.replaceCounts([:]) }
        let later = try #require(metrics.snapshot.connections["https://api.example.com:443"])
        #expect((later.inUse, later.idle, later.queued.count) == (0, 0, 2))
    }

    @Test("an engine that reports no connections has no statistics of them")
    func none() async {
        let metrics = CallMetrics()
        await report(RequestTimings(connect: .seconds(1), total: .seconds(2)), to: metrics)
        #expect(metrics.snapshot.connections.isEmpty)
        #expect(!metrics.snapshot.openMetrics.contains("startsmall_connection"))
    }

    @Test("origins beyond the limit are counted together")
    func limit() async throws {
        let metrics = CallMetrics(nameLimit: 2)
        let pool = ConnectionPool()
        let origins = try (0..<5).map { try self.origin("https://host\($0).example.com/") }
        pool.replaceCounts(Dictionary(uniqueKeysWithValues: origins.map { ($0, .init(idle: 1)) }))
        for origin in origins {
            await report(RequestTimings(total: .seconds(1), queued: .zero, origin: origin, pool: pool), to: metrics)
        }
        let connections = metrics.snapshot.connections
        #expect(Set(connections.keys) == ["https://host0.example.com:443", "https://host1.example.com:443", "other"])
        #expect(connections["other"]?.idle == 3 && connections["other"]?.queued.count == 3)
    }

    @Test("the text of connections has a gauge and two histograms, in a fixed order")
    func openMetrics() async throws {
        let metrics = CallMetrics(bounds: [.seconds(1)])
        let origin = try self.origin("http://b.example:8080")
        let pool = ConnectionPool()
        pool.replaceCounts([origin: .init(inUse: 1, idle: 2)])
        let timings = RequestTimings(
            connect: .seconds(3),
            total: .seconds(5),
            queued: .zero,
            origin: origin,
            pool: pool
        )
        await report(timings, to: metrics)
        let lines = metrics.snapshot.openMetrics.split(separator: "\n")
            .filter { $0.hasPrefix("startsmall_connection") }
        let label = #"origin="http://b.example:8080""#
        #expect(
            lines == [
                "startsmall_connections{\(label),state=\"in_use\"} 1",
                "startsmall_connections{\(label),state=\"idle\"} 2",
                "startsmall_connection_queue_seconds_bucket{\(label),le=\"1.0\"} 1",
                "startsmall_connection_queue_seconds_bucket{\(label),le=\"+Inf\"} 1",
                "startsmall_connection_queue_seconds_count{\(label)} 1",
                "startsmall_connection_queue_seconds_sum{\(label)} 0.0",
                "startsmall_connection_setup_seconds_bucket{\(label),le=\"1.0\"} 0",
                "startsmall_connection_setup_seconds_bucket{\(label),le=\"+Inf\"} 1",
                "startsmall_connection_setup_seconds_count{\(label)} 1",
                "startsmall_connection_setup_seconds_sum{\(label)} 3.0",
            ]
        )
    }
}
