import Testing

@testable import StartSmall

struct SecretNameTests {
    @Test(
        "a name is split into parts at marks but - and _, which are dropped, and into segments at every mark",
        arguments: [
            ("Access-Token", ["accesstoken"], ["access", "token"]), ("user[pwd]", ["user", "pwd"], ["user", "pwd"]),
            ("API_KEY2", ["apikey2"], ["api", "key2"]), ("-?_", ["", ""], []),
            ("Clé-É[x]", ["cléé", "x"], ["clé", "é", "x"]),
        ]
    )
    func parts(_ name: String, _ parts: [String], _ segments: [String]) {
        #expect(SecretName(name).parts == parts)
        #expect(SecretName(name).segments == segments)
        #expect(SecretName(name).whole == parts.joined())
    }

    @Test("a name of letters and digits alone is one, in lower case", arguments: [("Pin2", "pin2"), ("", "")])
    func one(_ name: String, _ whole: String) {
        #expect(SecretName(name).whole == whole)
        #expect(SecretName(name).parts.isEmpty && SecretName(name).segments.isEmpty)
    }
}
