import Foundation
import StartSmall
import StartSmallCore
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

struct DeviceAuthorizationTests {
    /// The response of RFC 8628 3.2.
    private static let example = """
        {"device_code": "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS", "user_code": "WDJB-MJHT",
        "verification_uri": "https://example.com/device",
        "verification_uri_complete": "https://example.com/device?user_code=WDJB-MJHT", "expires_in": 1800, "interval": 5}
        """

    private static let client = OAuthClient("1406020730")

    private func fetch(
        _ json: String,
        allowsLoopback: Bool = false
    ) async -> Fetched<TransformError<OAuthError>, DeviceAuthorization> {
        await Self.client.deviceAuthorization(at: OAuth.tokenEndpoint, allowsLoopback: allowsLoopback)
            .fetch(via: .stub(.json(json)))
    }

    @Test("the example of RFC 8628 3 is sent and read, and its description shows no code")
    func example() async throws {
        let begin = Self.client.deviceAuthorization(at: OAuth.tokenEndpoint, ["scope": "example_scope"])
        #expect(try await OAuth.fields(of: begin) == ["scope=example_scope", "client_id=1406020730"])
        let secret = OAuthClient("a", .secretInHeader("b")).deviceAuthorization(at: OAuth.tokenEndpoint)
        #expect(try await OAuth.fields(of: secret) == ["client_id=a"])
        let device = try #require(await fetch(Self.example).right)
        #expect(device.userCode == "WDJB-MJHT" && device.page.absoluteString == "https://example.com/device")
        #expect(device.completePage?.query() == "user_code=WDJB-MJHT")
        #expect(device.expiresIn == .seconds(1800) && device.interval == .seconds(5))
        var dumped = "\(device)"
        dump(device, to: &dumped)
        #expect(!dumped.contains("GmRh") && !dumped.contains("WDJB"))
    }

