import Testing

@testable import StartSmall

struct SecretNameTests {
    @Test(
        "a name is split into parts at marks but - and _, which are dropped, and into segments at every mark",
        arguments: [
            ("Access-Token", ["accesstoken"], ["access", "token"]), ("user[pwd]", ["user", "pwd"], ["user", "pwd"]),
            ("API_KEY2", ["apikey2"], ["api", "key2"]), ("-?_", [], []), ("Pin2", ["pin2"], ["pin2"]), ("", [], []),
            ("Clé-É[x]", ["cléé", "x"], ["clé", "é", "x"]),
        ]
    )
    func parts(_ name: String, _ parts: [String], _ segments: [String]) {
        #expect(SecretName(name).parts == parts)
        #expect(SecretName(name).segments == segments)
        #expect(SecretName(name).whole == parts.joined())
    }
}
