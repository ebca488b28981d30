import StartSmall
import Testing

@Suite("the identity of a request") struct RequestIdentityTests {
    @Test("a request without credentials is anonymous") func anonymous() {
        let identity = RequestIdentity(["Accept": "text/plain", "X-Request-Id": "1"])
        #expect(identity.isAnonymous && "\(identity)" == "anonymous")
        #expect(identity == RequestIdentity([:]))
    }

    @Test(
        "fields with credentials tell identities apart",
        arguments: ["Authorization", "cookie", "Proxy-Authorization", "X-API-Key", "PRIVATE-TOKEN"]
    )
    func credentials(_ name: String) {
        let (one, other) = (RequestIdentity([name: "secret-1"]), RequestIdentity([name: "secret-2"]))
        #expect(one != other && !one.isAnonymous)
        #expect(one == RequestIdentity([name.uppercased(): "secret-1", "Accept": "text/plain"]))
    }

    @Test("the order of different names does not matter, and that of the same name does") func order() {
        #expect(
            RequestIdentity(["Cookie": "a", "Authorization": "b"])
                == RequestIdentity(["Authorization": "b", "Cookie": "a"])
        )
        #expect(RequestIdentity(["Cookie": "a", "cookie": "b"]) != RequestIdentity(["cookie": "b", "Cookie": "a"]))
    }

    @Test("an app can name further credentials") func named() {
        let headers: HTTPHeaders = ["X-Tenant": "blue"]
        #expect(RequestIdentity(headers).isAnonymous)
        #expect(RequestIdentity(headers, alsoNaming: ["x-tenant"]).fields.map(\.value) == ["blue"])
    }

    @Test("no description shows a value") func descriptions() {
        let identity = RequestIdentity(["Authorization": "Bearer hidden", "Cookie": "id=hidden"])
        #expect("\(identity)" == "authorization, cookie")
        #expect(
            !String(reflecting: identity).contains("hidden")
                && !String(describing: Mirror(reflecting: identity).children.map(\.value)).contains("hidden")
        )
    }
}
