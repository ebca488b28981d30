import Foundation
import Testing

@testable import StartSmallTesting

@Suite(.timeLimit(.minutes(1))) struct ConnectionRegistryTests {
    private let crew = ConnectionRegistry()
    private let told = Recorder<String>()

    @Test func releasesWhatIsDone() async {
        start { told.append("work") }
        await until { told.elements == ["work", "release"] }
    }

    @Test func wakesNobodyWhoIsDone() async {
        start {}
        await until { told.elements == ["release"] }
        crew.stop()
        #expect(told.elements == ["release"])
    }

    @Test func wakesWhoWorksAndEndsOnlyAfterTheRelease() async {
        let gate = Latch()
        start { Latch.block(untilOneOpens: gate, crew.stopped) }
        crew.stop()
        await crew.ended.wait()
        #expect(told.elements == ["wake", "release"])
    }

    @Test func startsNothingOnceStopped() async {
        crew.stop()
        start { told.append("work") }
        #expect(told.elements == ["release"])
        await crew.ended.wait()
    }

    @Test func stoppingTwiceWakesOnce() async {
        let gate = Latch()
        start { Latch.block(untilOneOpens: gate) }
        crew.stop()
        gate.open()
        await crew.ended.wait()
        crew.stop()
        #expect(told.elements == ["wake", "release"])
    }

    @Test func releasesEachOnceWhateverStopsAndStartsAtOnce() async {
        for _ in 0..<200 {
            let (crew, released) = (ConnectionRegistry(), Recorder<Int>())
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<10 {
                    group.addTask { crew.start(wake: {}, release: { released.append(number) }) {} }
                }
                group.addTask { crew.stop() }
            }
            await crew.ended.wait()
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
            crew.stop()
            await crew.ended.wait()
            #expect(ids.elements.allSatisfy { $0.contains("/task/") })
            await until { !ids.elements.contains { FileManager.default.fileExists(atPath: "/proc/\($0)") } }
        }
    #endif

    private func start(_ work: @escaping @Sendable () -> Void) {
        crew.start(wake: { [told] in told.append("wake") }, release: { [told] in told.append("release") }, work: work)
    }
}

/// Waits for what is sure to come soon; a time limit is for when it does not.
func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
