import Testing

@testable import StartSmallTesting

@Suite struct TimeoutTests {
    @Test("a value that arrives in time is the result")
    func inTime() async {
        #expect(await Timeout(.seconds(600)).result { 1 } == 1)
    }

    @Test("an operation that takes too long is cancelled, and its late value is ignored", arguments: 0..<20)
    func tooLong(_: Int) async {
        let isOver = Latch()
        let result = await Timeout(.zero).result {
            // Waits until the task is cancelled.
            await Latch().wait()
            isOver.open()
            return 1
        }
        #expect(result == nil)
        await isOver.wait()
    }

    @Test("the longest possible timeout neither delays the result nor ends the process")
    func longest() async {
        #expect(await Timeout(.seconds(Int64.max)).result { 1 } == 1)
    }
}
