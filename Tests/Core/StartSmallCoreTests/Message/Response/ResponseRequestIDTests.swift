import Foundation
import StartSmall
import Testing

struct ResponseRequestIDTests {
    private static let longest = String(repeating: "a", count: 128)

    @Test(
        "the request ID is the first valid value of the known fields, and a hostile one is none",
        arguments: [
            (["X-Request-Id": "req_1-A.b~c"], "req_1-A.b~c"),
            (["request-id": "2"], "2"), (["x-amzn-RequestId": "3"], "3"), (["x-ms-request-id": "4"], "4"),
            (["CF-Ray": "230b030023ae2822-SJC"], "230b030023ae2822-SJC"),
            (["cf-ray": "ray", "x-request-id": "id"], "id"),
            (["x-request-id": "no token", "request-id": "id"], "id"),
            (["x-request-id": longest], longest), (["x-request-id": longest + "a"], nil),
            (["x-request-id": String(repeating: "a", count: 1 << 20)], nil),
            (["x-request-id": ""], nil), (["x-request-id": "a, b"], nil), (["x-request-id": "a\r\nb"], nil),
            (["x-request-id": "\u{1B}[31m"], nil), (["x-request-id": "é"], nil), (["x-request-id": "<b>"], nil),
            (["trace": "1"], nil), ([:], nil),
        ] as [([String: String], String?)]
    )
    func requestID(fields: [String: String], expected: String?) {
        let response = Response(
            statusCode: .ok,
            headers: HTTPHeaders(fields.map { .init(name: $0.key, value: $0.value) })
        )
        #expect(response.requestID == expected)
    }

    @Test("of one field twice, the first value is the request ID; an API with another field names it")
    func names() {
        let headers = HTTPHeaders([
            .init(name: "X-Request-ID", value: "a"), .init(name: "x-request-id", value: "b"),
            .init(name: "X-Trace", value: "t"),
        ])
        let response = Response(statusCode: .ok, headers: headers)
        #expect(response.requestID == "a")
        #expect(response.requestID(in: ["x-trace"]) == "t" && response.requestID(in: []) == nil)
    }

    @Test("the description of an error begins with the request ID, and shows few fields")
    func description() {
        let fields: HTTPHeaders = [
            "Date": "Sat", "Retry-After": "3", "X-Request-Id": "abc", "Server": "x", "Content-Type": "text/plain",
        ]
        let response = Response(statusCode: .serviceUnavailable, headers: fields)
        let expected =
            "503 Service Unavailable, request abc [Retry-After: 3, Content-Type: text/plain, 3 more], 0 bytes"
        #expect("\(response)" == expected)
        #expect("\(TransformError<Never>.unexpectedStatusCode(response))" == "unexpectedStatusCode: (\(expected))")
        #expect("\(ConnectionError.rejected(response, reason: "old"))".contains(expected))
    }
}
