import StartSmall
import Testing

struct ReceiverTests {
    private struct Full: Error, CustomStringConvertible {
        let description = "full: https://me:hunter2@example.com/?token=hunter2"
    }

    @Test("what a receiver throws is told without its credentials, however it is looked at")
    func redacted() async {
        let failure = await Receiver { _ in throw Full() }.receive(.head(Fixture.ok))
        let text = "full: https://<redacted>@example.com/?token=<redacted>"
        #expect(failure == .unwritableDestination(debugInfo: text))
    }

    @Test("a connection error that a receiver throws stays what it is")
    func unchanged() async {
        #expect(await Receiver { _ in throw Fixture.lost }.receive(.head(Fixture.ok)) == Fixture.lost)
    }

    @Test("a receiver is equal to its copies alone, so that inputs can be compared and counted")
    func equality() {
        let (receiver, other) = (Receiver { _ in }, Receiver { _ in })
        let copy = receiver
        #expect(receiver == copy)
        #expect(receiver != other)
        #expect(Set([receiver, copy, other]).count == 2)
    }
}
