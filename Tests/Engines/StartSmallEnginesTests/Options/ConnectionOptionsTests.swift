import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmall
import StartSmallSupport
import StartSmallURLSession
@testable import StartSmallCore
@testable import StartSmallEngines

@Suite struct ConnectionOptionsTests {
    private static let pin = "sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="

    /// All connectors for these options.
    private static func connectors(_ options: ConnectionOptions) -> [Connector] {
        var connectors: [Connector] = [
            .standard(over: .engine(options: options)), .engine(options: options), .urlSession(options: options),
        ]
        #if os(Linux) && !APPLE_BRANCH
            connectors.append(.curl(options: options))
        #endif
        return connectors
    }

    /// The errors of a call over each connector.
    private func errors(_ options: ConnectionOptions) async -> [ConnectionError?] {
        var errors: [ConnectionError?] = []
        for connector in Self.connectors(options) {
            errors.append(await WebAPI.call(with: Fixture.input, via: connector).connectionError)
        }
        return errors
    }

    @Test(
        "an invalid value ends each call over every engine, and the error names the option",
        arguments: [
            ("connectTimeout", ConnectionOptions(connectTimeout: .nanoseconds(-1))),
            ("idleTimeout", ConnectionOptions(idleTimeout: .seconds(-1))),
            ("idleConnectionAge", ConnectionOptions(idleConnectionAge: .seconds(-1))),
            ("connectionLifetime", ConnectionOptions(connectionLifetime: .seconds(-1))),
            ("tcpKeepAlive.idle", ConnectionOptions(tcpKeepAlive: .init(idle: .seconds(-1)))),
            ("tcpKeepAlive.interval", ConnectionOptions(tcpKeepAlive: .init(interval: .nanoseconds(-1)))),
            ("maxConnectionsPerHost", ConnectionOptions(maxConnectionsPerHost: 0)),
            ("maxConnections", ConnectionOptions(maxConnections: .min)),
            ("publicKeyPins", ConnectionOptions(publicKeyPins: [Self.pin, "sha256//YhKJ"])),
            ("publicKeyPins", ConnectionOptions(publicKeyPins: [""])),
            ("publicKeyPins", ConnectionOptions(publicKeyPins: [String(Self.pin.dropFirst(8))])),
            ("publicKeyPins", ConnectionOptions(publicKeyPins: [Self.pin + ";" + Self.pin])),
            ("publicKeyPins", ConnectionOptions(publicKeyPins: ["a\nb"])),
            ("proxy", ConnectionOptions(proxy: .url("http://b\u{FC}cher.example:3128"))),
            ("proxy", ConnectionOptions(proxy: .url("proxy%2Eexample"))),
            ("proxy", ConnectionOptions(proxy: .url("http://me:secret@a\nb:3128"))),
        ]
    )
    func rejected(name: String, options: ConnectionOptions) async {
        for error in await errors(options) {
            #expect(error?.name == "engineUnavailable")
            #expect(error?.debugInfo.hasPrefix(name) == true, "\(error.map { "\($0)" } ?? "")")
            #expect(error?.debugInfo.contains("\n") == false)
        }
    }

    @Test("valid values are accepted")
    func valid() {
        #expect(ConnectionOptions().rejectionReason == nil)
        let least = ConnectionOptions(
            connectTimeout: .zero,
            idleTimeout: nil,
            maxConnectionsPerHost: 1,
            maxConnections: 1,
            idleConnectionAge: .zero,
            connectionLifetime: nil,
            tcpKeepAlive: .init(idle: .zero, interval: .zero),
            publicKeyPins: [Self.pin]
        )
        #expect(least.rejectionReason == nil)
    }

    @Test("the options for long calls connect in seconds, wait for minutes, and are the default otherwise")
    func longRunning() {
        var options = ConnectionOptions.longRunning
        #expect(options.rejectionReason == nil)
        #expect(options.connectTimeout == .seconds(5) && options.idleTimeout == .seconds(600))
        #expect(options.tcpKeepAlive == .init(idle: .seconds(60), interval: .seconds(15)))
        (options.connectTimeout, options.idleTimeout) = (.seconds(15), .automatic)
        #expect(options == ConnectionOptions())
    }

