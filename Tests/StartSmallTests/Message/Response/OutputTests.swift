import Testing
import ParityTrait

@testable import StartSmall

struct OutputTests {
    @Test("an output has either a response or the reason why there is none", .parity("A3"))
    func accessors() {
        let response = Response(statusCode: .ok)
        #expect(Output.hasResponse(response).response == response)
        #expect(Output.hasResponse(response).connectionError == nil)
        #expect(Output.noResponse(.cancelled).response == nil)
        #expect(Output.noResponse(.cancelled).connectionError == .cancelled)
        #expect(Output.hasResponse(response) != .noResponse(.cancelled))
    }

    @Test("a rejected response is available, and so is the reason why it is not read")
    func rejected() {
        let response = Response(statusCode: .ok)
        let output = Output.noResponse(.rejected(response, reason: "no"))
        #expect(output.response == response)
        #expect(output.connectionError == .rejected(response, reason: "no"))
        #expect(Output.noResponse(.payloadTooLarge(response, limit: 1)).response == nil)
    }
}
