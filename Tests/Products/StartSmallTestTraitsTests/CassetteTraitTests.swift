import StartSmall
import StartSmallTestTraits
import Testing

/// Tests with the trait, over committed files, as those of an app.
struct CassetteTraitTests {
    /// A connector that may be stored, as that of an app is: each call belongs to the test that makes it.
    private static let app = Connector.cassette.wrapped(by: .bearer("t0k3n"))

    @Test("a test replays its file", .cassette("books", recording: .forbidden))
    func replays() async throws {
        #expect(try await Endpoint.text(.get("https://books.example/1")).value(via: .cassette) == "Emma")
        let added = Endpoint.text(.post("https://books.example/", payload: .text("Persuasion")))
        #expect(try await added.value(via: Self.app) == "added")
    }

    @Test(
        "the cases of a parameterized test share a file, all of which is used",
        .cassette("numbers", recording: .forbidden),
        arguments: 1...3
    )
    func cases(number: Int) async throws {
        let endpoint = Endpoint.text(.get("https://numbers.example/{n}", ["n": "\(number)"]))
        #expect(try await endpoint.value(via: Self.app) == "\(number)")
    }
}

extension Connector {
    /// A connector that no test may call.
    static let forbidden = Connector { input in
        Issue.record("a call to the network: \(input)")
        return .noResponse(.cancelled)
    }
}
