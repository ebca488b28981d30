import StartSmallTesting
import Testing

@testable import StartSmall

struct AsyncMutexTests {
    /// Returns a function that runs a body through a new mutex, and one that counts its waiting callers.
    private func passing() -> (
        pass: @Sendable (@Sendable () async -> Void) async -> Void, waiting: @Sendable () -> Int
    ) {
        let mutex = AsyncMutex()
        return ({ body in await mutex.withLock(body) }, { mutex.waitingCount })
    }

    @Test("callers pass one at a time, in the order of their arrival")
    func order() async {
        let (pass, waiting) = passing()
        let (begun, go, passed) = (Latch(), Latch(), Recorder<Int>())
        await withTaskGroup { group in
            group.addTask {
                await pass {
                    begun.open()
                    await go.wait()
                    passed.append(0)
                }
            }
            await begun.wait()
            for number in 1..<4 {
                group.addTask { await pass { passed.append(number) } }
                await eventually { waiting() == number }
            }
            #expect(passed.elements.isEmpty)
            go.open()
        }
        #expect(passed.elements == [0, 1, 2, 3])
    }

    @Test("no two callers are inside of the mutex at once")
    func exclusive() async {
        let pass = passing().pass
        let (inside, most) = (Recorder<Int>(), Recorder<Int>())
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    await pass {
                        inside.append(1)
                        most.append(inside.elements.reduce(0, +))
                        await Task.yield()
                        inside.append(-1)
                    }
                }
            }
        }
        #expect(most.elements == Array(repeating: 1, count: 200))
    }

    @Test("the result of the body is returned")
    func result() async {
        let mutex = AsyncMutex()
        #expect(await mutex.withLock { 1 } == 1)
    }
}
