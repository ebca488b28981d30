import Testing

@testable import StartSmall

struct EventSequencerTests {
    private var sequencer = EventSequencer()
    private let passing = Event.custom(name: "passing", detail: "")

    @Test("events one after the other are delivered at once")
    mutating func inARow() {
        for event in [.started(nil), passing, .noResponse(.cancelled), .failed, .ended] {
            let hasListeners = sequencer.isObserved(event)
            #expect(hasListeners)
            #expect(sequencer.observed() == nil)
        }
    }

    @Test("after the call has reported its end, no event of a wrapper is delivered")
    mutating func late() {
        _ = sequencer.isObserved(.noResponse(.cancelled))
        _ = sequencer.observed()
        let hasListeners = sequencer.isObserved(passing)
        #expect(!hasListeners)
    }

    @Test("the call's own events wait until a wrapper's event is handled, and are delivered in order")
    mutating func waiting() {
        _ = sequencer.isObserved(passing)
        for event in [Event.noResponse(.cancelled), .failed, .ended] {
            let hasListeners = sequencer.isObserved(event)
            #expect(!hasListeners)
        }
        #expect(sequencer.observed() == .noResponse(.cancelled))
        #expect(sequencer.observed() == .failed)
        #expect(sequencer.observed() == .ended)
        #expect(sequencer.observed() == nil)
    }

    @Test("of two events handled at once, the one that is handled last is followed by the call's own event")
    mutating func two() {
        _ = sequencer.isObserved(passing)
        _ = sequencer.isObserved(passing)
        _ = sequencer.isObserved(.ended)
        #expect(sequencer.observed() == nil)
        #expect(sequencer.observed() == .ended)
    }
}
