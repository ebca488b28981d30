import TestSupport
import Testing

import StartSmall

struct OutputTests {
    @Test(
        "an output has either a response or the reason why there is none, and a rejected response has both",
        .parity("A3")
    )
    func accessors() {
        let response = Response(statusCode: .ok)
        #expect(Output.hasResponse(response).response == response)
        #expect(Output.hasResponse(response).connectionError == nil)
        #expect(Output.noResponse(.cancelled).response == nil)
        #expect(Output.noResponse(.cancelled).connectionError == .cancelled)
        let rejected = ConnectionError.rejected(response, reason: "no")
        #expect(Output.noResponse(rejected).response == response)
        #expect(Output.noResponse(rejected).connectionError == rejected)
        #expect(Output.noResponse(.payloadTooLarge(response, limit: 1)).response == nil)
    }
}
