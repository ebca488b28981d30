import Testing

@testable import StartSmall

struct EventSequencerTests {
    private var sequencer = EventSequencer()
    private let passing = Event.custom(name: "passing", detail: "")

    @Test("events one after the other are delivered at once")
    mutating func inARow() {
        for event in [.started(nil), passing, .noResponse(.cancelled), .failed, .ended] {
            let hasListeners = sequencer.mayBeHeard(event)
            #expect(hasListeners)
            #expect(sequencer.heard() == nil)
        }
    }

    @Test("after the call has reported its end, no event of a wrapper is delivered")
    mutating func late() {
        _ = sequencer.mayBeHeard(.noResponse(.cancelled))
        _ = sequencer.heard()
        let hasListeners = sequencer.mayBeHeard(passing)
        #expect(!hasListeners)
    }

    @Test("the call's own events wait until a wrapper's event is handled, and are delivered in order")
    mutating func waiting() {
        _ = sequencer.mayBeHeard(passing)
        for event in [Event.noResponse(.cancelled), .failed, .ended] {
            let hasListeners = sequencer.mayBeHeard(event)
            #expect(!hasListeners)
        }
        #expect(sequencer.heard() == .noResponse(.cancelled))
        #expect(sequencer.heard() == .failed)
        #expect(sequencer.heard() == .ended)
        #expect(sequencer.heard() == nil)
    }

    @Test("of two events handled at once, the one that is handled last is followed by the call's own event")
    mutating func two() {
        _ = sequencer.mayBeHeard(passing)
        _ = sequencer.mayBeHeard(passing)
        _ = sequencer.mayBeHeard(.ended)
        #expect(sequencer.heard() == nil)
        #expect(sequencer.heard() == .ended)
    }
}
