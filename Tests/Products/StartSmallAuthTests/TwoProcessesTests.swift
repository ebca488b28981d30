#if (os(macOS) || os(Linux)) && !APPLE_BRANCH
    import Foundation
    import StartSmall
    import StartSmallAuth
    import TestSupport
    import Testing

    private typealias Renewed = Fetched<TransformError<Never>, AccessToken>

    /// Two processes with one token, each a child of the tests, that a folder in the environment connects.
    ///
    /// The server is the folder as well: a refresh token is used up by an entry of its name, which only one can make.
    @Suite(.timeLimit(.minutes(5))) struct TwoProcessesTests {
        private static let name = "STARTSMALL_TOKEN_FOLDER"
        private static let refreshes = 20

        @Test("two processes never refresh with one token, which would end the session")
        func refreshTokens() async throws {
            try await withFolder { folder in
                let store = TokenStore.file(at: folder.appending(path: "token.json"))
                try await store.save(AccessToken("0", refreshToken: "0", expires: .distantPast))
                setenv(Self.name, folder.path, 1)
                defer { unsetenv(Self.name) }

                async let first: Void = expectProcess()
                async let second: Void = expectProcess()
                _ = await (first, second)

                // Each process had as many refreshes of its own, one after the other, and the other's tokens in between.
                let count = try names(in: folder).filter { $0.hasPrefix("used-") }.count
                #expect(count >= Self.refreshes)
                #expect(try await store.load()?.refreshToken == "\(count)")
            }
        }

        private func expectProcess() async {
            await #expect(processExitsWith: .success) {
                guard let path = ProcessInfo.processInfo.environment[TwoProcessesTests.name] else { exit(2) }
                let folder = URL(fileURLWithPath: path)
                let app = Connector.stubOfTokens.wrapped(
                    by: .refreshToken(
                        in: .file(at: folder.appending(path: "token.json")),
                        RefreshPolicy(limit: 1_000)
                    ) { old, _ in
                        guard let number = old.refreshToken.flatMap(Int.init) else { exit(3) }
                        // The server has seen the refresh token before, and logs out.
                        if mkdir(folder.appending(path: "used-\(number)").path, 0o700) != 0 { exit(4) }
                        return Renewed.right(
                            AccessToken("\(number + 1)", refreshToken: "\(number + 1)", expires: .distantPast)
                        )
                    }
                )
                for _ in 0..<TwoProcessesTests.refreshes {
                    let output = await WebAPI.call(with: Fixture.input, via: app)
                    if output.response?.statusCode != .ok { exit(5) }
                }
            }
        }
    }

    extension Connector {
        fileprivate static var stubOfTokens: Connector {
            Connector { input in
                .hasResponse(Response(statusCode: input.headers["Authorization"] == nil ? .unauthorized : .ok))
            }
        }
    }
#endif
