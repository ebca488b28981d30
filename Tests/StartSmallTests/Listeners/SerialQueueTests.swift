import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmall

struct SerialQueueTests {
    @Test("an element that is added during a delivery is delivered by the same caller")
    func meanwhile() {
        let queue = SerialQueue<Int>()
        var taken: [Int] = []
        var wasFirst: [Bool] = [queue.add(0)]
        queue.deliver { element in
            taken.append(element)
            if element < 3 { wasFirst.append(queue.add(element + 1)) }
        }
        #expect(taken == [0, 1, 2, 3])
        #expect(wasFirst == [true, false, false, false])
    }

    @Test("with many threads, no element is lost, no two are delivered at once, and those of a thread keep their order")
    func concurrent() async {
        let queue = SerialQueue<(sender: Int, number: Int)>()
        let (taken, overlaps) = (Recorder<(sender: Int, number: Int)>(), Recorder<Int>())
        let isBusy = Mutex(())
        let take: @Sendable ((sender: Int, number: Int)) -> Void = { element in
            if isBusy.withLockIfAvailable({ _ in taken.append(element) }) == nil { overlaps.append(element.number) }
        }
        await withTaskGroup { group in
            for sender in 0..<8 {
                group.addTask { @concurrent in
                    for number in 0..<200 where queue.add((sender, number)) { queue.deliver(to: take) }
                }
            }
        }
        #expect(overlaps.elements.isEmpty)
        for sender in 0..<8 {
            #expect(taken.elements.filter { $0.sender == sender }.map(\.number) == Array(0..<200))
        }
    }
}
