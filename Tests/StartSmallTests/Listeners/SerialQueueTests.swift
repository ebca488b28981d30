import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmall

struct SerialQueueTests {
    @Test("what is added is handed out in order")
    func order() {
        let outbox = SerialQueue<Int>()
        var taken: [Int] = []
        for element in 0..<3 where outbox.add(element) { outbox.handOut { taken.append($0) } }
        #expect(taken == [0, 1, 2])
    }

    @Test("what is added while one hands out is handed out by that one")
    func meanwhile() {
        let outbox = SerialQueue<Int>()
        var taken: [Int] = []
        var wasFirst: [Bool] = [outbox.add(0)]
        outbox.handOut { element in
            taken.append(element)
            if element < 3 { wasFirst.append(outbox.add(element + 1)) }
        }
        #expect(taken == [0, 1, 2, 3])
        #expect(wasFirst == [true, false, false, false])
    }

    @Test("many threads lose nothing, and what each of them adds keeps its order")
    func concurrent() async {
        let outbox = SerialQueue<(sender: Int, number: Int)>()
        let taken = Recorder<(sender: Int, number: Int)>()
        await withTaskGroup { group in
            for sender in 0..<8 {
                group.addTask { @concurrent in
                    for number in 0..<200 where outbox.add((sender, number)) { outbox.handOut { taken.append($0) } }
                }
            }
        }
        for sender in 0..<8 {
            let numbers = taken.elements.filter { $0.sender == sender }.map(\.number)
            #expect(numbers == Array(0..<200))
        }
    }

    @Test("many threads never hand out two things at once")
    func alone() async {
        let outbox = SerialQueue<Int>()
        let taken = Recorder<Int>()
        let isBusy = Mutex(())
        let overlaps = Recorder<Int>()
        let take: @Sendable (Int) -> Void = { number in
            if isBusy.withLockIfAvailable({ _ in taken.append(number) }) == nil { overlaps.append(number) }
        }
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    for number in 0..<200 where outbox.add(number) { outbox.handOut(to: take) }
                }
            }
        }
        #expect(overlaps.elements.isEmpty)
        #expect(taken.elements.count == 1600)
    }
}
