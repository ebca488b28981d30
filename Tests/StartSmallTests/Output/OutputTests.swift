import StartSmall
import Testing

struct OutputTests {
    @Test("A3 an output has either a response or the reason why there is none")
    func accessors() {
        let response = Response(statusCode: .ok)
        #expect(Output.hasResponse(response).response == response)
        #expect(Output.hasResponse(response).connectionError == nil)
        #expect(Output.noResponse(.cancelled).response == nil)
        #expect(Output.noResponse(.cancelled).connectionError == .cancelled)
        #expect(Output.hasResponse(response) != .noResponse(.cancelled))
    }
}
