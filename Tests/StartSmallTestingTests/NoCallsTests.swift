import StartSmall
import StartSmallTesting
import Testing

@Suite struct NoCallsTests {
    private let calls = Recorder<Input>()

    @Test func nothingIsListedWhereNothingWasCalled() {
        #expect(calls.summary == nil)
    }

    @Test func aCallGetsNoResponseAndIsListed() async {
        let connector = Connector.expectNoCalls(recording: calls)
        let inputs = [Sample.input("https://a/?token=secret-one"), Sample.input("https://b/", .head)]
        for input in inputs {
            let error = await WebAPI.call(with: input, via: connector).connectionError
            #expect(error?.name == "noDataOrNoResponse")
            #expect(error?.debugInfo.contains("secret") == false)
        }
        #expect(calls.summary == "GET https://a/?token=<redacted>\nHEAD https://b/")
    }
}
