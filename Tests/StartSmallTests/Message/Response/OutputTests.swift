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

    @Test("the answer of the server is available even if a custom rule rejected it")
    func answer() {
        let response = Response(statusCode: .ok)
        #expect(Output.hasResponse(response).answer == response)
        #expect(Output.noResponse(.rejected(response, reason: "")).answer == response)
        #expect(Output.noResponse(.payloadTooLarge(response, limit: 1)).answer == nil)
        #expect(Output.noResponse(.cancelled).answer == nil)
    }
}
