import StartSmall
import Testing

struct FetchedTests {
    private typealias Text = Fetched<TransformError<Never>, String>

    private let refused = TransformError<Never>.unexpectedStatusCode(Fixture.ok)

    @Test("why there was no response")
    func connectionError() {
        let fetched = Text.left(.left(Fixture.lost))
        #expect(fetched.connectionError == Fixture.lost)
        #expect(fetched.failure == nil)
    }

    @Test("why a response could not become a value")
    func failure() {
        let fetched = Text.left(.right(refused))
        #expect(fetched.failure == refused)
        #expect(fetched.connectionError == nil)
    }

    @Test("a value is neither")
    func value() {
        let fetched = Text.right("hello")
        #expect(fetched.connectionError == nil)
        #expect(fetched.failure == nil)
    }
}
