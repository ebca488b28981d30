import Testing

@testable import StartSmallTesting

@Suite struct TimeoutTests {
    @Test("what comes in time is the result")
    func inTime() async {
        #expect(await Timeout(.seconds(600)).result { 1 } == 1)
    }

    @Test("what takes too long is cancelled, and what it comes to then is no result", arguments: 0..<100)
    func tooLong(_: Int) async {
        let isOver = Latch()
        let result = await Timeout(.zero).result {
            // Until it is cancelled.
            await Latch().wait()
            isOver.open()
            return 1
        }
        #expect(result == nil)
        await isOver.wait()
    }

    @Test("the longest patience there can be is no reason to wait, or to end the process")
    func longest() async {
        #expect(await Timeout(.seconds(Int64.max)).result { 1 } == 1)
    }
}
