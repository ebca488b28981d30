import Foundation
import StartSmall
import StartSmallAuth
import StartSmallCaching
import StartSmallCookies
import StartSmallDiagnostics
import StartSmallDownloads
import StartSmallForms
import StartSmallMetrics
import StartSmallResilience
import StartSmallTesting
import Testing

/// All wrappers of the kit and its products: one for each public function that returns a wrapper, and more.
struct KitWrapper: Sendable, CustomTestStringConvertible {
    /// The name of the function.
    let name: String

    /// Creates the wrapper, with its own state.
    let make: @Sendable () -> Wrapper

    /// Whether this is another use of a function that is already in the list.
    let isVariant: Bool

    var testDescription: String { wrapper.name ?? name }

    var wrapper: Wrapper { make() }

    private init(
        _ name: String,
        _ wrapper: @escaping @Sendable @autoclosure () -> Wrapper,
        isVariant: Bool = false
    ) {
        (self.name, make, self.isVariant) = (name, wrapper, isVariant)
    }

    /// The server of `WrapperLaws.standardInput`.
    private static let server = URL(string: "https://example.com")!

    /// The start of the names of the cassettes that a wrapper writes, in the temporary directory.
    static func cassettes(of name: String) -> String { "KitWrappers-\(run)-\(name)-" }

    private static let run = UUID()

    /// Returns a new cassette, since the exchanges of an existing one would be replayed.
    private static func file(_ name: String) -> URL {
        FileManager.default.temporaryDirectory.appending(path: "\(cassettes(of: name))\(UUID()).cassette")
    }

    static let all = [
        KitWrapper("apiKey", .apiKey("k", in: .header("X-API-Key"))),
        KitWrapper("apiKey", .apiKey(in: .query("key"), to: .origin(server)) { "k" }),
        KitWrapper("attemptHeaders", .attemptHeaders()),
        KitWrapper("baseURL", .baseURL(server)),
        KitWrapper("basic", .basic(user: "u", password: "p")),
        KitWrapper("basic", .basic(user: "u", password: "p", to: .origin(server)), isVariant: true),
        KitWrapper("bearer", .bearer("t")),
        KitWrapper("bearer", .bearer { "t" }),
        KitWrapper("bearer", .bearer("t", to: .origin(server)), isVariant: true),
        KitWrapper("cache", .cache(in: .memory())),
        KitWrapper("dpop", .dpop(DPoPKey(publicKey: [:]) { $0 })),
        KitWrapper("chaos", .chaos(.status(.badGateway, when: .probability(0)))),
        KitWrapper("circuitBreaker", .circuitBreaker()),
        KitWrapper("contentDigest", .contentDigest()),
        KitWrapper("cookies", .cookies(in: CookieJar())),
        KitWrapper("deadline", .deadline(ContinuousClock.now + .seconds(600))),
        KitWrapper("deprecations", .deprecations()),
        KitWrapper("digest", .digest(user: "u", password: "p", to: .origin(server))),
        KitWrapper("digest", .digest(user: "u", password: "p", to: .anyOrigin), isVariant: true),
        KitWrapper("fallback", .fallback(to: .stub(.status(.ok)))),
        KitWrapper("fallback", .fallback(to: Response(statusCode: .ok))),
        KitWrapper("gzipPayloads", .gzipPayloads()),
        KitWrapper("har", .har(to: file("har"))),
        KitWrapper("headers", .headers(["Accept-Language": "ja"])),
        KitWrapper("headers", .headers { _ in [:] }),
        KitWrapper("headers", .headers(["Authorization": "t"]), isVariant: true),
        KitWrapper("hedge", .hedge(after: .fixed(.seconds(10)))),
        KitWrapper("idempotencyKey", .idempotencyKey()),
        KitWrapper("limitConcurrency", .limitConcurrency(4)),
        KitWrapper("limitConcurrency", .limitConcurrency(.adaptive())),
        KitWrapper("limitPayload", .limitPayload()),
        KitWrapper("limitPayload", .limitPayload(ofErrors: 1_000_000)),
        KitWrapper("listen", .listen(to: EventLog().listener)),
        KitWrapper("log", .log(print: { _ in })),
        KitWrapper("log", .log(.headers, entry: { _ in })),
        KitWrapper("queries", .queries(["api-version": "1"], to: .origin(server))),
        KitWrapper("queries", .queries(["api-version": "1"], to: .anyOrigin), isVariant: true),
        KitWrapper("queryEncoding", .queryEncoding(.form)),
        KitWrapper("rateLimit", .rateLimit(.requests(1_000_000, per: .seconds(1)))),
        KitWrapper("record", .record(to: file("record"))),
        KitWrapper("redirect", .redirect()),
        KitWrapper("oauth", .oauth(OAuthClient("id"), at: server, in: .memory(), to: .origin(server))),
        KitWrapper("oauth", .oauth(OAuthClient("id"), at: server, in: .memory(), to: .anyOrigin), isVariant: true),
        KitWrapper(
            "refreshToken",
            .refreshToken(in: TokenStore(load: { nil }, save: { _ in })) { _, _ in
                Fetched<TransformError<Never>, AccessToken>.right(AccessToken("t"))
            }
        ),
        KitWrapper(
            "refreshToken",
            .refreshToken(in: TokenStore(load: { nil }, save: { _ in }), to: .origin(server)) { _, _ in
                Fetched<TransformError<Never>, AccessToken>.right(AccessToken("t"))
            },
            isVariant: true
        ),
        KitWrapper("replay", .replay(from: file("replay"))),
        KitWrapper("requestID", .requestID()),
        KitWrapper("resumeDownloads", .resumeDownloads()),
        KitWrapper("retry", .retry(random: { 0 })), KitWrapper("retry", .retry(attempts: 1)),
        KitWrapper("shareInFlight", .shareInFlight()),
        KitWrapper("timeout", .timeout(.seconds(10))),
        KitWrapper("timeout", .timeout(untilHead: .seconds(10))),
        KitWrapper("traceparent", .traceparent()),
        KitWrapper("tracked", .tracked(in: CallGroup())),
        KitWrapper("userAgent", .userAgent("a")),
        KitWrapper("userAgent", .userAgent([UserAgentProduct("a")])),
        KitWrapper("validate", .validate { _ in nil }),
    ]
}
