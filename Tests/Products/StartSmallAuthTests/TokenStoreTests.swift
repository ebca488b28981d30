import Foundation
import StartSmall
import StartSmallAuth
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

private typealias Renewed = Fetched<TransformError<Never>, AccessToken>

/// The laws of each store.
struct TokenStoreTests {
    enum Kind: CaseIterable {
        case memory, file, functions

        func store(in folder: URL) -> TokenStore {
            switch self {
            case .memory: return .memory()
            case .file: return .file(at: folder.appending(path: "token.json"))
            case .functions:
                let stored = Locked<AccessToken?>(nil)
                return TokenStore(load: { stored.withLock(\.self) }, save: { token in stored.withLock { $0 = token } })
            }
        }
    }

    private static let first = AccessToken(
        "a\u{301}\"\\\n",
        refreshToken: "r",
        expires: Date(timeIntervalSince1970: 1_000.5),
        identity: "me"
    )

    @Test("a store has no token at first, and then the last one that was saved, whole", arguments: Kind.allCases)
    func lastSave(kind: Kind) async throws {
        try await withFolder { folder in
            let store = kind.store(in: folder)
            #expect(try await store.load() == nil)

            for token in [Self.first, AccessToken("b"), Self.first] {
                try await store.save(token)
                #expect(try await store.load() == token)
            }
        }
    }

    @Test("a refresh replaces the token that it refreshed, and no token of a login meanwhile", arguments: Kind.allCases)
    func replacement(kind: Kind) async throws {
        try await withFolder { folder in
            let store = kind.store(in: folder)
            let expired = AccessToken("old", refreshToken: "r", expires: .distantPast)
            let (begun, latch) = (Latch(), Latch())
            let app = Self.app(store) { _ in
                begun.open()
                await latch.wait()
                return AccessToken("new")
            }
            try await store.save(expired)
            latch.open()
            #expect(await Self.sent(app) == "Bearer new")
            #expect(try await store.load()?.value == "new")

            try await store.save(expired)
            let login = AccessToken("login")
            let other = Self.app(store) { _ in
                try? await store.save(login)
                return AccessToken("late")
            }
            #expect(await Self.sent(other) == "Bearer login")
            #expect(try await store.load() == login)
        }
    }

    @Test("a logout removes the token, also twice, and a refresh meanwhile does not undo it", arguments: Kind.allCases)
    func logout(kind: Kind) async throws {
        try await withFolder { folder in
            let store = kind.store(in: folder)
            let app = Self.app(store) { _ in
                try? await store.save(nil)
                return AccessToken("late")
            }
            try await store.save(AccessToken("old", refreshToken: "r", expires: .distantPast))
            #expect(await Self.sent(app) == "none")
            try await store.save(nil)
            #expect(try await store.load() == nil)
            try await store.save(AccessToken("new"))
            #expect(await Self.sent(app) == "Bearer new")
        }
    }

