import Foundation
import StartSmall
import Testing

private func read(_ json: String) throws -> ProblemDetails {
    try JSONDecoder().decode(ProblemDetails.self, from: Data(json.utf8))
}

struct ProblemDetailsTests {
    @Test("the example of RFC 9457 3 is read, its extension left out")
    func example() throws {
        let problem = try read(
            """
            {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.", "status": 403,
             "detail": "Your current balance is 30, but that costs 50.", "instance": "/account/12345/msgs/abc", "balance": 30}
            """
        )
        #expect(
            problem
                == ProblemDetails(
                    type: "https://example.com/probs/out-of-credit",
                    status: 403,
                    title: "You do not have enough credit.",
                    detail: "Your current balance is 30, but that costs 50.",
                    instance: "/account/12345/msgs/abc"
                )
        )
    }

    @Test(
        "members that are absent or of a wrong type count as absent",
        arguments: [
            "{}", #"{"type":1,"status":"403","title":[],"detail":null,"instance":{}}"#, #"{"status":4.5}"#,
            #"{"status":1e99}"#,
        ]
    )
    func absent(_ json: String) throws {
        #expect(try read(json) == ProblemDetails(type: "about:blank"))
    }

    @Test("what is not an object is an error", arguments: ["[]", "null", "\"x\"", "", "{"])
    func malformed(_ json: String) {
        #expect(throws: DecodingError.self) { try read(json) }
    }

    @Test("a problem survives JSON")
    func roundTrip() throws {
        let problem = ProblemDetails(type: "a", status: 1, title: "b", detail: "c", instance: "d")
        #expect(try JSONDecoder().decode(ProblemDetails.self, from: JSONEncoder().encode(problem)) == problem)
    }
}
