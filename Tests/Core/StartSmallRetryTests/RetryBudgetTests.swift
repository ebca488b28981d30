import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallRetry

struct RetryBudgetTests {
    private let clock = ManualClock()

    private func granted(_ budget: RetryBudget, atMost limit: Int = 10_000) -> Int {
        (0..<limit).prefix { _ in budget.withdraw() }.count
    }

    @Test("10 retries a second are free, counted over 10 seconds")
    func free() {
        let budget = RetryBudget(clock: clock)
        #expect(granted(budget) == 100)
        #expect(!budget.withdraw())
    }

    @Test(
        "besides free retries, an exact percentage of the successes is granted",
        arguments: [(20, 200), (30, 300), (7, 70), (100, 1_000), (0, 0), (150, 1_500), (-5, 0)]
    )
    func share(_ percent: Int, _ expected: Int) {
        let budget = RetryBudget(freePerSecond: 0, percent: percent, clock: clock)
        for _ in 0..<1_000 { budget.deposit() }
        #expect(granted(budget) == expected)
    }

    @Test("a retry is granted if and only if the window has a whole one left, at any moment", arguments: 0..<20)
    func law(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let percent = Int.random(in: 0...120, using: &random)
        let free = Int.random(in: 0...3, using: &random)
        var state = RetryBudgetState(window: .seconds(10), freePerSecond: free, percent: percent)
        var (deposits, withdrawals): ([Int], [Int]) = ([], [])
        var now = 0
        for _ in 0..<(isExhaustive ? 3_000 : 500) {
            now += Int.random(in: 0...120, using: &random)
            if Bool.random(using: &random) {
                state.deposit(at: .milliseconds(now))
                deposits.append(now)
                continue
            }
            // The window of the state is this hundredth and the 99 before it.
            let start = (now / 100 - 99) * 100
            let spent = withdrawals.count { $0 >= start } * 100
            let allowed = free * 10 * 100 + deposits.count { $0 >= start } * percent
            let isGranted = state.withdraw(at: .milliseconds(now))
            #expect(isGranted == (allowed - spent >= 100))
            if isGranted { withdrawals.append(now) }
        }
        #expect(!withdrawals.isEmpty || free == 0 && percent < 10)
    }

    @Test("concurrent withdrawals do not exceed the budget")
    func concurrency() async {
        let budget = RetryBudget(clock: clock)
        let granted = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<10 { group.addTask { (0..<100).count { _ in budget.withdraw() } } }
            return await group.reduce(0, +)
        }
        #expect(granted == 100)
    }

    @Test("no numbers crash the process, and no clock that goes back or far ahead")
    func extremes() {
        for window in [Duration.zero, .seconds(-1), .seconds(Int64.max)] {
            var state = RetryBudgetState(window: window, freePerSecond: .max, percent: .max)
            for time in [Duration.zero, .seconds(Int64.max), .seconds(-5), .seconds(1)] {
                state.deposit(at: time)
                #expect({ state.withdraw(at: time) }())
            }
        }
    }
}