    @Test("calls of several connectors refresh once", arguments: Kind.allCases)
    func once(kind: Kind) async throws {
        try await withFolder { folder in
            let (store, refreshes) = (kind.store(in: folder), Recorder<AccessToken>())
            try await store.save(AccessToken("old", refreshToken: "r", expires: .distantPast))
            let apps = (0..<4).map { _ in
                Self.app(store) { old in
                    refreshes.append(old)
                    return AccessToken("new")
                }
            }
            let sent = await withTaskGroup { group in
                for call in 0..<20 { group.addTask { await Self.sent(apps[call % 4]) } }
                return await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(sent == ["Bearer new"])
            #expect(refreshes.elements.count == 1)
        }
    }

    /// Two stores of one file are as two processes: they share no lock and no state but the file's.
    @Test("of two stores of one file, one refreshes, and the other takes its token without a request")
    func twoStores() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "token.json")
            let refreshes = Recorder<AccessToken>()
            try await TokenStore.file(at: file).save(AccessToken("old", refreshToken: "r", expires: .distantPast))
            let apps = (0..<8).map { _ in
                Self.app(.file(at: file)) { old in
                    refreshes.append(old)
                    return AccessToken("new", refreshToken: "s")
                }
            }
            let sent = await withTaskGroup { group in
                for app in apps { group.addTask { await Self.sent(app) } }
                return await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(sent == ["Bearer new"])
            #expect(refreshes.elements.map(\.value) == ["old"])
            #expect(try names(in: folder) == [".token.json.refresh.lock", ".token.json.save.lock", "token.json"])
        }
    }

    @Test("a wait for another process that refreshes ends at its limit, and its error shows no token")
    func limit() async throws {
        try await withFolder { folder in
            let (file, clock, release) = (folder.appending(path: "token.json"), ManualClock(), Latch())
            let holder = TokenStore.file(at: file)
            try await holder.save(AccessToken("old", refreshToken: "secret", expires: .distantPast))
            let begun = Latch()
            let slow = Task {
                await Self.sent(
                    Self.app(holder) { _ in
                        begun.open()
                        await release.wait()
                        return AccessToken("new")
                    }
                )
            }
            await begun.wait()
            let app = Self.app(.file(at: file, waitingFor: .seconds(1), clock: clock)) { _ in AccessToken("never") }
            let call = Task { await WebAPI.call(with: Fixture.input, via: app).connectionError }
            let ticking = Task {
                while !Task.isCancelled {
                    await clock.waitForSleepers(count: 1)
                    clock.advance(by: .milliseconds(500))
                }
            }
            let error = await call.value
            ticking.cancel()
            #expect(error?.refusal(RefreshFailure.self) == .storeFailed(debugInfo: "locked(1.0 seconds)"))
            release.open()
            #expect(await slow.value == "Bearer new")
        }
    }

    @Test("the file is for the user alone from the first byte on, and so is one that was not")
    func permissions() async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "new/token.json")
            let store = TokenStore.file(at: file)
            try await store.save(AccessToken("a"))
            #expect(mode(of: file) == 0o600)
            #expect(mode(of: file.deletingLastPathComponent()) == 0o700)

            chmod(file.path, 0o644)
            await #expect(throws: TokenStoreError.openToOthers) { try await store.load() }
            try await store.save(AccessToken("b"))
            #expect(mode(of: file) == 0o600)
            #expect(try await store.load()?.value == "b")
        }
    }

    @Test("a folder that others may write to is refused", arguments: [0o777, 0o770, 0o1777] as [mode_t])
    func openFolder(mode: mode_t) async throws {
        try await withFolder { folder async throws in
            chmod(folder.path, mode)
            let store = TokenStore.file(at: folder.appending(path: "token.json"))

            await #expect(throws: TokenStoreError.openToOthers) { try await store.save(AccessToken("a")) }
            #expect(try names(in: folder) == [])
        }
    }

    @Test("a link is not followed, neither to read nor to write")
    func links() async throws {
        try await withFolder { folder in
            let (target, file) = (folder.appending(path: "target"), folder.appending(path: "token.json"))
            try Data(#"{"value":"planted"}"#.utf8).write(to: target)
            chmod(target.path, 0o600)
            symlink(target.path, file.path)
            let store = TokenStore.file(at: file)

            await #expect(throws: TokenStoreError.self) { try await store.load() }
            try await store.save(AccessToken("own"))
            #expect(try Data(contentsOf: target) == Data(#"{"value":"planted"}"#.utf8))
            #expect(try await store.load()?.value == "own")
        }
    }

    @Test(
        "what is no token is an error that shows none of it, and a save replaces it",
        arguments: [
            "", "secret", #"{"value":1}"#, #"{"value":"secret""#, "[]", String(repeating: "[", count: 60_000),
            #"{"value":"\#(String(repeating: "s", count: 70_000))"}"#, "\u{0}\u{1}",
        ]
    )
    func malformed(content: String) async throws {
        try await withFolder { folder in
            let file = folder.appending(path: "token.json")
            try Data(content.utf8).write(to: file)
            chmod(file.path, 0o600)
            let store = TokenStore.file(at: file)

            await #expect(throws: TokenStoreError.notAToken) { try await store.load() }
            try await store.save(AccessToken("new"))
            #expect(try await store.load()?.value == "new")
        }
    }

    @Test("a token that could not be loaded again is not saved")
    func tooLarge() async throws {
        try await withFolder { folder in
            let store = TokenStore.file(at: folder.appending(path: "token.json"))
            try await store.save(AccessToken("old"))

            let token = AccessToken(String(repeating: "a", count: 65_536))
            await #expect(throws: TokenStoreError.larger(than: 65_536)) { try await store.save(token) }
            #expect(try await store.load()?.value == "old")
        }
    }

    @Test("a place that is no regular file is an error, and stays", arguments: ["folder", "pipe", "nul", "remote"])
    func otherPlaces(kind: String) async throws {
        try await withFolder { folder async throws in
            var place = folder.appending(path: "token.json")
            switch kind {
            case "folder": mkdir(place.path, 0o700)
            case "pipe": mkfifo(place.path, 0o600)
            case "nul": place = URL(string: "file://\(folder.path)/a%00b") ?? place
            default: place = Fixture.url
            }
            let store = TokenStore.file(at: place)

            await #expect(throws: TokenStoreError.self) { try await store.load() }
            await #expect(throws: TokenStoreError.self) { try await store.save(AccessToken("a")) }
        }
    }

    private func mode(of file: URL) -> mode_t {
        var status = stat()
        return stat(file.path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    /// Returns a connector that refreshes the token of a store, and answers with what it was sent.
    private static func app(
        _ store: TokenStore,
        _ refresh: @escaping @Sendable (AccessToken) async -> AccessToken
    ) -> Connector {
        Connector.stub { input in
            let field = Data((input.headers["Authorization"] ?? "none").utf8)
            return .hasResponse(Response(statusCode: .ok, payload: field))
        }
        .wrapped(by: .refreshToken(in: store) { old, _ in Renewed.right(await refresh(old)) })
    }

    private static func sent(_ app: Connector) async -> String? {
        await WebAPI.call(with: Fixture.input, via: app).response.map { String(decoding: $0.payload, as: UTF8.self) }
    }
}
