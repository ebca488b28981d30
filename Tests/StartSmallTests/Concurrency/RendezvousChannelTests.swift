import StartSmallTesting
import Testing

@testable import StartSmall

struct RendezvousChannelTests {
    @Test("what is sent is taken, in order, and each send waits until then")
    func order() async {
        let handoff = RendezvousChannel<Int>()
        let sent = Recorder<Int>()
        let sender = Task {
            for number in 1...100 where await handoff.send(number) { sent.append(number) }
            handoff.finish()
        }
        var taken: [Int] = []
        while let number = await handoff.next() {
            taken.append(number)
            #expect(sent.elements.count <= taken.count)
        }
        await sender.value
        #expect(taken == Array(1...100))
        #expect(sent.elements == taken)
    }

    @Test("after the end nothing is taken, and nothing can be sent")
    func finished() async {
        let handoff = RendezvousChannel<Int>()
        handoff.finish()
        #expect(await handoff.next() == nil)
        #expect(await handoff.send(1) == false)
    }

    @Test("the end wakes who waits to take")
    func finishWakesTaker() async {
        let handoff = RendezvousChannel<Int>()
        let taker = Task { await handoff.next() }
        handoff.finish()
        #expect(await taker.value == nil)
    }

    @Test("the end wakes who waits to send")
    func finishWakesSender() async {
        let handoff = RendezvousChannel<Int>()
        let sender = Task { await handoff.send(1) }
        handoff.finish()
        #expect(await sender.value == false)
    }

    @Test("a cancelled sender waits no more, and what it offered is gone")
    func cancelledSender() async {
        let handoff = RendezvousChannel<Int>()
        let sender = Task { await handoff.send(1) }
        sender.cancel()
        #expect(await sender.value == false)
        let other = Task { await handoff.send(2) }
        #expect(await handoff.next() == 2)
        #expect(await other.value)
    }

    @Test("a cancelled taker waits no more, and nothing is lost with it")
    func cancelledTaker() async {
        let handoff = RendezvousChannel<Int>()
        let taker = Task { await handoff.next() }
        taker.cancel()
        #expect(await taker.value == nil)
        let sender = Task { await handoff.send(1) }
        #expect(await handoff.next() == 1)
        #expect(await sender.value)
    }

    @Test("sending, taking and cancelling at random moments leaves nobody waiting")
    func storm() async {
        await withTaskGroup { group in
            for _ in 0..<500 {
                group.addTask {
                    let handoff = RendezvousChannel<Int>()
                    let sender = Task {
                        for number in 0..<10 where await !handoff.send(number) { break }
                        handoff.finish()
                    }
                    let taker = Task { while await handoff.next() != nil { await Task.yield() } }
                    for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
                    if Bool.random() { sender.cancel() } else { taker.cancel() }
                    if Bool.random() { handoff.finish() }
                    await taker.value
                    handoff.finish()
                    await sender.value
                }
            }
        }
    }
}
