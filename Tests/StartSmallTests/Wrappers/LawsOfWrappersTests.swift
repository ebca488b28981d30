import Foundation
import StartSmall
import StartSmallAuth
import StartSmallDiagnostics
import StartSmallDownloads
import StartSmallForms
import StartSmallMetrics
import StartSmallResilience
import StartSmallTesting
import TestSupport
import Testing

/// The laws that users can check for their own wrappers, checked for all wrappers of StartSmall.
struct LawsOfWrappersTests {
    @Test("StartSmall's wrappers keep the laws of wrappers", arguments: Subject.all)
    private func laws(subject: Subject) async {
        let laws = WrapperLaws(
            unchanged: WrapperLaws.defaultOutputs + subject.otherOutputs,
            atMostCalls: subject.mostCalls,
            of: subject.input
        ) { subject.make() }
        let violations = await laws.violations()
        #expect(violations == [])
    }

    private struct Subject: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let input: Input
        let otherOutputs: [Output]
        let mostCalls: Int
        let make: @Sendable () -> Wrapper

        init(
            _ name: String,
            of input: Input = Fixture.input,
            unchanged others: [Output] = [],
            atMostCalls calls: Int = 1,
            _ make: @escaping @Sendable () -> Wrapper
        ) {
            (testDescription, self.input, otherOutputs, mostCalls) = (name, input, others, calls)
            self.make = make
        }

        /// Without delays, so that no law has to wait.
        static let all = [
            Subject("apiKey") { .apiKey("k", in: .header("X-API-Key")) },
            Subject("attemptHeaders") { .attemptHeaders() },
            Subject("baseURL", of: Input(url: URL(string: "/a")!)) { .baseURL(Fixture.url) },
            Subject("basic") { .basic(user: "u", password: "p") },
            Subject("bearer") { .bearer("t") },
            Subject("contentDigest", of: post) { .contentDigest() },
            Subject("deadline") { .deadline(ContinuousClock.now + .seconds(600)) },
            Subject("deprecations") { .deprecations() },
            Subject("gzipPayloads", of: post) { .gzipPayloads() },
            Subject("headers") { .headers(["A": "b"]) },
            Subject("idempotencyKey", of: post) { .idempotencyKey() },
            Subject("limitConcurrency") { .limitConcurrency(1) },
            Subject("limitPayload") { .limitPayload() },
            Subject("limitPayload(ofErrors:)") { .limitPayload(ofErrors: 1_000_000) },
            Subject("listen") { .listen(to: EventLog().listener) },
            Subject("log") { .log(.payloads, print: { _ in }) },
            Subject("queries") { .queries(["api-version": "1"], to: .anyOrigin) },
            Subject("queryEncoding", of: Input(url: Fixture.url, queries: [.init(name: "a", value: "b c")])) {
                .queryEncoding(.form)
            },
            Subject("redirect") { .redirect() },
            Subject("refreshToken") { refreshing(AccessToken("good")) },
            Subject("refreshToken before anything is sent") { refreshing(AccessToken("late", expires: .distantPast)) },
            Subject("refreshToken, in vain", unchanged: [.status(.unauthorized)], atMostCalls: 2) {
                refreshing(AccessToken("old"))
            },
            Subject("refreshToken without one") { refreshing(nil) },
            Subject("requestID") { .requestID() },
            Subject("resumeDownloads") { .resumeDownloads() },
            Subject("retry", atMostCalls: 3) { .retry(random: { 0 }) },
            Subject("retry of what may do harm twice", of: post) { .retry(random: { 0 }) },
            Subject("shareInFlight") { .shareInFlight() },
            Subject("shareInFlight of other methods", of: post) { .shareInFlight() },
            Subject("timeout") { .timeout(.seconds(600)) },
            Subject("timeout until the head") { .timeout(untilHead: .seconds(600)) },
            Subject("traceparent") { .traceparent() },
            Subject("tracked") { .tracked(in: CallGroup()) },
            Subject("userAgent") { .userAgent("a") },
            Subject("validate") { .validate { _ in nil } },
            Subject("chaos, of which none comes") { .chaos(.status(.badGateway, when: .probability(0))) },
        ]

        private static func refreshing(_ token: AccessToken?) -> Wrapper {
            .refreshToken(in: TokenStore(load: { token }, save: { _ in })) { _, _ in
                Fetched<TransformError<Never>, AccessToken>.right(AccessToken("new"))
            }
        }

        private static let post = Input(url: Fixture.url, methodAndPayload: .post(payload: Either.text("a").right))
    }
}
