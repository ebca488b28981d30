import Foundation
import StartSmall
import Testing

struct AuthorizationTests {
    @Test(
        "user and password are what RFC 7617 makes of them, in UTF-8",
        arguments: [
            ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test", "123£", "Basic dGVzdDoxMjPCow=="), ("me", "a:b", "Basic bWU6YTpi"), ("", "", "Basic Og=="),
        ]
    )
    func basic(_ user: String, _ password: String, _ expected: String) {
        #expect(Authorization.basic(user: user, password: password).right?.value == expected)
    }

    @Test(
        "a colon in the user's name, or a control character, is an error that tells no secret",
        arguments: [
            ("hunter2:", ""), ("a:hunter2", "x"), ("me", "hunter2\n"), ("hunter2\u{0}", ""), ("me", "hunter2\u{7F}"),
        ]
    )
    func refusedBasic(_ user: String, _ password: String) {
        let error = Authorization.basic(user: user, password: password).left
        #expect(error?.name == "missingCredentials")
        #expect(error?.debugInfo.contains("hunter2") == false)
    }

    @Test("a token is taken as it is", arguments: ["abc", "a-._~+/9==", "12|abc", "eyJ.eyJ.sig", "a:b"])
    func bearer(_ token: String) {
        #expect(Authorization.bearer(token).right?.value == "Bearer \(token)")
    }

    @Test(
        "a token that can't be sent is an error that does not tell it",
        arguments: ["", "hunter2\n", "a hunter2", "hünter2"]
    )
    func refusedBearer(_ token: String) {
        let error = Authorization.bearer(token).left
        #expect(error?.name == "missingCredentials")
        #expect(token.isEmpty || error?.debugInfo.contains(token) == false)
    }

    @Test("any other scheme is written in front of its credentials")
    func custom() {
        #expect(Authorization.custom(scheme: "Digest", "username=\"me\"").right?.value == "Digest username=\"me\"")
        #expect(Authorization.custom(scheme: "Negotiate", "").right?.value == "Negotiate")
    }

    @Test(
        "a scheme that is no token, or credentials that break a message, are an error",
        arguments: [("a b", "x"), ("", "x"), ("A", "x\r\nB: c")]
    )
    func refusedCustom(_ scheme: String, _ credentials: String) {
        #expect(Authorization.custom(scheme: scheme, credentials).left?.name == "missingCredentials")
    }

    @Test("a request is authorized in place of what it had, or is the error of its credentials")
    func authorized() {
        let input = Either<ConnectionError, Input>.get("https://h/", headers: ["authorization": "old", "A": "1"])
        #expect(input.authorized(by: .bearer("new")).right?.headers == ["Authorization": "Bearer new", "A": "1"])
        #expect(input.authorized(by: .basic(user: "a:", password: "")).left?.name == "missingCredentials")
        #expect(input.authorized(by: .custom(scheme: "Own", "x")).right?.headers["Authorization"] == "Own x")
        #expect(Either<ConnectionError, Input>.left(.cancelled).authorized(by: .bearer("new")) == .left(.cancelled))
    }

    @Test("no description shows it")
    func redacted() {
        let authorization = Authorization.bearer("hunter2")
        var dumped = ""
        dump(authorization, to: &dumped)
        for text in ["\(authorization)", String(reflecting: authorization), dumped] {
            #expect(!text.contains("hunter2"))
            #expect(text.contains("redacted"))
        }
    }
}
