import StartSmallTesting
import Testing

@testable import StartSmall

struct TurnstileTests {
    @Test("one at a time, in the order of coming")
    func order() async {
        let turnstile = Turnstile()
        let (go, passed) = (Gate(), Recorder<Int>())
        await withTaskGroup { group in
            for number in 0..<4 {
                let isWaiting = Gate()
                group.addTask {
                    isWaiting.open()
                    await turnstile.pass {
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

    @Test("never two at once, and what is done is handed on")
    func exclusive() async {
        let turnstile = Turnstile()
        let (inside, most) = (Recorder<Int>(), Recorder<Int>())
        await withTaskGroup(of: Int.self) { group in
            for number in 0..<200 {
                group.addTask {
                    await turnstile.pass {
                        inside.append(1)
                        most.append(inside.elements.reduce(0, +))
                        await Task.yield()
                        inside.append(-1)
                        return number
                    }
                }
            }
            let numbers = await group.reduce(into: []) { $0.append($1) }
            #expect(numbers.sorted() == Array(0..<200))
        }
        #expect(most.elements.allSatisfy { $0 == 1 })
    }
}