    @Test("a missing file ends each call, until the file exists")
    func missingFile() async throws {
        try await withFolder { folder async throws in
            let file = folder.appendingPathComponent("ca.pem")
            #expect(ConnectionOptions().unreadableFile == nil)
            let options = ConnectionOptions(caFile: file)
            #expect(options.unreadableFile == "caFile can't be read: \(file.path)")
            try Data().write(to: file)
            #expect(options.unreadableFile == nil)
            let key = ConnectionOptions(
                clientCertificate: .pem(certificateFile: file, keyFile: folder.appendingPathComponent("key.pem"))
            )
            #expect(key.unreadableFile == "key can't be read: \(folder.path)/key.pem")
            let pkcs12 = ConnectionOptions(
                clientCertificate: .pkcs12(file: folder.appendingPathComponent("c.p12"), password: "secret")
            )
            #expect(pkcs12.unreadableFile == "PKCS#12 file can't be read: \(folder.path)/c.p12")
        }
        let url = try #require(URL(string: "https://me:secret@a.example/ca.pem"))
        let remote = try #require(ConnectionOptions(caFile: url).unreadableFile)
        #expect(remote.contains("not a file URL") && !remote.contains("secret"))
    }

    #if os(Linux) && !APPLE_BRANCH
        @Test("each call over the standard connector reports a missing file")
        func missingFileOfCall() async {
            let options = ConnectionOptions(caFile: URL(filePath: "/nowhere/ca.pem"))
            let connector = Connector.standard(over: .engine(options: options))
            for _ in 0..<2 {
                let error = await WebAPI.call(with: Fixture.input, via: connector).connectionError
                #expect(error == .engineUnavailable(debugInfo: "caFile can't be read: /nowhere/ca.pem"))
            }
        }
    #endif

    @Test("no description, mirror or error shows a password")
    func passwords() async {
        let file = URL(filePath: "/a")
        let certificates: [ConnectionOptions.ClientCertificate] = [
            .pem(certificateFile: file, keyFile: file, keyPassword: "secret"), .pkcs12(file: file, password: "secret"),
        ]
        for certificate in certificates {
            let options = ConnectionOptions(
                proxy: .url("http://secret:secret@proxy.example:99999"),
                clientCertificate: certificate
            )
            var texts = await errors(options).map { "\($0.map { "\($0) \($0.debugInfo)" } ?? "")" }
            var dumped = ""
            dump(options, to: &dumped)
            texts += [dumped, "\(options)", String(reflecting: options), "\(certificate)"]
            for text in texts { #expect(!text.contains("secret"), "\(text)") }
        }
    }

    // Idle timeouts.

    @Test(
        "an automatic idle timeout is 15 seconds, and longer than the time left to the call",
        arguments: [
            (nil, 15), (.seconds(-1), 15), (.seconds(5), 15), (.seconds(15), 16), (.seconds(60), 61),
            (.seconds(600), 601),
        ] as [(Duration?, Int)]
    )
    func automatic(remainingTime: Duration?, seconds: Int) {
        #expect(ConnectionOptions().idleTimeout.limit(within: remainingTime) == .seconds(seconds))
    }

    @Test("no time left to a call overflows an automatic idle timeout")
    func longest() throws {
        let limit = ConnectionOptions.IdleTimeout.automatic.limit(within: .seconds(Int64.max))
        #expect(try #require(limit) > .maximumWait)
    }

    @Test("an idle timeout that was set is the same within each time limit", arguments: [nil, Duration.seconds(60)])
    func explicit(remainingTime: Duration?) {
        let limits: [(ConnectionOptions.IdleTimeout, Duration?)] = [
            (.seconds(15), .seconds(15)), (.seconds(0.5), .milliseconds(500)), (.milliseconds(900), .milliseconds(900)),
            (.limit(.seconds(90)), .seconds(90)), (.none, nil), (nil, nil),
        ]
        for (idleTimeout, limit) in limits {
            let options = ConnectionOptions(idleTimeout: idleTimeout)
            #expect(options.idleTimeout.limit(within: remainingTime) == limit)
        }
    }
}
