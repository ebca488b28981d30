import Testing

@testable import StartSmall

struct DurationsTests {
    @Test(
        "a timer is not early, waits for no longer than a day, and no duration is too long for 32 bits",
        arguments: [
            .zero, .nanoseconds(1), .milliseconds(50), .milliseconds(2_147), .seconds(3), .seconds(86_399),
            .seconds(86_400), .maximumWait, .seconds(Int64.max), .seconds(-1), .seconds(Int64.min),
        ] as [Duration]
    )
    func notEarly(duration: Duration) {
        let wanted = min(max(duration, .zero), .seconds(86_400))
        let given = Duration.milliseconds(duration.timerMilliseconds)
        #expect(given >= wanted && given <= wanted + .milliseconds(1))
    }
}
