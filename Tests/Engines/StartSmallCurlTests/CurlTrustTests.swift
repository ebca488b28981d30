#if os(Linux)
    import Foundation
    import StartSmall
    import Testing

    /// Calls to a server whose authority is only in the system's directory of certificates, under its hashed name.
    @Suite(
        "authorities in libcurl's built-in directory",
        .enabled(
            if: ProcessInfo.processInfo.environment["STARTSMALL_TRUSTED_PORT"] != nil,
            "a separate directory of certificates needs a mount namespace: Tests/MountNamespace/run.sh"
        )
    )
    struct CurlTrustTests {
        private let port: String
        private let other: URL

        init() throws {
            let environment = ProcessInfo.processInfo.environment
            port = try #require(environment["STARTSMALL_TRUSTED_PORT"])
            other = URL(filePath: try #require(environment["STARTSMALL_OTHER_AUTHORITY"]))
        }

        private func output(of url: String, _ options: ConnectionOptions) async throws -> Output {
            await WebAPI.call(with: Input(url: try #require(URL(string: url))), via: .curl(options: options))
        }

        @Test("a server of such an authority is trusted, but not with a `caFile` of another authority")
        func server() async throws {
            let url = "https://127.0.0.1:\(port)/"
            let trusted = try await output(of: url, ConnectionOptions(proxy: .none))
            #expect(trusted.response?.statusCode == .ok, "\(trusted)")
            let refused = try await output(of: url, ConnectionOptions(proxy: .none, caFile: other))
            #expect(refused.connectionError?.name == "serverCertificateUntrusted", "\(refused)")
        }

        @Test("a proxy of such an authority is trusted, but not with a `caFile` of another authority")
        func proxy() async throws {
            let (url, proxy) = ("http://startsmall.invalid/", ConnectionOptions.Proxy.url("https://127.0.0.1:\(port)"))
            let trusted = try await output(of: url, ConnectionOptions(proxy: proxy))
            #expect(trusted.response?.statusCode == .ok, "\(trusted)")
            let refused = try await output(of: url, ConnectionOptions(proxy: proxy, caFile: other))
            #expect(refused.connectionError?.name == "serverCertificateUntrusted", "\(refused)")
        }
    }
#endif
