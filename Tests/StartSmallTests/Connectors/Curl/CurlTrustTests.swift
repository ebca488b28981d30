#if os(Linux)
    import Foundation
    import StartSmall
    import Testing

    /// Calls to a server whose authority only the system's directory of certificates has, under its hashed name.
    @Suite(
        "Authorities in the directory that libcurl has built in",
        .enabled(
            if: ProcessInfo.processInfo.environment["STARTSMALL_TRUSTED_PORT"] != nil,
            "a directory of certificates of its own takes a mount namespace: Tests/MountNamespace/run.sh"
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

        @Test("A server of such an authority is trusted, and with a `caFile` of another authority it is not")
        func server() async throws {
            let url = "https://127.0.0.1:\(port)/"
            let trusted = try await output(of: url, ConnectionOptions(proxy: .none))
            #expect(trusted.response?.statusCode == .ok, "\(trusted)")
            let refused = try await output(of: url, ConnectionOptions(proxy: .none, caFile: other))
            #expect(refused.connectionError?.name == "serverCertificateUntrusted", "\(refused)")
        }

        @Test("A proxy of such an authority is trusted, and with a `caFile` of another authority it is not")
        func proxy() async throws {
            let (url, proxy) = ("http://startsmall.invalid/", ConnectionOptions.Proxy.url("https://127.0.0.1:\(port)"))
            let trusted = try await output(of: url, ConnectionOptions(proxy: proxy))
            #expect(trusted.response?.statusCode == .ok, "\(trusted)")
            let refused = try await output(of: url, ConnectionOptions(proxy: proxy, caFile: other))
            #expect(refused.connectionError?.name == "serverCertificateUntrusted", "\(refused)")
        }
    }
#endif
