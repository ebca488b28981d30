import Testing

@testable import StartSmall

struct EventSequencerTests {
    private var sequencer = EventSequencer()
    private let passing = Event.custom(name: "passing", detail: "")

    @Test("events one after the other are delivered at once")
    mutating func inARow() {
        for event in [.started(nil), passing, .noResponse(.cancelled), .failed, .ended] {
            let isDelivered = sequencer.beginObserving(event)
            #expect(isDelivered)
            #expect(sequencer.endObserving() == nil)
        }
    }

    @Test("after the call has reported its end, no event of a wrapper is delivered")
    mutating func late() {
        _ = sequencer.beginObserving(.noResponse(.cancelled))
        _ = sequencer.endObserving()
        let isDelivered = sequencer.beginObserving(passing)
        #expect(!isDelivered)
    }

    @Test("the call's own events wait until a wrapper's event is handled, and are delivered in order")
    mutating func waiting() {
        _ = sequencer.beginObserving(passing)
        for event in [Event.noResponse(.cancelled), .failed, .ended] {
            let isDelivered = sequencer.beginObserving(event)
            #expect(!isDelivered)
        }
        #expect(sequencer.endObserving() == .noResponse(.cancelled))
        #expect(sequencer.endObserving() == .failed)
        #expect(sequencer.endObserving() == .ended)
        #expect(sequencer.endObserving() == nil)
    }

    @Test("of two events handled at once, the one that is handled last is followed by the call's own event")
    mutating func two() {
        _ = sequencer.beginObserving(passing)
        _ = sequencer.beginObserving(passing)
        _ = sequencer.beginObserving(.ended)
        #expect(sequencer.endObserving() == nil)
        #expect(sequencer.endObserving() == .ended)
    }
}
