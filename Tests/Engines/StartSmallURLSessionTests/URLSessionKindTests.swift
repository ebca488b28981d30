import Foundation
import Testing

import StartSmall
@testable import StartSmallURLSession

@Suite struct URLSessionKindTests {
    private static let file = URL(filePath: "/a")
    private static let pem = ConnectionOptions.ClientCertificate.pem(certificateFile: file, keyFile: file)
    private static let pkcs12 = ConnectionOptions.ClientCertificate.pkcs12(file: file, password: "secret")
    private static let pins = ["sha256//" + Data(count: 32).base64EncodedString()]

    private static let linux = URLSessionKind.linux(environmentNamesProxy: true)

    @Test("every session supports the default options", arguments: [linux, .apple])
    func defaults(kind: URLSessionKind) {
        #expect(kind.unsupportedOption(of: ConnectionOptions()) == nil)
        #expect(ConnectionOptions().refusal(over: kind) == nil)
    }

    /// Options, and the one that a session does not support, on Linux and on Apple platforms.
    private static let restricted: [(ConnectionOptions, String, String?)] = [
        (ConnectionOptions(publicKeyPins: pins), "publicKeyPins", nil),
        (ConnectionOptions(caFile: file), "caFile", nil),
        (ConnectionOptions(clientCertificate: pem), "clientCertificate", "clientCertificate"),
        (ConnectionOptions(clientCertificate: pkcs12), "clientCertificate", nil),
        (ConnectionOptions(minimumTLS: .tls1_3), "minimumTLS", nil),
        (ConnectionOptions(proxy: .none), "proxy", nil),
        (ConnectionOptions(proxy: .url("http://me:secret@proxy.example:1")), "proxy", nil),
        (ConnectionOptions(proxy: .url("https://me:secret@proxy.example:1")), "proxy", "proxy"),
        (ConnectionOptions(interface: "lo"), "interface", "interface"),
        (ConnectionOptions(unixSocket: file), "unixSocket", "unixSocket"),
        (ConnectionOptions(addressPolicy: .publicOnly), "addressPolicy", "addressPolicy"),
        (ConnectionOptions(addressPolicy: .custom("all") { _ in true }), "addressPolicy", "addressPolicy"),
        (ConnectionOptions(resolve: ["api.example.com": ["192.0.2.1"]]), "resolve", "resolve"),
    ]

    @Test(
        "a session that does not support a security option is refused, and the error names the option",
        arguments: restricted
    )
    func refused(options: ConnectionOptions, onLinux: String, onApple: String?) {
        #expect(Self.linux.unsupportedOption(of: options) == onLinux)
        let error = options.refusal(over: Self.linux)
        #expect(error?.name == "engineUnavailable")
        #expect(error?.debugInfo.contains(onLinux) == true)
        #expect(error?.debugInfo.contains("secret") == false)
        let option = URLSessionKind.apple.unsupportedOption(of: options)
        #expect((option == nil) == (onApple == nil))
        #expect(option?.hasPrefix(onApple ?? "") ?? true)
    }

    @Test("a session on Linux supports no proxy if the environment names none")
    func noProxy() {
        let kind = URLSessionKind.linux(environmentNamesProxy: false)
        #expect(kind.unsupportedOption(of: ConnectionOptions(proxy: .none)) == nil)
    }

    @Test("options that only affect speed do not refuse a session", arguments: [linux, .apple])
    func harmless(kind: URLSessionKind) {
        let options = ConnectionOptions(
            connectTimeout: nil,
            maxConnectionsPerHost: 1,
            maxConnections: 1,
            idleConnectionAge: .zero,
            connectionLifetime: .seconds(1),
            tcpKeepAlive: nil,
            httpVersion: .http1_1,
            decompression: .none
        )
        #expect(kind.unsupportedOption(of: options) == nil)
    }

    @Test(
        "a proxy has its own port, or libcurl's default",
        arguments: [
            ("http://proxy.example:3128", "http://proxy.example:3128"), ("proxy.example", "http://proxy.example:1080"),
            ("socks5://me:secret@[::1]:9", "socks5://[::1]:9"), ("HTTP://a", "http://a:1080"),
        ]
    )
    func proxy(text: String, shown: String) throws {
        let proxy = try #require(URLSessionProxy(text))
        #expect("\(proxy)" == shown)
        #expect((proxy.user, proxy.password) == (text.contains("me") ? ("me", "secret") : (nil, nil)))
        let kinds = proxy.isSOCKS ? ["SOCKS"] : ["HTTP", "HTTPS"]
        #expect(Set(proxy.entries.keys) == Set(kinds.flatMap { ["\($0)Enable", "\($0)Proxy", "\($0)Port"] }))
        var dumped = ""
        dump(proxy, to: &dumped)
        #expect(!dumped.contains("secret"))
    }

    @Test(
        "text that is not a proxy of CFNetwork is refused",
        arguments: ["", "http://", "https://a:1", "ftp://a", "http://a:99999"]
    )
    func noProxy(text: String) {
        #expect(URLSessionProxy(text) == nil)
    }
}