    @Test(
        "without an interval, or with one that is not positive, it is 5 seconds, and never less than 1",
        arguments: [("null", 5), ("0", 5), ("-3", 5), (#""""#, 5), ("0.001", 1), ("1", 1), ("2", 2)]
    )
    func interval(_ value: String, _ seconds: Int) async {
        let json = Self.example.replacing(#""interval": 5"#, with: #""interval": \#(value)"#)
        #expect(await fetch(json).right?.interval == .seconds(seconds))
    }

    @Test(
        "a page that is not https, or has user information, is refused before anybody opens it",
        arguments: [
            "http://example.com/device", "https://a@example.com/device", "javascript:alert(1)", "file:///etc/passwd",
            "example.com/device", "http://127.0.0.1/device", "https://example.com/device#a",
        ]
    )
    func pages(_ page: String) async {
        for name in ["verification_uri", "verification_uri_complete"] {
            let json = Self.example.replacing(
                #""\#(name)": "https://example.com/device"#,
                with: #""\#(name)": "\#(page)"#
            )
            .replacing("?user_code=WDJB-MJHT\"", with: "\"")
            guard case .invalid? = await fetch(json).failure else {
                Issue.record("\(page)")
                continue
            }
        }
        let json = Self.example.replacing("https://example.com/device", with: "http://localhost/device")
        #expect(await fetch(json, allowsLoopback: true).right != nil)
    }

    @Test(
        "a response that lacks a code, or has one that can't be shown, is malformed",
        arguments: [
            #""user_code": "WDJB-MJHT""#: #""user_code": "a\u202eb""#, #""expires_in": 1800"#: #""expires_in": null"#,
            #""device_code": "G"#: #""device_code": "\u0000"#, #""verification_uri": "h"#: #""other": "h"#,
        ]
    )
    func malformed(_ old: String, _ new: String) async {
        guard case .malformedData? = await fetch(Self.example.replacing(old, with: new)).failure else {
            Issue.record("\(new)")
            return
        }
    }

    /// The time in seconds of each poll, and the outcome.
    private func poll(
        _ outputs: [Output],
        lifetime: Int = 1800
    ) async throws -> (times: [Duration], Either<DeviceSignInFailure, OAuthTokenResponse>, fields: [[String]]) {
        let json = Self.example.replacing("1800", with: "\(lifetime)")
        let device = try #require(await fetch(json).right)
        let clock = ManualClock()
        let (times, sent) = (Recorder<Duration>(), Recorder<[String]>())
        let server = Connector { input in
            times.append(clock.now.offset)
            sent.append(await input.form().fields)
            return outputs.indices.contains(times.elements.count - 1) ? outputs[times.elements.count - 1] : Self.pending
        }
        let ended = Recorder<Void>()
        let polling = Task {
            let token = await Self.client.token(for: device, at: OAuth.tokenEndpoint, via: server, clock: clock)
            ended.append(())
            return token
        }
        while ended.elements.isEmpty {
            if let next = clock.remaining.first { clock.advance(by: next) }
            await Task.yield()
        }
        return (times.elements, await polling.value, sent.elements)
    }

    private static let timedOut = ConnectionError.timedOut(.init(domain: "test", code: 1, text: "idle"))

    private static let pending = error("authorization_pending")

    private static func error(_ code: String, _ status: HTTPStatus = .badRequest) -> Output {
        .json(#"{"error": "\#(code)"}"#, status: status)
    }

    @Test("pending goes by the code with any status, and slow_down adds 5 seconds for good")
    func table() async throws {
        let (times, outcome, fields) = try await poll([
            Self.pending, Self.error("authorization_pending", .ok), Self.error("slow_down", .forbidden), Self.pending,
            Self.error("slow_down"), Self.pending, .json(OAuth.token),
        ])
        #expect(times == [5, 10, 15, 25, 35, 50, 65].map(Duration.seconds))
        #expect(outcome.right?.accessToken == "2YotnFZFEjr1zCsicMWpAA")
        #expect(Set(fields).count == 1 && fields.first?.contains { $0.hasPrefix("device_code=GmRh") } == true)
    }

    @Test("a failure that may pass doubles the interval for good (RFC 8628 3.5)")
    func backsOff() async throws {
        let lost = Output.noResponse(.connectionLost(.init(domain: "test", code: 1, text: "lost")))
        let (times, outcome, _) = try await poll([
            .noResponse(Self.timedOut), Self.pending, .status(.serviceUnavailable), lost, .json(OAuth.token),
        ])
        #expect(times == [5, 15, 25, 45, 85].map(Duration.seconds) && outcome.right != nil)
    }

    @Test("an error that may pass doubles the interval, too, and one of DPoP asks for the next poll")
    func transientErrors() async throws {
        let (times, outcome, _) = try await poll([
            Self.error("temporarily_unavailable", .serviceUnavailable), Self.error("use_dpop_nonce"),
            Self.error("server_error", .internalServerError), Self.error("Service Unavailable", .serviceUnavailable),
            Self.error("too_many_requests", .tooManyRequests), .json(OAuth.token),
        ])
        #expect(times == [5, 15, 25, 45, 85, 165].map(Duration.seconds) && outcome.right != nil)
    }

    @Test("any other outcome ends the polls")
    func ends() async throws {
        let json = Output.json(#"{"access_token": "a", "token_type": "mac"}"#)
        let outputs: [Output] = [
            Self.error("access_denied"), Self.error("access_denied", .tooManyRequests), Self.error("invalid_grant"),
            json, .json("{}"), .status(.notFound),
            .noResponse(.serverCertificateUntrusted(.init(domain: "test", code: 1, text: "lost"))),
        ]
        for output in outputs {
            let (times, outcome, _) = try await poll([Self.pending, output])
            guard case .failed? = outcome.left, times.count == 2 else {
                Issue.record("\(output): \(outcome)")
                continue
            }
        }
        guard case .expired? = try await poll([Self.error("expired_token")]).1.left else {
            Issue.record("not expired")
            return
        }
    }

    @Test(
        "the lifetime of the codes ends the polls, also a huge or a short one",
        arguments: [(0, 0), (5, 0), (6, 1), (23, 4)]
    )
    func lifetime(_ seconds: Int, _ count: Int) async throws {
        let (times, outcome, _) = try await poll([], lifetime: seconds)
        guard case .expired? = outcome.left else {
            Issue.record("\(outcome)")
            return
        }
        #expect(times.count == count)
    }

    @Test("any number of failures, and any interval, overflow nothing")
    func overflow() async throws {
        let json = Self.example.replacing("1800", with: "1e300").replacing(
            #""interval": 5"#,
            with: #""interval": 1e300"#
        )
        var polling = DevicePolling(try #require(await fetch(json).right))
        for _ in 0..<200 {
            let hasEnded = polling.ends(with: .left(.left(Self.timedOut)))
            #expect(!hasEnded)
        }
        #expect(polling.interval == .maximumWait && polling.pause(after: .zero) == nil)
    }

    @Test("a cancelled task ends with its error, and without a poll")
    func cancelled() async throws {
        let device = try #require(await fetch(Self.example).right)
        let clock = ManualClock()
        let task = Task {
            await Self.client.token(for: device, at: OAuth.tokenEndpoint, via: .stub(sequence: []), clock: clock)
        }
        await clock.waitForSleepers(count: 1)
        task.cancel()
        guard case .failed(.left(.cancelled))? = await task.value.left else {
            Issue.record("not cancelled")
            return
        }
    }
}
