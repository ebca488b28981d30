import StartSmallTesting
import Synchronization
import Testing

@testable import StartSmall

struct SerialQueueTests {
    @Test("elements are delivered in order")
    func order() {
        let queue = SerialQueue<Int>()
        var taken: [Int] = []
        for element in 0..<3 where queue.add(element) { queue.deliver { taken.append($0) } }
        #expect(taken == [0, 1, 2])
    }

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

    @Test("with many threads, no element is lost, and the elements of each thread keep their order")
    func concurrent() async {
        let queue = SerialQueue<(sender: Int, number: Int)>()
        let taken = Recorder<(sender: Int, number: Int)>()
        await withTaskGroup { group in
            for sender in 0..<8 {
                group.addTask { @concurrent in
                    for number in 0..<200 where queue.add((sender, number)) { queue.deliver { taken.append($0) } }
                }
            }
        }
        for sender in 0..<8 {
            let numbers = taken.elements.filter { $0.sender == sender }.map(\.number)
            #expect(numbers == Array(0..<200))
        }
    }

    @Test("with many threads, no two elements are delivered at once")
    func alone() async {
        let queue = SerialQueue<Int>()
        let taken = Recorder<Int>()
        let isBusy = Mutex(())
        let overlaps = Recorder<Int>()
        let take: @Sendable (Int) -> Void = { number in
            if isBusy.withLockIfAvailable({ _ in taken.append(number) }) == nil { overlaps.append(number) }
        }
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { @concurrent in
                    for number in 0..<200 where queue.add(number) { queue.deliver(to: take) }
                }
            }
        }
        #expect(overlaps.elements.isEmpty)
        #expect(taken.elements.count == 1600)
    }
}
