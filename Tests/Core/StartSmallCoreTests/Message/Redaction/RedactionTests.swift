import Foundation
import StartSmall
import Testing

/// The secret part of every credential, which must not be shown.
private let secret = "hunter2"

struct RedactionTests {
    @Test("a challenge shows the words of its error, and none that may be the token that was sent (RFC 6750 3)")
    func challenges() {
        let shown = { (value: String) in Redaction.standard.shown(value, of: "www-authenticate") }
        let words =
            #"Bearer realm="https://resource.example.com/", error_description="The token has expired", scope="a""#
        #expect(shown(words) == words)
        for token in [
            "r_RP7Jvq4TzDpgn2ey8Zq1WGZKzXDWpM", "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJqb2UifQ.c2ln", "YWJj+/YWJjYWJjYWJj==",
        ] {
            let value = #"Bearer error_description="no "# + token + #" here", error="invalid_token""#
            #expect(shown(value) == #"Bearer error_description="no <redacted> here", error="invalid_token""#)
            #expect(Redaction.none.shown(value, of: "WWW-Authenticate") == value)
            #expect(shown("Bearer Error_Description = \(token)") == "Bearer Error_Description = <redacted>")
        }
    }

    @Test(
        "the value of a secret name is hidden",
        arguments: [
            "Authorization", "proxy-authorization", "COOKIE", "Set-Cookie", "X-Api-Key", "x_api_key", "apikey",
            "api.key", "access_token", "refreshToken", "client_secret", "password", "user[password]", "user[pwd]",
            "pwd", "sig", "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "AWSAccessKeyId", "code",
            "code_verifier", "key", "X-Auth-Key", "X-Auth-Token", "DD-APPLICATION-KEY", "x-functions-key",
            "Ocp-Apim-Subscription-Key", "PHPSESSID", "JSESSIONID", "X-Parse-Master-Key", "OK-ACCESS-PASSPHRASE",
            "x-amz-server-side-encryption-customer-key", "client_assertion", "X-Goog-Api-Key", "PRIVATE-TOKEN", "otp",
            "X-Auth", "device_code", "user_pwd", "new_pass", "api_sig", "user_key", "X-Hmac", "oauth_verifier", "csrf",
            "X-Api-Pass", "auth_code", "appid", "refresh", "access", "verification_code", "mfaCode", "sms-code",
            "SAMLResponse", "Authentication", "Fastly-Key", "X-Account-Key", "X-Service-Key", "X-License-Key", "DPoP",
            "recovery_code", "totp", "mnemonic", "connectionString", "sentry_dsn", "dsn", "cvv", "AccountKey",
            "oauth_token_secret", "tokenSeed", "token_serial", "tokenSession", "tokens", "x-sid", "encryption_key",
            "signingKey", "sas", "sas_url", "ticket", "ssn", "user_ssn", "card_number", "cardNumber",
        ]
    )
    func hidden(_ name: String) {
        #expect(Redaction.standard.hides(name))
        #expect(Redaction.none.hides(name) == false)
    }

    @Test(
        "the value of a harmless name is shown",
        arguments: [
            "Accept", "Content-Type", "page", "per_page", "Idempotency-Key", "zip_code", "status_code", "keyword",
            "author", "refresh_interval", "auto-refresh", "refreshed_at", "access_level", "accessible",
            "Access-Control-Allow-Origin", "Access-Control-Allow-Credentials", "authentication_method", "monkey",
            "encode", "design", "passage", "X-Request-Id", "ETag", "Host", "User-Agent", "WWW-Authenticate",
            "ticket_type", "signing_alg", "token_type", "tokenType", "token_type_hint", "issued_token_type",
            "subject_token_type", "client_assertion_type", "token_endpoint", "authorization_endpoint",
            "device_authorization_endpoint", "token_endpoint_auth_method", "token_endpoint_auth_methods_supported",
            "id_token_signing_alg_values_supported", "id_token_signed_response_alg", "bearer_methods_supported",
            "expires_in", "refresh_token_expires_in", "client_secret_expires_at", "token_use", "",
        ]
    )
    func shown(_ name: String) {
        #expect(!Redaction.standard.hides(name))
    }

    @Test("custom names and words are compared without regard to case, - and _, and hide words of protocols, too")
    func own() {
        let redaction = Redaction(names: ["X-My_Name", "token_type"], words: ["Inner-Word"])
        #expect(redaction.hides("x-my-name") && redaction.hides("the_innerword_x") && redaction.hides("token_type"))
        #expect(!redaction.hides("x-my-names"))
        #expect(Redaction(names: [], words: Redaction.standard.words.union(["type"])).hides("token_type"))
    }

