import StartSmall
import Testing

@Suite("the identity of a request") struct RequestIdentityTests {
    @Test(
        "fields with credentials tell identities apart",
        arguments: ["Authorization", "cookie", "Proxy-Authorization", "X-API-Key", "PRIVATE-TOKEN"]
    )
    func credentials(_ name: String) {
        let (one, other) = (RequestIdentity([name: "secret-1"]), RequestIdentity([name: "secret-2"]))
        #expect(one != other && !one.fields.isEmpty)
        #expect(one == RequestIdentity([name.uppercased(): "secret-1", "Accept": "text/plain"]))
        // The order of different names does not matter, and that of the same name does.
        let several: HTTPHeaders = [name: "a", "Dpop": "b", name: "c"]
        #expect(RequestIdentity(several) == RequestIdentity(["Dpop": "b", name: "a", name: "c"]))
        #expect(RequestIdentity(several) != RequestIdentity(["Dpop": "b", name: "c", name: "a"]))
    }

    @Test("a request without credentials is anonymous, but an app can name further ones")
    func named() {
        let headers: HTTPHeaders = ["X-Tenant": "blue", "Accept": "text/plain"]
        #expect(RequestIdentity(headers) == RequestIdentity([:]))
        #expect(RequestIdentity(headers).fields.isEmpty && "\(RequestIdentity(headers))" == "anonymous")
        #expect(RequestIdentity(headers, alsoNaming: ["x-tenant"]).fields.map(\.value) == ["blue"])
    }
}
