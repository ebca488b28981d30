import Foundation
import StartSmall
import Testing

private func read(_ json: String) throws -> ProblemDetails {
    try JSONDecoder().decode(ProblemDetails.self, from: Data(json.utf8))
}

struct ProblemDetailsTests {
    @Test("the example of RFC 9457 3 is read, with its extension")
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
                    instance: "/account/12345/msgs/abc",
                    extensions: ["balance": .integer(30)]
                )
        )
    }

    @Test(
        "members that are absent or of a wrong type count as absent",
        arguments: [
            #"{"type":1,"status":"403","title":[],"detail":null,"instance":{}}"#, #"{"status":4.5}"#,
            #"{"status":1e99}"#,
        ]
    )
    func absent(_ json: String) throws {
        #expect(try read(json) == ProblemDetails(type: "about:blank"))
    }

    @Test(
        "what is no object, or has none of the members, is an error",
        arguments: ["[]", "null", "\"x\"", "", "{", "{}", #"{"message":"no"}"#]
    )
    func malformed(_ json: String) {
        #expect(throws: DecodingError.self) { try read(json) }
    }

    @Test("extensions of every kind are kept")
    func extensions() throws {
        let problem = try read(##"{"title":"no","errors":[{"pointer":"#/age"}],"balance":30.5,"retry":null}"##)
        #expect(problem.extensions["errors"]?[0]?["pointer"]?.string == "#/age")
        #expect(problem.extensions["balance"]?.number == 30.5)
        #expect(problem.extensions["retry"] == .null)
        #expect(problem.extensions["title"] == nil)
    }

    @Test("an extension does not write over a member")
    func clash() throws {
        let problem = ProblemDetails(title: "no", extensions: ["title": .string("yes"), "a": .integer(1)])
        let read = try JSONDecoder().decode(ProblemDetails.self, from: JSONEncoder().encode(problem))
        #expect(read == ProblemDetails(title: "no", extensions: ["a": .integer(1)]))
    }

    @Test("a description says what is wrong on one line, without credentials")
    func description() {
        #expect("\(ProblemDetails())" == "about:blank")
        let problem = ProblemDetails(title: "no\n", detail: "d", extensions: ["token": .string("hunter2"), "a": .null])
        #expect("\(problem)" == #"no\n: d {"a":null,"token":"<redacted>"}"#)
        let told = ProblemDetails(type: "https://a/?token=hunter2", detail: "who is https://a/?access_token=hunter2")
        #expect("\(told)" == "who is https://a/?access_token=<redacted>")
        #expect("\(ProblemDetails(type: told.type))" == "https://a/?token=<redacted>")
        for problem in [problem, told] {
            #expect(String(reflecting: problem) == "\(problem)")
            var dumped = ""
            dump(problem, to: &dumped)
            #expect(!dumped.contains("hunter2"))
        }
    }

    @Test("an extension that lies too deep is left out, and the problem read")
    func deep() throws {
        let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        let json = #"{"title":"no","a":1,"deep":\#(deep)}"#
        let problem = try JSONDecoder().decode(ProblemDetails.self, from: Data(json.utf8))
        #expect(problem == ProblemDetails(title: "no", extensions: ["a": .integer(1)]))
    }

    @Test("a problem survives JSON")
    func roundTrip() throws {
        let extensions: [String: JSONValue] = ["e": .array([.null, .bool(true), .object(["f": .number(0.5)])])]
        let problem = ProblemDetails(
            type: "a",
            status: 1,
            title: "b",
            detail: "c",
            instance: "d",
            extensions: extensions
        )
        #expect(try JSONDecoder().decode(ProblemDetails.self, from: JSONEncoder().encode(problem)) == problem)
    }
}