    @Test(
        "no part of a credential of any URL is shown",
        arguments: [
            "https://user:hunter2@host/path", "https://hunter2@host", "https://user:hunter2@[::1]:80/",
            "https://:hunter2@host/", "https://user:a@hunter2@host/", "https://us;er:hunter2@host/",
            "https://user:hun%74er2hunter2@host", "https://user:p/hunter2@host/", "https://user:hunter2/x@host/",
            "https://user:hunter2?x@host/", "https://user:p?hunter2@host/", "https://user:hunter2#x@host/",
            "https://user:p#hunter2@host/", "https://user:hunter2//x@host/", "https://user:p//hunter2@host/",
            "https://user:p\\hunter2@host/", "https:/user:hunter2@host/", "https:user:hunter2@host/",
            "user:hunter2@host/path", "user:hunter2?x@host", "user:hunter2@host//path", "//user:hunter2@host/",
            "https:///user:hunter2@host/", "HTTPS://user:hunter2@host/", "https://user:hunter2@\u{301}host/",
            "https://user:hunter2 x@host/", "https://user:{hunter2}@host/", "https://h/?token=hunter2",
            "https://h/?a=1&token=hunter2&b=2", "https://h?token=hunter2", "/?token=hunter2",
            "https://h/?to%6Ben=hunter2", "https://h/?%74oken%zz=hunter2", "https://h/?TOKEN=hunter2",
            "https://h/?user[password]=hunter2", "https://h/?user%5Bpwd%5D=hunter2", "https://h/?token=a=hunter2",
            "https://h/?token=a hunter2", "https://h/?token=\"hunter2", "https://h/?token=\u{301}hunter2",
            "https://h/?\u{301}token=hunter2", "https://h/?a&\u{301}token=hunter2",
            "https://h/#access_token=hunter2", "https://h/?a#b=1&access_token=hunter2",
            "https://h/#/route?token=hunter2", "https://h/?a=1;token=hunter2", "https://h/path;jsessionid=hunter2",
            "https://h/?a=1?token=hunter2", "https://h/?next=https%3A%2F%2Fi%2F%3Ftoken%3Dhunter2",
            "https://h/?next=https://i/?token=hunter2", "https://h/?next=https%3A%2F%2Fuser:hunter2%40i%2F",
            "https://h/?next=https://user:hunter2@i/", "https://h//?token=hunter2", "https://h/a//b?token=hunter2",
            "?token=hunter2", "token=1&token=hunter2", "https://h/https://user:hunter2@i/",
            "https://h/\r\n?token=hunter2", "https://h/?token=hunter2#a@b", "https://h/?token=hunter2\r\nSet-Cookie: x",
            "https://h:80/?auth=hunter2", "https://[::1/?key=hunter2", "https://[::1:hunter2@h/",
            "https://h/?token=a;hunter2", "https://h/?token=a?hunter2&x=1", "https://h/?token=a;b?hunter2",
            "https://h/?token=a;hunter2==", "https://h/;jsessionid=a;hunter2", "https://h/?token=a?;hunter2#top",
            "https://h/?next=https%3A%2F%2Fi%2F%3Ftoken%3Da;hunter2",
        ]
    )
    func urls(_ text: String) {
        #expect(!Redaction.standard.shown(url: text).contains("hunter"))
        #expect(Redaction.none.shown(url: text).contains(secret))
    }

    @Test(
        "a URL without a credential is shown unchanged",
        arguments: [
            "https://api.github.com/users/octocat?per_page=3#top", "https://registry.npmjs.org/@scope/package",
            "https://discord.com/api/users/@me", "/users/@me", "https://host:8080/@user", "http://[::1]/@me",
            "http://[::1]:80/@me", "https://h/?mail=joe@example.com", "https://h/a//b", "https://h/?a=1&&b=&=c&d",
            "https://h/?", "https://h/#", "", "users/@me", "https://h/?next=https%3A%2F%2Fi%2F%3Fpage%3D1",
            "file:///tmp/a@2x.png", "https://h/?a=%zz", "é👩‍🚀", "https://{host}/users/{login}",
        ]
    )
    func shownURLs(_ text: String) {
        #expect(Redaction.standard.shown(url: text) == text)
    }

