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
            let hasWaiting = sequencer.endObserving()
            #expect(!hasWaiting)
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
        let hasWaiting = sequencer.endObserving()
        #expect(hasWaiting)
        #expect(sequencer.nextWaiting() == .noResponse(.cancelled))
        #expect(sequencer.nextWaiting() == .failed)
        #expect(sequencer.nextWaiting() == .ended)
        #expect(sequencer.nextWaiting() == nil)
    }

    @Test("of two events handled at once, the one that is handled last is followed by the call's own event")
    mutating func two() {
        _ = sequencer.beginObserving(passing)
        _ = sequencer.beginObserving(passing)
        _ = sequencer.beginObserving(.ended)
        let isLast = sequencer.endObserving()
        #expect(!isLast)
        let hasWaiting = sequencer.endObserving()
        #expect(hasWaiting)
        #expect(sequencer.nextWaiting() == .ended)
    }
}
