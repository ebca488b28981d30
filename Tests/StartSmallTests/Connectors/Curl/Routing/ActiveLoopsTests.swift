#if os(Linux)
    import Testing

    @testable import StartSmall

    @Suite("the number of event loops in use") struct ActiveLoopsTests {
        /// The times of measurements that are valid together.
        private let window = ThreadLoad.window

        @Test("one loop is used until it uses up a processor") func one() {
            var loops = ActiveLoops(maximum: 4)
            loops.record(0.84, of: 0, at: 0)
            #expect(loops.count == 1)
            loops.record(0.86, of: 0, at: window)
            #expect(loops.count == 2)
        }

        @Test("no more loops are used than there are") func maximum() {
            var loops = ActiveLoops(maximum: 2)
            for time in 0..<20 as Range<Int64> {
                for loop in 0..<2 { loops.record(1, of: loop, at: time * window) }
            }
            #expect(loops.count == 2)
        }

        @Test("after a change, measurements from before it do not count") func settles() {
            var loops = ActiveLoops(maximum: 4)
            loops.record(1, of: 0, at: 0)
            loops.record(1, of: 0, at: window)
            loops.record(1, of: 1, at: window)
            #expect(loops.count == 2)
            loops.record(1, of: 0, at: 2 * window)
            loops.record(1, of: 1, at: 2 * window)
            #expect(loops.count == 3)
        }

        @Test(
            "a loop that is not needed any more is left, but not at once after a little less load",
            arguments: [1, 2, 3]
        )
        func fewer(count: Int) {
            var loops = ActiveLoops(maximum: 4)
            var time: Int64 = 0
            func record(_ load: Double) {
                for _ in 0..<2 {
                    time += window
                    for loop in 0..<4 { loops.record(load, of: loop, at: time) }
                }
            }
            for loop in 0..<4 { loops.record(1, of: loop, at: 0) }
            for _ in 1..<count { record(1) }
            let busy = loops.count
            // The same work, shared by more loops.
            record(ActiveLoops.highLoad / 4)
            #expect(busy > 1 && loops.count >= min(busy, 2))
            for _ in 0..<4 { record(0.01) }
            #expect(loops.count == 1)
        }

        @Test("a loop that has not measured lately sleeps, and has no load") func outdated() {
            var loops = ActiveLoops(maximum: 4)
            loops.record(1, of: 0, at: 0)
            loops.record(0.9, of: 1, at: 2 * window)
            #expect(loops.count == 2, "0.9 is not above the limit of two loops")
            loops.record(0.1, of: 0, at: 20 * window)
            #expect(loops.count == 1)
        }

        @Test("a load is the time on a processor in each window") func load() {
            var load = ThreadLoad()
            #expect(load.measure(at: 5) { 7 } == nil)
            #expect(
                load.measure(at: 4 + window) {
                    Issue.record("the window lasts"); return 0
                } == nil
            )
            #expect(load.measure(at: 5 + window) { 7 + window / 2 } == 0.5)
            #expect(load.measure(at: 5 + 5 * window) { 7 + window / 2 + window } == 0.25)
        }
    }
#endif