    @Test(
        "in a text, the value of a URL's item is hidden, and the rest behind another secret name and =, or : and a quote",
        arguments: [
            ("hello token=hunter2", "hello token=<redacted>"),
            ("hello token=hunter2, and more", "hello token=<redacted>"),
            ("a\npassword = hunter2 three words", "a\\npassword =<redacted>"),
            ("(token=hunter2)", "(token=<redacted>"), ("'token'='hunter2'", "'token'=<redacted>"),
            ("say token=\"hunter2 b\" twice", "say token=<redacted>"),
            (#"{:password=>"hunter2"}"#, "{:password=<redacted>"),
            (#"login(password: "hunter2")"#, "login(password:<redacted>"),
            ("<user password='hunter2'/>", "<user password=<redacted>"),
            (#"X {"token":"hunter2"} b"#, #"X {"token":<redacted>"#),
            (#"f("{\"token\": \"hunter2\"}")"#, #"f("{\"token\":<redacted>"#),
            (#"{"pin":1234}"#, #"{"pin":<redacted>"#), (#"{"tokens": ["hunter2"]}"#, #"{"tokens":<redacted>"#),
            ("token=<hunter2>", "token=<redacted>"), ("token=<redacted>hunter2 b", "token=<redacted>"),
            ("code=\"hunter2\"", "code=<redacted>"), ("&code= hunter2", "&code=<redacted>"),
            // Behind the value of an item of a URL, the text is shown.
            ("GET https://h/?token=hunter2&a=1: timed out", "GET https://h/?token=<redacted>&a=1: timed out"),
            ("https://h/?token=hunter2 timed out", "https://h/?token=<redacted> timed out"),
            ("<a href=\"/?code=hunter2\">next</a>", "<a href=\"/?code=<redacted>\">next</a>"),
            ("filter=%7B%22token%22%3A%22hunter2%22%7D&a=1", "filter=<redacted>&a=1"),
            (#"{"u":"https:\/\/me:hunter2@h\/"}"#, #"{"u":"https:\/\/<redacted>@h\/"}"#),
            ("q=q%3D%257B%2522token%2522%253A%2522hunter2", "q=<redacted>"),
            ("a%3Dtoken%3Dhunter2 b", "<redacted> b"),
        ]
    )
    func texts(_ text: String, _ expected: String) {
        #expect(Redaction.standard.shown(text: text) == expected)
        #expect(Redaction.standard.shown(text: expected) == expected)
    }

    @Test(
        "a text that only resembles one with a credential is shown unchanged",
        arguments: [
            "exit code=1", "the key = value pairs", "a sign=+1 b", "status code = 404, key=name", "token",
            "a token of 5", "tokens are 5 = five", "a=b", "x == y", "count=5 of 7 tokens", "the secret is out",
            "https://h/a=b/c", "price <b>5</b>", "<title>password</title>", "key: value", "Invalid token.",
            "if a<b then password>c", "q=(a,b)", "a \"quoted\" b=1", "page=2&sort=name asc", "100% of a=%zz", "token=",
            "{\"a\": \"b\"}", "x=[1, 2]", "5\" disk", "a@b.c, d@e.f", "<br/>a=1", "author=me, monkey=2",
            "invalid_token: it has expired", "missingCredentials: none", #"no member "token": No value for "token"."#,
            "C:\\users\\x", "token_type: bearer", "Bearer realm=\"x\", error=\"invalid_token\"",
        ]
    )
    func ordinaryTexts(_ text: String) {
        #expect(Redaction.standard.shown(text: text) == text)
    }

    @Test(
        "the rest of a secret behind a ; or ? is hidden, and the item behind a & is shown",
        arguments: [
            ("https://h/?token=a;b?c&x=1", "https://h/?token=<redacted>&x=1"),
            ("https://h/?token=a;x=1;y?z", "https://h/?token=<redacted>"),
            ("https://h/?token=a;b#c", "https://h/?token=<redacted>#c"),
            (
                "https://user:hunter2@host:80/p?a=1&token=hunter2&b=2#key=hunter2&c",
                "https://<redacted>@host:80/p?a=1&token=<redacted>&b=2#key=<redacted>&c"
            ),
        ]
    )
    func rest(_ url: String, _ expected: String) {
        #expect(Redaction.standard.shown(url: url) == expected)
    }

    @Test(
        "a header whose value is a URL hides the credentials of the URL",
        arguments: [
            "https://h/callback?code=hunter2", "https://user:hunter2@h/",
            "<https://h/?page=2>; rel=\"next\", <https://h/?access_token=hunter2&page=3>; rel=\"last\"",
        ]
    )
    func headerValues(_ value: String) {
        #expect(!Redaction.standard.shown(value, of: "Location").contains(secret))
    }

    @Test(
        "other header values are shown unchanged, on one line",
        arguments: [
            "text/html; charset=utf-8", "joe@example.com", "Mozilla/5.0 (X11; Linux; +https://h/x; a@b.c)", "W/\"abc\"",
            "multipart/form-data; boundary=abc", "</style.css>; rel=preload", "a:b@c",
        ]
    )
    func otherHeaderValues(_ value: String) {
        #expect(Redaction.standard.shown(value, of: "X") == value)
        #expect(Redaction.none.shown("\(value)\n", of: "X") == #"\#(value)\n"#)
        #expect(Redaction.standard.shown(url: "https://h/\r\n\u{2028}x") == #"https://h/\r\n\u{2028}x"#)
    }
}
