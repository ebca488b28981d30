import StartSmallTesting
import Testing

import StartSmallSupport

struct ImmediateTaskTests {
    @Test("an immediate task continues after a suspension, and its value is returned")
    func waiting() async {
        let latch = Latch()
        let task = Task.startedImmediately {
            await latch.wait()
            return 1
        }
        latch.open()
        #expect(await task.value == 1)
    }

    @Test("an immediate task that never suspends has ended when its caller continues")
    func atOnce() async {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let done = Recorder<Int>()
        _ = Task.startedImmediately { done.append(1) }
        #expect(done.elements == [1])
    }
}
