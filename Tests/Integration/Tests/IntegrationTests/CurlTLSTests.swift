import AsyncHTTPClient
import Foundation
import NIOSSL
import StartSmall
import StartSmallStreams
import Testing

/// TLS features that only the options of `.curl` have.
@Suite("TLS with the options of curl", .timeLimit(.minutes(1)))
struct CurlTLSTests {
    private static let stranger = "sha256//YhKJKSzoTt2b5FP18fvpHo7fJYqQCjAa3HWY3tvRMwE="

    private typealias Server = (Certificates, Certificates.Identity) throws -> TestServer.Transport

    /// The output of a call to `/hello`, with options that are made from the authority and the server.
    private func output(
        of server: Server = { .http1OverTLS(try $1.server) },
        _ options: (Certificates, Certificates.Identity) throws -> ConnectionOptions
    ) async throws -> Output {
        try await Certificates.made { certificates in
            let identity = try certificates.good
            var options = try options(certificates, identity)
            options.proxy = .none
            return try await TestServer.running(server(certificates, identity)) { [options] server in
                await WebAPI.call(with: Input(url: server.url("/hello")), via: .curl(options: options))
            }
        }
    }

    // MARK: pins

    @Test("the pin of another key: serverCertificateUntrusted, distinct from a lack of trust")
    func wrongPin() async throws {
        let output = try await output { certificates, _ in
            ConnectionOptions(caFile: certificates.caFile, publicKeyPins: [Self.stranger])
        }
        #expect(output.connectionError?.name == "serverCertificateUntrusted", "\(output)")
        #expect(output.connectionError?.cause?.code == 90)
        #expect(output.connectionError?.debugInfo.contains("pinned public key") == true, "\(output)")
    }

    @Test("two pins, of which the second matches: a response")
    func secondPin() async throws {
        let output = try await output { ConnectionOptions(caFile: $0.caFile, publicKeyPins: [Self.stranger, $1.pin]) }
        #expect(output.response?.statusCode == .ok, "\(output)")
    }

    @Test("the right pin does not replace trust")
    func pinWithoutTrust() async throws {
        let output = try await output { ConnectionOptions(publicKeyPins: [$1.pin]) }
        #expect(output.connectionError?.name == "serverCertificateUntrusted", "\(output)")
        #expect(output.connectionError?.cause?.code == 60)
    }

    @Test("pins apply to HTTP/2 too")
    func pinOverHTTP2() async throws {
        let right = try await output(of: { .http2OverTLS(try $1.server) }) {
            ConnectionOptions(caFile: $0.caFile, publicKeyPins: [$1.pin])
        }
        #expect(right.response?.headers["X-HTTP-Version"] == "2", "\(right)")
        let wrong = try await output(of: { .http2OverTLS(try $1.server) }) { certificates, _ in
            ConnectionOptions(caFile: certificates.caFile, publicKeyPins: [Self.stranger])
        }
        #expect(wrong.connectionError?.cause?.code == 90, "\(wrong)")
    }

    // MARK: client certificates

    private func demanding(_ version: TLSVersion) -> Server {
        { certificates, identity in
            var server = try identity.server(demandingClientsOf: certificates.authority)
            (server.minimumTLSVersion, server.maximumTLSVersion) = (version, version)
            return .http1OverTLS(server)
        }
    }

    @Test("a client certificate of the right authority is accepted", arguments: [TLSVersion.tlsv12, .tlsv13])
    func clientCertificate(version: TLSVersion) async throws {
        let output = try await output(of: demanding(version)) { certificates, _ in
            ConnectionOptions(
                caFile: certificates.caFile,
                clientCertificate: try certificates.client(certificates.good)
            )
        }
        #expect(output.response?.payload == Data("hello".utf8), "\(output)")
    }

    /// The certificate of a client that a server refuses.
    enum Client: Sendable {
        case missing, ofUnknownAuthority, expired

        func identity(_ certificates: Certificates) throws -> Certificates.Identity? {
            switch self {
            case .missing: return nil
            case .ofUnknownAuthority: return try Certificates.ofUnknownAuthority
            case .expired: return try certificates.expired
            }
        }
    }

    @Test(
        "a client without a valid certificate is refused: clientCertificateRejected",
        arguments: [Client.missing, .ofUnknownAuthority, .expired],
        [TLSVersion.tlsv12, .tlsv13]
    )
    func refusedClient(client: Client, version: TLSVersion) async throws {
        let output = try await output(of: demanding(version)) { certificates, _ in
            let identity = try client.identity(certificates)
            return ConnectionOptions(
                caFile: certificates.caFile,
                clientCertificate: try identity.map { try certificates.client($0) }
            )
        }
        // TLS 1.2 has no alert for a missing certificate (RFC 5246 7.4.6): it could be any failed negotiation.
        let isNamed = client != .missing || version == .tlsv13
        let name = isNamed ? "clientCertificateRejected" : "secureConnectionFailed"
        #expect(output.connectionError?.name == name, "\(output)")
    }

    @Test("a key that is not the certificate's: engineUnavailable")
    func foreignKey() async throws {
        let output = try await output(of: demanding(.tlsv13)) { certificates, identity in
            guard case .pem(let certificate, _, let password) = try certificates.client(certificates.good) else {
                return ConnectionOptions()
            }
            let key = try certificates.file(identity.keyPEM)
            let client = ConnectionOptions.ClientCertificate.pem(
                certificateFile: certificate,
                keyFile: key,
                keyPassword: password
            )
            return ConnectionOptions(caFile: certificates.caFile, clientCertificate: client)
        }
        #expect(output.connectionError?.name == "engineUnavailable", "\(output)")
    }

    // MARK: versions

    private func speaking(_ version: TLSVersion) -> Server {
        { _, identity in
            var server = try identity.server
            (server.minimumTLSVersion, server.maximumTLSVersion) = (version, version)
            return .http1OverTLS(server)
        }
    }

    @Test(
        "versions older than the minimum, TLS 1.2 by default, are refused: secureConnectionFailed",
        arguments: [TLSVersion.tlsv1, .tlsv11, .tlsv12]
    )
    func oldVersions(version: TLSVersion) async throws {
        let output = try await output(of: speaking(version)) { certificates, _ in
            var options = ConnectionOptions(caFile: certificates.caFile)
            if version == .tlsv12 { options.minimumTLS = .tls1_3 }
            return options
        }
        #expect(output.connectionError?.name == "secureConnectionFailed", "\(output)")
    }
}

extension Certificates {
    /// The certificate and key files of `identity`, for a client.
    func client(_ identity: Identity) throws -> ConnectionOptions.ClientCertificate {
        ConnectionOptions.ClientCertificate.pem(
            certificateFile: try file(identity.certificatePEM),
            keyFile: try file(identity.keyPEM)
        )
    }
}
