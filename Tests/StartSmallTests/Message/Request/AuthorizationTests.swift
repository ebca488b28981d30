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

    @Test(
        "a colon in the user's name, or a control character, is an error without the secret",
        arguments: [
            ("hunter2:", ""), ("a:hunter2", "x"), ("me", "hunter2\n"), ("hunter2\u{0}", ""), ("me", "hunter2\u{7F}"),
        ]
    )
    func refusedBasic(_ user: String, _ password: String) {
        let error = Credentials.basic(user: user, password: password).left
        #expect(error?.name == "missingCredentials")
        #expect(error?.debugInfo.contains("hunter2") == false)
    }

    @Test("a token is used unchanged", arguments: ["abc", "a-._~+/9==", "12|abc", "eyJ.eyJ.sig", "a:b"])
    func bearer(_ token: String) {
        #expect(Credentials.bearer(token).right?.value == "Bearer \(token)")
    }

    @Test(
        "a token that can't be sent is an error that does not contain the token",
        arguments: ["", "hunter2\n", "a hunter2", "hünter2"]
    )
    func refusedBearer(_ token: String) {
        let error = Credentials.bearer(token).left
        #expect(error?.name == "missingCredentials")
        #expect(token.isEmpty || error?.debugInfo.contains(token) == false)
    }

    @Test("any other scheme is written before its credentials")
    func custom() {
        #expect(Credentials.custom(scheme: "Digest", "username=\"me\"").right?.value == "Digest username=\"me\"")
        #expect(Credentials.custom(scheme: "Negotiate", "").right?.value == "Negotiate")
    }

    @Test(
        "a scheme that is not a token, or credentials with a line break, are an error",
        arguments: [("a b", "x"), ("", "x"), ("A", "x\r\nB: c")]
    )
    func refusedCustom(_ scheme: String, _ credentials: String) {
        #expect(Credentials.custom(scheme: scheme, credentials).left?.name == "missingCredentials")
    }

    @Test("authorizing a request replaces its Authorization, or returns the error of the credentials")
    func authorized() {
        let input = Either<ConnectionError, Input>.get("https://h/", headers: ["authorization": "old", "A": "1"])
        #expect(input.authorized(by: .bearer("new")).right?.headers == ["Authorization": "Bearer new", "A": "1"])
        #expect(input.authorized(by: .basic(user: "a:", password: "")).left?.name == "missingCredentials")
        #expect(input.authorized(by: .custom(scheme: "Own", "x")).right?.headers["Authorization"] == "Own x")
        #expect(Either<ConnectionError, Input>.left(.cancelled).authorized(by: .bearer("new")) == .left(.cancelled))
    }

    @Test("no description shows the credentials")
    func redacted() {
        let authorization = Credentials.bearer("hunter2")
        var dumped = ""
        dump(authorization, to: &dumped)
        for text in ["\(authorization)", String(reflecting: authorization), dumped] {
            #expect(!text.contains("hunter2"))
            #expect(text.contains("redacted"))
        }
    }
}
