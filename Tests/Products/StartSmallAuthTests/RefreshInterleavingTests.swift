import TestSupport
import Testing

@testable import StartSmallAuth

/// All interleavings of calls, a refresh, its saving, and the user's actions.
///
/// All states of ``RefreshWorld`` that any order leads to are visited once.
struct RefreshInterleavingTests {
    @Test(
        "in every order, no account is mixed up, nothing is undone, and every call ends",
        arguments: isExhaustive ? RefreshWorld.Scenario.all : RefreshWorld.Scenario.all.dropLast()
    )
    func orders(_ scenario: RefreshWorld.Scenario) {
        let start = RefreshWorld(scenario)
        var (visited, open) = (Set([start]), [(world: start, trail: [RefreshWorld.Step]())])
        var ends = 0
        while let (world, trail) = open.popLast() {
            let next = world.next()
            if next.isEmpty {
                ends += 1
                for objection in world.objectionsAtEnd(of: scenario) { Issue.record("\(objection): \(trail)") }
            }
            for (step, world) in next {
                if let rejectionReason = world.rejectionReason {
                    Issue.record("\(rejectionReason): \(trail + [step])")
                    return
                }
                if visited.insert(world).inserted { open.append((world, trail + [step])) }
            }
        }
        #expect(ends > 0)
        #expect(visited.count > 100)
    }
}
