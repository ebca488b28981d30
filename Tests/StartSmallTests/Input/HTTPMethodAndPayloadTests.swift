import Foundation
import StartSmall
import Testing

private let payload = Payload(.data(Data([1])), mediaType: nil)

struct HTTPMethodAndPayloadTests {
    @Test(
        "A2 every method has its name of the RFC",
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
    }

    @Test(
        "A2 every other method carries its payload",
        arguments: [
            .post(payload: payload), .put(payload: payload), .delete(payload: payload), .options(payload: payload),
            .patch(payload: payload), .custom(method: "QUERY", payload: payload),
        ] as [HTTPMethodAndPayload]
    )
    func payloads(_ methodAndPayload: HTTPMethodAndPayload) {
        #expect(methodAndPayload.payload == payload)
        #expect(methodAndPayload.body == Data([1]))
    }

    @Test("the body is there only if it is in memory")
    func files() {
        let file = Payload(.file(URL(fileURLWithPath: "/dev/null")), mediaType: nil)
        #expect(HTTPMethodAndPayload.post(payload: file).body == nil)
    }
}
