import Foundation
import StartSmall
import Testing

private typealias Credentials = Either<ConnectionError, Authorization>

struct AuthorizationTests {
    @Test(
        "user and password are encoded as RFC 7617 defines, in UTF-8",
        arguments: [
            ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test", "123£", "Basic dGVzdDoxMjPCow=="), ("me", "a:b", "Basic bWU6YTpi"), ("", "", "Basic Og=="),
        ]
    )
    func basic(_ user: String, _ password: String, _ expected: String) {
        #expect(Credentials.basic(user: user, password: password).right?.value == expected)
    }

    @Test("a token is used unchanged, and credentials are written behind any other scheme")
    func schemes() {
        for token in ["abc", "a-._~+/9==", "12|abc", "eyJ.eyJ.sig", "a:b"] {
            #expect(Credentials.bearer(token).right?.value == "Bearer \(token)")
        }
        #expect(Credentials.custom(scheme: "Digest", "username=\"me\"").right?.value == "Digest username=\"me\"")
        #expect(Credentials.custom(scheme: "Negotiate", "").right?.value == "Negotiate")
    }

    @Test(
        "credentials that can't be sent are an error that does not contain them",
        arguments: [
            .bearer(""), .bearer("hunter2\n"), .bearer("a hunter2"), .bearer("hünter2hunter2"),
            .basic(user: "hunter2:", password: ""), .basic(user: "a:hunter2", password: "x"),
            .basic(user: "me", password: "hunter2\n"), .basic(user: "hunter2\u{0}", password: ""),
            .basic(user: "me", password: "hunter2\u{7F}"), .custom(scheme: "a b", "hunter2"),
            .custom(scheme: "", "hunter2"), .custom(scheme: "A", "hunter2\r\nB: c"),
        ] as [Either<ConnectionError, Authorization>]
    )
    func refused(_ credentials: Either<ConnectionError, Authorization>) {
        #expect(credentials.left?.name == "missingCredentials")
        #expect(credentials.left?.debugInfo.contains("hunter2") == false)
    }

    @Test("authorizing a request replaces its Authorization, or returns the error of the credentials")
    func authorized() {
        let input = Either<ConnectionError, Input>.get("https://h/", headers: ["authorization": "old", "A": "1"])
        #expect(input.authorized(by: .bearer("new")).right?.headers == ["Authorization": "Bearer new", "A": "1"])
        #expect(input.authorized(by: .basic(user: "a:", password: "")).left?.name == "missingCredentials")
        #expect(input.authorized(by: .custom(scheme: "Own", "x")).right?.headers["Authorization"] == "Own x")
        #expect(Either<ConnectionError, Input>.left(.cancelled).authorized(by: .bearer("new")) == .left(.cancelled))
    }
}
