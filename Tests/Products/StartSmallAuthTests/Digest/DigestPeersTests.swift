import Foundation
import StartSmall
import StartSmallAuth
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

/// Digest with servers and a client of others, which Tests/DigestPeers/run.sh starts.
@Suite(.timeLimit(.minutes(2))) struct DigestPeersTests {
    private static let httpbinURL = server("STARTSMALL_HTTPBIN")
    private static let apacheURL = server("STARTSMALL_APACHE")

    private static func server(_ name: String) -> URL? {
        ProcessInfo.processInfo.environment[name].flatMap { URL(string: $0) }
    }

    private static func app(_ server: URL, _ user: String, _ password: String, _ sent: Recorder<Input>) -> Connector {
        let cookies = Locked<[String: String]>([:])
        return Connector.patient.wrapped(
            by: .digest(user: user, password: password, to: .origin(server), allowsMD5: true),
            // Next to the engine: `.cookies` is outside of the repetition, and httpbin has its state in cookies.
            .streaming { input, next in
                sent.append(input)
                let field = cookies.withLock { $0.map { "\($0.key)=\($0.value)" }.joined(separator: "; ") }
                let output = await next(input.with { $0.headers["Cookie"] = field.isEmpty ? nil : field })
                for text in output.response?.headers.values(of: "Set-Cookie") ?? [] {
                    let pair = text.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
                    if pair.count == 2 { cookies.withLock { $0[pair[0]] = pair[1] } }
                }
                return output
            }
        )
    }

    private static func status(
        _ app: Connector,
        _ server: URL,
        _ path: String,
        _ method: HTTPMethodAndPayload = .get
    ) async throws -> HTTPStatus? {
        let url = try #require(URL(string: server.absoluteString + path))
        let input = Input(url: url).with { $0.methodAndPayload = method }
        return await WebAPI.call(with: input, via: app).response?.statusCode
    }

    @Test(
        "httpbin accepts each form that it has, of one request once its nonce is known",
        .enabled(if: httpbinURL != nil, "Tests/DigestPeers/run.sh starts httpbin"),
        arguments: ["auth", "auth-int"],
        ["MD5", "SHA-256"]
    )
    func httpbin(qop: String, algorithm: String) async throws {
        let (server, sent) = (try #require(Self.httpbinURL), Recorder<Input>())
        let app = Self.app(server, "me", "pw", sent)
        // No escapes: httpbin computes with the decoded path, and not with the target.
        let path = "/digest-auth/\(qop)/me/pw/\(algorithm)/never"

        for _ in 0..<3 { #expect(try await Self.status(app, server, path) == .ok) }
        #expect(sent.elements.count == 4)
        let wrong = Self.app(server, "me", "wrong", sent)
        #expect(try await Self.status(wrong, server, path) == .unauthorized)
    }

    @Test(
        "httpbin's nonces that become stale are replaced",
        .enabled(if: httpbinURL != nil, "Tests/DigestPeers/run.sh starts httpbin")
    )
    func staleInHttpbin() async throws {
        let (server, sent) = (try #require(Self.httpbinURL), Recorder<Input>())
        let app = Self.app(server, "me", "pw", sent)

        for _ in 0..<4 {
            #expect(try await Self.status(app, server, "/digest-auth/auth/me/pw/SHA-256/1") == .ok)
        }
        #expect(sent.elements.count > 5)
    }

    @Test(
        "Apache accepts names, realms, targets and methods of all kinds",
        .enabled(if: apacheURL != nil, "Tests/DigestPeers/run.sh starts Apache, on Debian"),
        arguments: [("Mufasa", "Circle of Life"), ("J\u{E4}s\u{F8}n", "a:b \u{20AC}")]
    )
    func apache(user: String, password: String) async throws {
        let (server, sent) = (try #require(Self.apacheURL), Recorder<Input>())
        let app = Self.app(server, user, password, sent)

        #expect(try await Self.status(app, server, "/a%20b.txt") == .ok)
        #expect(try await Self.status(app, server, "/a%20b.txt?q=%22x%22&y", .head) == .ok)
        #expect(try await Self.status(app, server, "?q") == .notFound)
        #expect(sent.elements.count == 4)
        let statuses = try await withThrowingTaskGroup { group in
            for _ in 0..<50 { group.addTask { try await Self.status(app, server, "/a%20b.txt") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.allSatisfy { $0 == .ok })
        #expect(sent.elements.count == 54)
        let wrong = Self.app(server, user, "wrong", sent)
        #expect(try await Self.status(wrong, server, "/a%20b.txt") == .unauthorized)
    }

    @Test(
        "Apache's nonces for one request are replaced by the next ones that it offers",
        .enabled(if: apacheURL != nil, "Tests/DigestPeers/run.sh starts Apache, on Debian")
    )
    func onceInApache() async throws {
        let (server, sent) = (try #require(Self.apacheURL), Recorder<Input>())
        let app = Self.app(server, "Mufasa", "Circle of Life", sent)

        for _ in 0..<4 { #expect(try await Self.status(app, server, "/once/a.txt") == .ok) }
        #expect(sent.elements.count == 5)
    }

    @Test(
        "curl is accepted by the server of the tests, for each algorithm and quality of protection that it has",
        .enabled(if: httpbinURL != nil, "Tests/DigestPeers/run.sh needs curl"),
        arguments: ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess"],
        ["auth", "auth,auth-int"]
    )
    func curl(algorithm: String, qop: String) async throws {
        var server = DigestServer()
        (server.algorithm, server.qop, server.user) = (algorithm, qop, #"a "quoted" \ name"#)
        let status = try await LoopbackServer.serving(server.connector) { loopback in
            let url = loopback.url.absoluteString + "/a/../b?q=%20"
            let curl = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-m", "30", "--digest", "--path-as-is"]
            return try await Program.output(of: curl + ["--user", "\(server.user):\(server.password)", url])
        }

        #expect(status == Data("200".utf8))
        #expect(server.violations.elements == [])
    }
}
