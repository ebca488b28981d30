import Foundation
import StartSmall
import TestSupport
import Testing

private let payload = Payload(.data(Data([1])), mediaType: nil)

struct HTTPMethodAndPayloadTests {
    @Test(
        "every method has its name in the RFC, and is created from it",
        .parity("A2"),
        arguments: [
            (.get, "GET"), (.head, "HEAD"), (.post(payload: nil), "POST"), (.put(payload: nil), "PUT"),
            (.delete(payload: nil), "DELETE"), (.connect, "CONNECT"), (.options(payload: nil), "OPTIONS"),
            (.trace, "TRACE"), (.patch(payload: nil), "PATCH"), (.custom(method: "purge", payload: nil), "purge"),
        ] as [(HTTPMethodAndPayload, String)]
    )
    func names(_ methodAndPayload: HTTPMethodAndPayload, _ name: String) {
        #expect(methodAndPayload.method == name)
        #expect(methodAndPayload.payload == nil)
        #expect(methodAndPayload.body == nil)
        #expect(HTTPMethodAndPayload(method: name) == methodAndPayload)
    }

    @Test(
        "every other method carries its payload",
        .parity("A2"),
        arguments: [
            .post(payload: payload), .put(payload: payload), .delete(payload: payload), .options(payload: payload),
            .patch(payload: payload), .custom(method: "QUERY", payload: payload),
        ] as [HTTPMethodAndPayload]
    )
    func payloads(_ methodAndPayload: HTTPMethodAndPayload) {
        #expect(methodAndPayload.payload == payload)
        #expect(methodAndPayload.body == Data([1]))
        #expect(HTTPMethodAndPayload(method: methodAndPayload.method, payload: payload) == methodAndPayload)
    }

    @Test(
        "a method is safe or idempotent by its registration, also as a custom method (RFC 9110 9.2.1 and 9.2.2)",
        arguments: [
            ("GET", true, true), ("HEAD", true, true), ("OPTIONS", true, true), ("TRACE", true, true),
            ("QUERY", true, true), ("SEARCH", true, true), ("PROPFIND", true, true), ("REPORT", true, true),
            ("PUT", false, true), ("DELETE", false, true), ("POST", false, false), ("PATCH", false, false),
            ("CONNECT", false, false), ("LOCK", false, false), ("search", false, false), ("", false, false),
        ]
    )
    func meaning(_ name: String, _ isSafe: Bool, _ isIdempotent: Bool) {
        for payload in [nil, payload] {
            for method in [.init(method: name, payload: payload), .custom(method: name, payload: payload)]
                as [HTTPMethodAndPayload]
            {
                #expect(method.isSafe == isSafe)
                #expect(method.isIdempotent == isIdempotent)
            }
        }
    }
}
