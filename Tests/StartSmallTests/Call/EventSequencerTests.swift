import Testing

@testable import StartSmall

struct EventSequencerTests {
    private var turns = EventSequencer()
    private let passing = Event.custom(name: "passing", detail: "")

    @Test("one after the other, all are heard at once")
    mutating func inARow() {
        for event in [.started(nil), passing, .noResponse(.cancelled), .failed, .ended] {
            let hasListeners = turns.mayBeHeard(event)
            #expect(hasListeners)
            #expect(turns.heard() == nil)
        }
    }

    @Test("after the call told of its end, no wrapper is heard")
    mutating func late() {
        _ = turns.mayBeHeard(.noResponse(.cancelled))
        _ = turns.heard()
        let hasListeners = turns.mayBeHeard(passing)
        #expect(!hasListeners)
    }

    @Test("the call's own events wait until what a wrapper tells is heard, and come in their order")
    mutating func waiting() {
        _ = turns.mayBeHeard(passing)
        for event in [Event.noResponse(.cancelled), .failed, .ended] {
            let hasListeners = turns.mayBeHeard(event)
            #expect(!hasListeners)
        }
        #expect(turns.heard() == .noResponse(.cancelled))
        #expect(turns.heard() == .failed)
        #expect(turns.heard() == .ended)
        #expect(turns.heard() == nil)
    }

    @Test("of two that are being heard, the last one to be done goes on with the call's own")
    mutating func two() {
        _ = turns.mayBeHeard(passing)
        _ = turns.mayBeHeard(passing)
        _ = turns.mayBeHeard(.ended)
        #expect(turns.heard() == nil)
        #expect(turns.heard() == .ended)
    }
}
