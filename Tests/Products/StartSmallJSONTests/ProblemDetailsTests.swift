import Foundation
import Testing

import StartSmall
@testable import StartSmallJSON

/// Decodes with `JSONDecoder`, as users may, and with the kit's own reader, and expects both to agree.
private func read(_ json: String) throws -> ProblemDetails {
    let problem = try? ProblemDetails(json: Data(json.utf8))
    let decoded = try JSONDecoder().decode(ProblemDetails.self, from: Data(json.utf8))
    #expect(problem == decoded)
    return decoded
}

struct ProblemDetailsTests {
    @Test("the example of RFC 9457 3 is decoded, with its extension")
    func example() throws {
        let problem = try read(
            """
            {"type": "https://example.com/probs/out-of-credit", "title": "You do not have enough credit.",
             "status": 403, "detail": "Your current balance is 30, but that costs 50.",
             "instance": "/account/12345/msgs/abc", "balance": 30}
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
            #"{"status":1e99}"#, #"{"title":1e400,"status":-1e400}"#, #"{"title":"\ud83d"}"#,
            #"{"title":"\ud83d","title":"no"}"#, #"{"title":\#(deep)}"#,
        ]
    )
    func absent(_ json: String) throws {
        #expect(try read(json) == ProblemDetails(type: "about:blank"))
    }

    @Test(
        "JSON that is not an object, or has none of the members, is an error",
        arguments: ["[]", "null", "\"x\"", "", "{", "{}", #"{"message":"no"}"#]
    )
    func malformed(_ json: String) {
        #expect(throws: DecodingError.self) { try read(json) }
        #expect(throws: (any Error).self) { try ProblemDetails(json: Data(json.utf8)) }
    }

    @Test(
        "a payload with the media type of a problem is one, with any members",
        arguments: [("{}", [:]), (#"{"balance":30}"#, ["balance": .integer(30)])] as [(String, [String: JSONValue])]
    )
    func declared(_ json: String, _ extensions: [String: JSONValue]) {
        func problem(_ contentType: String) -> ProblemDetails? {
            let headers: HTTPHeaders = ["Content-Type": contentType]
            let response = Response(statusCode: .conflict, headers: headers, payload: Data(json.utf8))
            return response.data(problem: ProblemDetails.self).left?.problem
        }
        #expect(problem("application/problem+json; charset=utf-8") == ProblemDetails(extensions: extensions))
        #expect(problem("application/json") == nil)
    }

    @Test("a problem is encoded to JSON and decoded unchanged, and an extension does not overwrite a member")
    func roundTrip() throws {
        let extensions: [String: JSONValue] = ["e": .array([.null, .bool(true), .object(["f": .number(0.5)])])]
        var problem = ProblemDetails(
            type: "a",
            status: 1,
            title: "b",
            detail: "c",
            instance: "d",
            extensions: extensions
        )
        #expect(try JSONDecoder().decode(ProblemDetails.self, from: JSONEncoder().encode(problem)) == problem)
        let expected = problem
        problem.extensions["title"] = .string("yes")
        #expect(try JSONDecoder().decode(ProblemDetails.self, from: JSONEncoder().encode(problem)) == expected)
    }

    private static let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)

    @Test(
        "an extension that can't be a value is left out, and one beyond Double keeps its digits",
        arguments: [
            (
                ##"{"title":"no","errors":[{"pointer":"#/age"}]}"##,
                ["errors": .array([.object(["pointer": .string("#/age")])])]
            ),
            (#"{"title":"no","a":1,"deep":\#(deep)}"#, ["a": .integer(1)]), (#"{"title":"no","a":["\ud83d"]}"#, [:]),
            (#"{"title":"no","a":"\ud83d","a":1,"title":"\ud83d"}"#, [:]),
            (#"{"title":"no","retry":null}"#, ["retry": .null]),
        ] as [(String, [String: JSONValue])]
    )
    func extensions(_ json: String, _ extensions: [String: JSONValue]) throws {
        #expect(try read(json) == ProblemDetails(title: "no", extensions: extensions))
        let problem = try ProblemDetails(json: Data(#"{"title":"no","a":1e400,"b":1}"#.utf8))
        #expect(problem.extensions == ["a": .decimalString("1e400"), "b": .integer(1)])
    }

    @Test("a description names the problem on one line, without credentials")
    func description() {
        #expect("\(ProblemDetails())" == "about:blank")
        let problem = ProblemDetails(title: "no\n", detail: "d", extensions: ["token": .string("hunter2"), "a": .null])
        #expect("\(problem)" == #"no\n: d, with 2 extensions"#)
        let detailed = ProblemDetails(type: "https://a/?token=hunter2", detail: "see https://a/?access_token=hunter2")
        #expect("\(detailed)" == "see https://a/?access_token=<redacted>")
        #expect("\(ProblemDetails(type: detailed.type))" == "https://a/?token=<redacted>")
    }

    @Test(
        "a hostile megabyte is parsed on a thread with a stack of 512 KiB",
        arguments: [
            (String(repeating: "[", count: 1_000_000), false), (String(repeating: #"{"a":"#, count: 200_000), false),
            (#"{"title":"no","x":"# + String(repeating: "[", count: 1_000_000), false),
            (#"{"title":"no","x":["# + String(repeating: nested + ",", count: 8000) + "0]}", true),
            (
                #"{"title":"no","x":"# + String(repeating: #"{"a":"#, count: 160_000) + "1"
                    + String(repeating: "}", count: 160_001), true
            ),
        ]
    )
    func smallStack(_ json: String, _ isRead: Bool) async {
        let response = Response(statusCode: .conflict, payload: Data(json.utf8))
        let title = await withCheckedContinuation { continuation in
            let thread = Thread {
                let read = response.data(problem: ProblemDetails.self)
                continuation.resume(returning: read.left?.problem?.title)
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect((title == "no") == isRead)
    }

    private static let nested = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
}
