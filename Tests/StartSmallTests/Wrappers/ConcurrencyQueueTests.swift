import Testing

@testable import StartSmall

struct ConcurrencyQueueTests {
    private func queue(_ limit: Int, maxWaiting: Int? = nil, coming: String...) -> ConcurrencyQueue<String> {
        var queue = ConcurrencyQueue<String>(limit: limit, maxWaiting: maxWaiting)
        for name in coming { _ = queue.acquire(name) }
        return queue
    }

    private func decision(_ queue: ConcurrencyQueue<String>) -> ConcurrencyQueue<String>.Decision {
        var queue = queue
        return queue.acquire("x")
    }

    @Test("as many calls go on as there are permits, and each further one waits behind those before it")
    func semaphore() {
        #expect(decision(queue(2)) == .admit)
        #expect(decision(queue(2, coming: "a")) == .admit)
        #expect(decision(queue(2, coming: "a", "b")) == .wait(0, behind: 0))
        #expect(decision(queue(2, coming: "a", "b", "c")) == .wait(1, behind: 1))
    }

    @Test("a call that arrives at a full queue is refused, and takes no permit")
    func maxWaiting() {
        #expect(decision(queue(1, maxWaiting: 1, coming: "a")) == .wait(0, behind: 0))
        #expect(decision(queue(1, maxWaiting: 1, coming: "a", "b")) == .refuse)
        #expect(decision(queue(1, maxWaiting: 0, coming: "a")) == .refuse)
        #expect(queue(1, maxWaiting: 1, coming: "a", "b", "c").count == 1)
    }

    @Test("without permits every call is refused, since none would ever end", arguments: [0, -1, .min])
    func none(_ limit: Int) {
        #expect(decision(queue(limit)) == .refuse)
        #expect(decision(queue(limit, maxWaiting: 5)) == .refuse)
    }

    @Test("the call that arrived first goes on first, with the permit of the one that ended")
    func order() {
        var queue = queue(1, coming: "a", "b", "c")
        let next = [queue.release(), queue.release()]
        #expect(next == ["b", "c"])
        #expect(queue.running == 1)
        let nobody = queue.release()
        #expect(nobody == nil)
        #expect(queue.running == 0)
        #expect(decision(queue) == .admit)
    }

    @Test("a call that leaves the queue is skipped, and makes room")
    func removal() {
        var queue = queue(1, maxWaiting: 2, coming: "a", "b", "c")
        queue.remove(0)
        #expect(decision(queue) == .wait(2, behind: 1))
        let next = queue.release()
        #expect(next == "c")
        queue.remove(1)
        let nobody = queue.release()
        #expect(nobody == nil)
    }
}
