import Foundation
import StartSmall
import StartSmallCore
import StartSmallDiagnostics
import StartSmallHeaders
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

/// A clock on which a sleep takes no time.
private struct JumpingClock: Clock {
    private let manual = ManualClock()
    var now: ManualClock.Instant { manual.now }
    var minimumResolution: Duration { manual.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        manual.advance(by: manual.now.duration(to: deadline))
    }
}

/// Each secret of a sign-in goes its real way, each server repeats it, and nothing that an app could show has it.
@Suite(.timeLimit(.minutes(2))) struct SecretTests {
    /// A way to use secrets.
    struct Way: Sendable {
        let name: String

        /// The least number of secrets in half of the answers.
        let secrets: Int
        let sound: Set<String>
        let call: @Sendable (SecretWorld) async throws -> Void

        init(
            _ name: String,
            _ secrets: Int,
            sound: Set<String> = [],
            call: @escaping @Sendable (SecretWorld) async throws -> Void
        ) {
            (self.name, self.secrets, self.sound, self.call) = (name, secrets, sound, call)
        }
    }

    private static func url(_ path: String) -> URL { Fixture.url("https://as.example\(path)") }

    private static let publicClient = OAuthClient("app")

    /// Requests a token by a grant.
    private static func token(_ client: OAuthClient, by grant: OAuthGrant, _ world: SecretWorld) async {
        world.show("client", client)
        world.show("grant", grant)
        let fetched = await world.fetch(client.token(by: grant, at: url("/token")), via: world.connector())
        guard let response = fetched.right else { return }
        let token = response.accessToken(receivedAt: Date(timeIntervalSince1970: 0))
        world.show("token", token)
        let text = response.idToken ?? ""
        world.show("claims", JSONWebToken(unverified: text) as Any)
        for (issuer, nonce) in [("https://as.example", "n"), ("", nil)] {
            let now = Date(timeIntervalSince1970: 0)
            world.show("ID token", JSONWebToken.idToken(text, from: issuer, to: client, nonce: nonce, now: now))
        }
    }

    private static let clients: [Way] = [
        Way("a client secret in the header", 51) { world in
            for form in [PlantedForm.password, .base64, .opaque] {
                await token(OAuthClient("app", .secretInHeader(world.secret(form))), by: .clientCredentials, world)
            }
        },
        Way("a client secret in the form", 30) { world in
            for form in [PlantedForm.password, .base64, .opaque] {
                await token(OAuthClient("app", .secretInForm(world.secret(form))), by: .clientCredentials, world)
            }
        },
        Way("a client assertion", 17) { world in
            let key = ClientAssertion(to: "https://as.example", algorithm: "ES256", random: world.bits) { _ in
                Data((0..<64).map { _ in UInt8(truncatingIfNeeded: world.bits()) })
            }
            world.show("key", key)
            await token(OAuthClient("app", .privateKey(key)), by: .clientCredentials, world)
            let broken = world.secret(.opaque)
            let failing = ClientAssertion(to: "https://as.example", algorithm: "ES256") { _ in
                throw SignerError(description: "private_key=\(broken)")
            }
            await token(OAuthClient("app", .privateKey(failing)), by: .clientCredentials, world)
        },
        Way("a registration", 18) { world in
            for form in [PlantedForm.opaque, .base64] {
                let (metadata, token) = (["client_name": "a"], world.secret(form))
                let endpoint = OAuthClient.registration(metadata, at: url("/register"), initialToken: token)
                if let client = await world.fetch(endpoint, via: world.connector()).right {
                    world.show("registration", client)
                }
            }
        },
    ]

    private struct SignerError: Error, CustomStringConvertible {
        let description: String
    }

    private static let grants: [Way] = [
        Way("a code", 31) { world in
            let redirect = Fixture.url("https://app.example/cb")
            let request = AuthorizationRequest(publicClient, redirect: redirect, random: world.bits)
            let secrets = [request.state, request.nonce, request.verifier].map { world.plant($0) }
            world.show("request", request)
            let code = URIEncoding.encoded(world.secret(.base64))
            let replies =
                ["code=\(code)&state=\(request.state)", "code=\(code)", "state=\(request.state)&code=%FF\(code)"]
                + secrets.map {
                    "error=access_denied&error_description=bad+\($0)&error_uri=https://a/\($0)&state=\(request.state)"
                }
                + secrets.map { secret in
                    let text = URIEncoding.encoded(Data(secret.utf8).base64EncodedString())
                    return "error=access_denied&error_description=\(text)&state=\(request.state)"
                }
            for reply in replies {
                let read = request.code(in: Fixture.url("https://app.example/cb?\(reply)"))
                world.show("redirect", read)
                if let code = read.right { await token(publicClient, by: .code(code), world) }
            }
        },
        Way("a refresh token", 40) { world in
            for form in PlantedForm.allCases { await token(publicClient, by: .refresh(world.secret(form)), world) }
        },
        Way("an assertion", 20) { world in
            for form in [PlantedForm.webToken, .base64] {
                await token(publicClient, by: .jwtBearer(world.secret(form)), world)
            }
        },
        Way("an exchange", 17) { world in
            let grant = OAuthGrant.tokenExchange(
                world.secret(.webToken),
                .jwt,
                actor: (world.secret(.opaque), .accessToken)
            )
            await token(publicClient, by: grant, world)
        },
        Way("a device code", 17, sound: ["/device"]) { world in
            let connector = world.connector()
            let fetched = await world.fetch(publicClient.deviceAuthorization(at: url("/device")), via: connector)
            guard let device = fetched.right else { return }
            let signIn = await publicClient.token(for: device, at: url("/token"), via: connector, clock: JumpingClock())
            world.show("sign-in", signIn)
        },
        Way("a pushed request", 35) { world in
            let redirect = Fixture.url("https://app.example/cb")
            let client = OAuthClient("app", .secretInHeader(world.secret(.opaque)))
            let request = AuthorizationRequest(client, redirect: redirect, random: world.bits)
            for secret in [request.state, request.nonce, request.verifier] { world.plant(secret) }
            let pushed = client.url(of: request, pushedTo: url("/par"), at: url("/authorize"), ["scope": "openid"])
            await world.fetch(pushed, via: world.connector())
        },
    ]

    private static let tokens: [Way] = [
        Way("a revoked token", 21) { world in
            for form in [PlantedForm.opaque, .webToken, .base64] {
                let token = world.secret(form)
                await world.fetch(publicClient.revocation(of: token, at: url("/revoke")), via: world.connector())
                await world.fetch(publicClient.introspection(of: token, at: url("/introspect")), via: world.connector())
            }
        },
        Way("a stored token", 17) { world in await refreshed(world, RefreshPolicy()) },
        Way("a session", 24) { world in await session(world, .password) },
        Way("a session whose server is sound", 42, sound: ["/token"]) { world in await session(world, .base64) },
        Way("a token bound to a key", 39) { world in
            world.rejected.withLock { _ = $0.insert("DPoP") }
            let key = DPoPKey(publicKey: ["kty": "EC", "d": world.secret(.opaque)]) { _ in
                Data((0..<64).map { _ in UInt8(truncatingIfNeeded: world.bits()) })
            }
            world.show("key", key)
            await refreshed(world, .dpop, .dpop(key, random: world.bits))
        },
        Way("a password of Digest", 20) { world in
            let password = world.secret(.password)
            world.digest.withLock { $0 = DigestServer(password: password) }
            let digest = Wrapper.digest(user: "Mufasa", password: password, to: .origin(url("/")))
            // The value is the payload, which an app may show.
            let endpoint = Endpoint.text(.get(url("/resource"))).map { _ in }
            await world.fetch(endpoint, via: world.connector(digest))
        },
    ]

    private static func refreshed(_ world: SecretWorld, _ policy: RefreshPolicy, _ inner: Wrapper...) async {
        let store = store(world)
        let wrapper = Wrapper.refreshToken(in: store, to: .origin(url("/")), policy) { token, connector in
            let grant = OAuthGrant.refresh(token.refreshToken ?? "")
            let type = world.rejected.withLock { $0.contains("DPoP") } ? "DPoP" : "Bearer"
            return await publicClient.token(by: grant, at: url("/token"), tokenType: type).fetch(via: connector)
                .map { $0.accessToken(receivedAt: Date(timeIntervalSince1970: 0), inPlaceOf: token) }
        }
        await call(world, store, wrapper, .all(inner))
    }

    /// Refreshes a token by the wrapper for an app, with a secret of the client and a refresh token.
    private static func session(_ world: SecretWorld, _ form: PlantedForm) async {
        let store = store(world)
        let client = OAuthClient("app", .secretInForm(world.secret(form)))
        let now = { @Sendable in Date(timeIntervalSince1970: 0) }
        await call(world, store, .oauth(client, at: url("/token"), in: store, to: .origin(url("/")), now: now))
    }

    /// Returns a store with a token that the resource rejects.
    private static func store(_ world: SecretWorld) -> TokenStore {
        let old = AccessToken(world.secret(.opaque), refreshToken: world.secret(.base64), identity: "joe")
        world.rejected.withLock { _ = $0.insert(old.value) }
        return .memory(old)
    }

    private static func call(_ world: SecretWorld, _ store: TokenStore, _ inner: Wrapper...) async {
        // The value is the payload, which an app may show.
        await world.fetch(Endpoint.text(.get(url("/resource"))).map { _ in }, via: world.connector(.all(inner)))
        world.show("store", store)
        world.show("token", (try? await store.load()) as Any)
    }

    private static func readFile(_ world: SecretWorld) async throws {
        let (file, secret) = (world.folder.appending(path: "token"), world.secret(.opaque))
        for text in [
            #"{"value":"\#(secret)","#, #"{"value":["\#(secret)"]}"#, #"{"value":"a","expires":"\#(secret)"}"#, secret,
            #"{"value":"\#(secret)","refreshToken":"\#(world.secret(.base64))"}"#,
        ] {
            let isWritten = FileManager.default.createFile(
                atPath: file.path,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: 0o600]
            )
            #expect(isWritten)
            let store = TokenStore.file(at: file, clock: ManualClock())
            world.show("store", store)
            do { world.show("token", try await store.load() as Any) } catch {
                #expect(error is TokenStoreError)
                world.show("error", error)
            }
            let wrapper = Wrapper.refreshToken(in: store, to: .origin(url("/"))) { _, _ in
                .right(AccessToken(world.secret(.webToken))) as Fetched<TransformError<Never>, AccessToken>
            }
            // The value is the payload, which an app may show.
            let endpoint = Endpoint.text(.get(url("/resource"))).map { _ in }
            await world.fetch(endpoint, via: world.connector(wrapper))
        }
    }

    private static func verify(_ world: SecretWorld) {
        let (key, body) = (Data(world.secret(.opaque).utf8), Data("{}".utf8))
        let secret = world.plant(key.base64EncodedString())
        let digest = HMAC.sha256(of: [Data("m.1614265330.".utf8), body], key: Array(key))
        let signature = world.plant(Data(digest).base64EncodedString())
        let signatures: [(String, Double)] = [(signature, 0), (signature, 900), ("v1", 0), (secret, 0)]
        for (signature, time) in signatures {
            let webhook = Webhook(.standard, secrets: [secret])
            let headers: HTTPHeaders = [
                "webhook-id": "m", "webhook-timestamp": "1614265330", "webhook-signature": "v1,\(signature)",
                "X-Hub-Signature-256": "sha256=\(signature)", "Stripe-Signature": "t=1,v1=\(signature)",
            ]
            world.show("check", webhook)
            world.show("fields", headers)
            let now = Date(timeIntervalSince1970: 1_614_265_330 + time)
            world.show("delivery", webhook.verified(body, headers: headers, now: now))
            for format in [Webhook.Format.stripe, .gitHub] {
                let webhook = Webhook(format, secrets: [secret])
                world.show("check", webhook)
                world.show("delivery", webhook.verified(body, headers: headers, now: now))
            }
        }
    }

    private static let kept = [
        Way("a file", 15) { try await readFile($0) },
        Way("a webhook", 21) { verify($0) },
    ]

    private static let ways = clients + grants + tokens + kept

    @Test("no description, log, recording or error has a secret, whatever the server answers", arguments: ways.indices)
    func shown(index: Int) async throws {
        let way = Self.ways[index]
        try await withFolder { folder async throws in
            var count = 0
            for (number, answer) in SecretAnswer.allCases.enumerated() {
                // Half of the answers, to keep the test short.
                guard isExhaustive || answer == .success || (number + index).isMultiple(of: 2) else { continue }
                let world = SecretWorld(answer, sound: way.sound, seed: UInt64(number), in: folder)
                try await way.call(world)
                world.expectNoSecret(in: way.name)
                count += world.count
            }
            #expect(count >= way.secrets)
        }
    }

    @Test("there are more than 400 secrets in all")
    func total() { #expect(Self.ways.map(\.secrets).reduce(0, +) > 400) }
}
