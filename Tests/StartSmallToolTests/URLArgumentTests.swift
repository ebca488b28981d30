import Testing

@testable import StartSmallTool

struct URLArgumentTests {
    @Test(
        "http is the default for this machine only, https for any other host",
        arguments: [
            ("localhost", "http://localhost"), ("LOCALHOST:80/a", "http://LOCALHOST:80/a"),
            ("127.0.0.1:8080/a?b", "http://127.0.0.1:8080/a?b"), ("[::1]:8080", "http://[::1]:8080"),
            (":8080", "http://localhost:8080"), (":8080/a", "http://localhost:8080/a"), (":/a", "http://localhost/a"),
            ("localhost?q=1", "http://localhost?q=1"), ("me:p@localhost/", "http://me:p@localhost/"),
            ("a.example", "https://a.example"), ("a.example:8080/a", "https://a.example:8080/a"),
            ("localhost.a.example", "https://localhost.a.example"),
            ("127.0.0.1.a.example", "https://127.0.0.1.a.example"),
            ("localhost@a.example", "https://localhost@a.example"),
            ("localhost:80@a.example", "https://localhost:80@a.example"),
            ("a.example/localhost", "https://a.example/localhost"),
            ("a.example?u=http://b", "https://a.example?u=http://b"),
            ("http://a.example", "http://a.example"), ("HTTPS://localhost", "HTTPS://localhost"),
            ("ftp://a.example", "ftp://a.example"), ("127.0.0.10", "https://127.0.0.10"),
        ]
    )
    func scheme(_ typed: String, _ url: String) {
        #expect(URLArgument.withScheme(typed) == url)
    }
}
