import Foundation
import Testing

@testable import StartSmallTesting

@Suite(.timeLimit(.minutes(1))) struct ConnectionRegistryTests {
    private let registry = ConnectionRegistry()
    private let events = Recorder<String>()

    @Test func releasesWhatIsDone() async {
        start { events.append("work") }
        await until { events.elements == ["work", "release"] }
    }

    @Test func doesNotWakeFinishedWork() async {
        start {}
        await until { events.elements == ["release"] }
        registry.stop()
        #expect(events.elements == ["release"])
    }

    @Test func wakesRunningWorkAndEndsOnlyAfterTheRelease() async {
        let latch = Latch()
        start { Latch.block(untilOneOpens: latch, registry.stopped) }
        registry.stop()
        await registry.ended.wait()
        #expect(events.elements == ["wake", "release"])
    }

    @Test func startsNothingOnceStopped() async {
        registry.stop()
        start { events.append("work") }
        #expect(events.elements == ["release"])
        await registry.ended.wait()
    }

    @Test func stoppingTwiceWakesOnce() async {
        let latch = Latch()
        start { Latch.block(untilOneOpens: latch) }
        registry.stop()
        latch.open()
        await registry.ended.wait()
        registry.stop()
        #expect(events.elements == ["wake", "release"])
    }

    @Test func releasesEachOnceWhateverStopsAndStartsAtOnce() async {
        for _ in 0..<200 {
            let (registry, released) = (ConnectionRegistry(), Recorder<Int>())
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<10 {
                    group.addTask { registry.start(wake: {}, release: { released.append(number) }) {} }
                }
                group.addTask { registry.stop() }
            }
            await registry.ended.wait()
            #expect(released.elements.sorted() == Array(0..<10))
        }
    }

    #if os(Linux) && !APPLE_BRANCH
        @Test func itsThreadsAreGoneSoonAfter() async throws {
            let ids = Recorder<String>()
            for _ in 0..<20 {
                start {
                    ids.append((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? "")
                }
            }
            await until { ids.elements.count == 20 }
            registry.stop()
            await registry.ended.wait()
            #expect(ids.elements.allSatisfy { $0.contains("/task/") })
            await until { !ids.elements.contains { FileManager.default.fileExists(atPath: "/proc/\($0)") } }
        }
    #endif

    private func start(_ work: @escaping @Sendable () -> Void) {
        registry.start(
            wake: { [events] in events.append("wake") },
            release: { [events] in events.append("release") },
            work: work
        )
    }
}

/// Waits for a condition that is sure to hold soon; otherwise the suite's time limit ends the test.
func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
