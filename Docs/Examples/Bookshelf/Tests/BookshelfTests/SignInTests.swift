import StartSmall
import StartSmallAuth
import StartSmallTesting
import Testing

@testable import Bookshelf

/// How a user signs in by a code, and stays signed in.
@Suite(.timeLimit(.minutes(1))) struct SignInTests {
    private let emma = Book(id: 1, title: "Emma")
    private let sent = Recorder<Input>()
    private let tokens = TokenStore.memory()

    /// The clock of the polls.
    private let clock = ManualClock()

    /// The clock of the limits of each call.
    private let calls = ManualClock()

    private let serverClock = ManualClock()

    private func account(at server: URL? = nil) throws -> Account {
        Account(at: try #require(server ?? URL(string: "https://api.bookshelf.example")), tokens: tokens)
    }

    /// Waits for the pause before the next poll, and moves all clocks over it; that of the server perhaps by less.
    ///
    /// - Returns: the pause.
    private func pause(onServer seconds: Int? = nil) async throws -> Duration {
        await clock.waitForSleepers(count: 1)
        let pause = try #require(clock.remaining.first)
        serverClock.advance(by: seconds.map(Duration.seconds) ?? pause)
        calls.advance(by: pause)
        clock.advance(by: pause)
        return pause
    }

    /// Types a code on the page, as the user does in a browser.
    private func decide(_ decision: String, _ device: DeviceAuthorization, at server: Connector) async throws {
        let page = Either.post(device.page, payload: .form(["user_code": device.userCode, "decision": decision]))
        try await Endpoint.empty(page).value(via: server)
    }

    /// Signs in through the connector of the app.
    private func signIn(to account: Account, via bookshelf: Connector, at server: Connector) async throws {
        let device = try await account.beginSignIn().value(via: bookshelf)
        async let end: Void = account.finishSignIn(with: device, via: bookshelf, clock: clock)
        try await decide("approve", device, at: server)
        _ = try await pause()
        try await end
    }

    @Test("a user signs in by a code over real sockets, and the calls after that have the token")
    func signIn() async throws {
        let library = Connector.fakeServer(emma, recording: sent, clock: serverClock)
        try await LoopbackServer.serving(library) { server in
            let account = try account(at: server.url)
            let bookshelf = Connector.bookshelf(for: account, clock: calls)
            #expect(await Book.get(1).fetch(via: bookshelf).left?.needsSignIn == true)

            let device = try await account.beginSignIn().value(via: bookshelf)
            #expect(device.page.absoluteString == "https://bookshelf.example/v1/approval")
            async let end: Void = account.finishSignIn(with: device, via: bookshelf, clock: clock)
            #expect(try await pause() == .seconds(5))
            await clock.waitForSleepers(count: 1)
            #expect(try await tokens.load() == nil)
            try await decide("approve", device, at: library)
            #expect(try await pause() == .seconds(5))
            try await end

            #expect(await Book.get(1).fetch(via: bookshelf).right == emma)
            #expect(sent.elements.last?.headers["Authorization"] == "Bearer access-2")
        }
    }

    @Test("an app whose clock is fast is told to ask less often, and does")
    func slowDown() async throws {
        let library = Connector.fakeServer(recording: sent, clock: serverClock)
        let account = try account()
        let bookshelf = Connector.bookshelf(over: library, for: account, clock: calls)
        let device = try await account.beginSignIn().value(via: bookshelf)

        async let end: Void = account.finishSignIn(with: device, via: bookshelf, clock: clock)
        #expect(try await pause(onServer: 4) == .seconds(5))
        #expect(try await pause() == .seconds(10))
        await clock.waitForSleepers(count: 1)
        try await decide("approve", device, at: library)
        #expect(try await pause() == .seconds(10))
        try await end

        #expect(try await tokens.load()?.refreshToken == "refresh-2")
    }

    @Test("a poll that a hotspot answers is followed by the next one, after twice the time")
    func hotspot() async throws {
        let library = Connector.fakeServer(clock: serverClock)
        let engine = Connector { input in
            sent.append(input)
            let isFirstPoll = sent.elements.map(\.url.lastPathComponent) == ["device", "token"]
            guard isFirstPoll else { return await WebAPI.call(with: input, via: library) }
            // A poll that has arrived somewhere is not sent again.
            _ = await input.form()
            return .text("Please log in.", headers: ["Content-Type": "text/html"])
        }
        let account = try account()
        let bookshelf = Connector.bookshelf(over: engine, for: account, clock: calls)
        let device = try await account.beginSignIn().value(via: bookshelf)
        try await decide("approve", device, at: library)

        async let end: Void = account.finishSignIn(with: device, via: bookshelf, clock: clock)
        #expect(try await pause() == .seconds(5))
        #expect(try await pause() == .seconds(10))
        try await end

        #expect(try await tokens.load() != nil)
    }

    @Test("a user who refuses, and one who never types the code, are not signed in", arguments: ["refuse", nil])
    func noSignIn(decision: String?) async throws {
        let library = Connector.fakeServer(clock: serverClock)
        let account = try account()
        let bookshelf = Connector.bookshelf(over: library, for: account, clock: calls)
        let device = try await account.beginSignIn().value(via: bookshelf)
        if let decision { try await decide(decision, device, at: library) }

        let end = Task { try await account.finishSignIn(with: device, via: bookshelf, clock: clock) }
        for _ in 0..<(decision == nil ? 119 : 1) { _ = try await pause() }

        let failure = await #expect(throws: DeviceSignInFailure.self) { try await end.value }
        switch failure {
        case .expired: #expect(decision == nil)
        case .failed(let error): #expect(error.right?.problem?.code == .accessDenied && decision != nil)
        case nil: break
        }
        #expect(try await tokens.load() == nil)
    }

    @Test("an app that gives up asks no more")
    func cancelled() async throws {
        let account = try account()
        let library = Connector.fakeServer(recording: sent, clock: serverClock)
        let bookshelf = Connector.bookshelf(over: library, for: account, clock: calls)
        let device = try await account.beginSignIn().value(via: bookshelf)
        let end = Task { try await account.finishSignIn(with: device, via: bookshelf, clock: clock) }
        await clock.waitForSleepers(count: 1)
        end.cancel()

        await #expect(throws: DeviceSignInFailure.self) { try await end.value }
        #expect(sent.elements.count == 1)
    }

    @Test("a session lasts over many tokens, until one is stolen; then the same connector signs in again")
    func session() async throws {
        let library = Connector.fakeServer(recording: sent, clock: serverClock)
        let account = try account()
        let bookshelf = Connector.bookshelf(over: library, for: account, clock: calls)
        let adding = Book.create(BookDraft(title: "Emma"))
        try await signIn(to: account, via: bookshelf, at: library)
        let stolen = try #require(try await tokens.load()?.refreshToken)
        for number in 3...5 {
            serverClock.advance(by: FakeSignIns.lifetime)
            calls.advance(by: FakeSignIns.lifetime)
            #expect(await adding.fetch(via: bookshelf).right != nil)
            #expect(try await tokens.load()?.value == "access-\(number)")
        }

        let thief = account.client.token(by: .refresh(stolen), at: account.tokenEndpoint)
        #expect(await thief.fetch(via: library).failure?.problem?.code == .invalidGrant)
        calls.advance(by: .seconds(1))
        let count = sent.elements.count
        for _ in 1...2 { #expect(await adding.fetch(via: bookshelf).left?.needsSignIn == true) }
        // The server has rejected the token twice, and was asked for another one once.
        #expect(sent.elements.dropFirst(count).map(\.url.lastPathComponent) == ["books", "token", "books"])

        try await signIn(to: account, via: bookshelf, at: library)
        #expect(await adding.fetch(via: bookshelf).right != nil)
        #expect(
            sent.elements.filter { $0.url.lastPathComponent == "token" }.allSatisfy {
                $0.headers["Authorization"] == nil
            }
        )
    }
}
