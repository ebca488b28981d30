import StartSmallTesting
import Testing

@testable import StartSmall

struct TurnstileTests {
    /// What passes through a turnstile of its own.
    private func passing() -> @Sendable (@Sendable () async -> Void) async -> Void {
        let turnstile = Turnstile()
        return { body in await turnstile.pass(body) }
    }

    @Test("one at a time, in the order of coming")
    func order() async {
        let pass = passing()
        let (go, passed) = (Gate(), Recorder<Int>())
        await withTaskGroup { group in
            for number in 0..<4 {
                let isWaiting = Gate()
                group.addTask {
                    isWaiting.open()
                    await pass {
                        if number == 0 { await go.wait() }
                        passed.append(number)
                    }
                }
                await isWaiting.wait()
                for _ in 0..<100 { await Task.yield() }
            }
            #expect(passed.elements.isEmpty)
            go.open()
        }
        #expect(passed.elements.sorted() == [0, 1, 2, 3])
        #expect(passed.elements.first == 0)
    }

    @Test("never two at once")
    func exclusive() async {
        let pass = passing()
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

    @Test("what is done is handed on")
    func result() async {
        let turnstile = Turnstile()
        #expect(await turnstile.pass { 1 } == 1)
    }
}
