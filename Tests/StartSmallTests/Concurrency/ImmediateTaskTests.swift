import StartSmallTesting
import Testing

@testable import StartSmall

struct ImmediateTaskTests {
    @Test("what is begun goes on after it has waited, and its value arrives")
    func waiting() async {
        let gate = Latch()
        let task = Task.startedImmediately {
            await gate.wait()
            return 1
        }
        gate.open()
        #expect(await task.value == 1)
    }

    @Test("it is a task of its own: cancelling it leaves its caller alone")
    func cancelling() async {
        let task = Task.startedImmediately {
            await Latch().wait()
            return Task.isCancelled
        }
        task.cancel()
        #expect(await task.value)
        #expect(!Task.isCancelled)
    }

    @Test("what ends without waiting has ended when its caller goes on")
    func atOnce() async {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let done = Recorder<Int>()
        _ = Task.startedImmediately { done.append(1) }
        #expect(done.elements == [1])
    }
}
