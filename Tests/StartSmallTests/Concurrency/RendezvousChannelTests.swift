import StartSmallTesting
import Testing

@testable import StartSmall

struct RendezvousChannelTests {
    @Test("elements are received in the order they are sent, and each send waits for its element's receipt")
    func order() async {
        let channel = RendezvousChannel<Int>()
        let sent = Recorder<Int>()
        let sender = Task {
            for number in 1...100 where await channel.send(number) { sent.append(number) }
            channel.finish()
        }
        var received: [Int] = []
        while let number = await channel.next() {
            received.append(number)
            #expect(sent.elements.count <= received.count)
        }
        await sender.value
        #expect(received == Array(1...100))
        #expect(sent.elements == received)
    }

    @Test("after finish(), next() returns nil and send(_:) returns false")
    func finished() async {
        let channel = RendezvousChannel<Int>()
        channel.finish()
        #expect(await channel.next() == nil)
        #expect(await channel.send(1) == false)
    }

    @Test("finish() resumes a waiting next() with nil")
    func finishWakesTaker() async {
        let channel = RendezvousChannel<Int>()
        let consumer = Task { await channel.next() }
        channel.finish()
        #expect(await consumer.value == nil)
    }

    @Test("finish() resumes a waiting send(_:) with false")
    func finishWakesSender() async {
        let channel = RendezvousChannel<Int>()
        let sender = Task { await channel.send(1) }
        channel.finish()
        #expect(await sender.value == false)
    }

    @Test("a cancelled send(_:) returns false, and its element is dropped")
    func cancelledSender() async {
        let channel = RendezvousChannel<Int>()
        let sender = Task { await channel.send(1) }
        sender.cancel()
        #expect(await sender.value == false)
        let other = Task { await channel.send(2) }
        #expect(await channel.next() == 2)
        #expect(await other.value)
    }

    @Test("a cancelled next() returns nil, and no element is lost")
    func cancelledTaker() async {
        let channel = RendezvousChannel<Int>()
        let consumer = Task { await channel.next() }
        consumer.cancel()
        #expect(await consumer.value == nil)
        let sender = Task { await channel.send(1) }
        #expect(await channel.next() == 1)
        #expect(await sender.value)
    }

    @Test("sends, receipts and cancellations at random moments leave no task waiting")
    func storm() async {
        await withTaskGroup { group in
            for _ in 0..<500 {
                group.addTask {
                    let channel = RendezvousChannel<Int>()
                    let sender = Task {
                        for number in 0..<10 where await !channel.send(number) { break }
                        channel.finish()
                    }
                    let consumer = Task { while await channel.next() != nil { await Task.yield() } }
                    for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
                    if Bool.random() { sender.cancel() } else { consumer.cancel() }
                    if Bool.random() { channel.finish() }
                    await consumer.value
                    channel.finish()
                    await sender.value
                }
            }
        }
    }
}
