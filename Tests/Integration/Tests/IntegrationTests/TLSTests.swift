import Foundation
import NIOSSL
import StartSmall
import StartSmallTesting
import Testing

/// The servers that the engines trust, and the errors for others.
@Suite("TLS", .timeLimit(.minutes(1)))
struct TLSTests {
    @Test("a server of an authority in `caFile` is trusted", arguments: Engine.withCAFile, ["127.0.0.1", "localhost"])
    func trusted(engine: Engine, host: String) async throws {
        try await Certificates.made { certificates in
            try await TestServer.running(.http1OverTLS(certificates.good.server)) { server in
                let input = Input(url: server.url("/hello", host: host))
                let response = try await engine.response(of: input, caFile: certificates.caFile)
                #expect(response.payload == Data("hello".utf8))
            }
        }
    }

    // On Linux, urlSession has no option for trust: it reads the system's store, and no variable or option names
    // another. Its errors of TLS and HTTP have no code of their own: see the guide of engines.

    @Test("the same server without `caFile`: serverCertificateUntrusted", arguments: Engine.allCases)
    func untrusted(engine: Engine) async throws {
        try await Certificates.made { certificates in
            try await TestServer.running(.http1OverTLS(certificates.good.server)) { server in
                let error = try await engine.output(of: Input(url: server.url("/hello"))).connectionError
                let name = engine == .urlSession ? "other" : "serverCertificateUntrusted"
                #expect(error?.name == name, "\(String(describing: error))")
                #expect(server.requested.elements.isEmpty)
            }
        }
    }

    @Test(
        "a server with a wrong certificate: serverCertificateUntrusted, with the reason",
        arguments: Engine.withCAFile,
        Impostor.allCases
    )
    func impostor(engine: Engine, impostor: Impostor) async throws {
        try await Certificates.made { certificates in
            try await TestServer.running(.http1OverTLS(impostor.identity(certificates).server)) { server in
                let input = Input(url: server.url("/hello"))
                let error = try await engine.output(of: input, caFile: certificates.caFile).connectionError
                #expect(error?.name == "serverCertificateUntrusted", "\(String(describing: error))")
                #expect(server.requested.elements.isEmpty)
                if engine == .curl { #expect(error?.debugInfo.contains(impostor.reason) == true, "\(error!)") }
            }
        }
    }
}

/// Servers with a wrong certificate.
enum Impostor: String, CaseIterable, Sendable {
    case otherHost, expired, early, selfSigned, ofUnknownAuthority

    func identity(_ certificates: Certificates) throws -> Certificates.Identity {
        switch self {
        case .otherHost: try certificates.otherHost
        case .expired: try certificates.expired
        case .early: try certificates.early
        case .selfSigned: try Certificates.selfSigned
        case .ofUnknownAuthority: try Certificates.ofUnknownAuthority
        }
    }

    /// The reason in libcurl's text, with OpenSSL.
    var reason: String {
        switch self {
        case .otherHost: "target host name '127.0.0.1'"
        case .expired: "certificate has expired"
        case .early: "certificate is not yet valid"
        case .selfSigned: "self-signed certificate"
        case .ofUnknownAuthority: "unable to get local issuer certificate"
        }
    }
}
