import Crypto
import Foundation
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// An authority that exists for one test, and the files that a client needs of it.
struct Certificates {
    /// Somebody with a key, and a certificate that says who it is.
    struct Identity: Sendable {
        let key: P256.Signing.PrivateKey
        let certificate: Certificate

        var certificatePEM: String { get throws { try certificate.serializeAsPEM().pemString } }

        var keyPEM: String { key.pemRepresentation }

        private var forNIO: NIOSSLCertificate {
            get throws { try NIOSSLCertificate(bytes: Array(certificatePEM.utf8), format: .pem) }
        }

        /// The key's hash as libcurl wants it: of the SubjectPublicKeyInfo (RFC 7469 2.4).
        var pin: String {
            "sha256//" + Data(SHA256.hash(data: key.publicKey.derRepresentation)).base64EncodedString()
        }

        /// A server that is this one.
        var server: TLSConfiguration {
            get throws {
                let key = try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
                var server = TLSConfiguration.makeServerConfiguration(
                    certificateChain: [.certificate(try forNIO)],
                    privateKey: .privateKey(key)
                )
                // SwiftNIO waits 5 seconds for the farewell of a client that has left without one.
                server.shutdownTimeout = .milliseconds(100)
                return server
            }
        }

        /// The same server, which only speaks to clients with a certificate of this authority.
        func server(demandingClientsOf authority: Identity) throws -> TLSConfiguration {
            var server = try server
            server.trustRoots = .certificates([try authority.forNIO])
            server.certificateVerification = .noHostnameVerification
            return server
        }
    }

    private let directory: URL
    let authority: Identity

    /// The authority's certificate, as a file in PEM.
    let caFile: URL

    /// Makes an authority and a directory that are there while `body` runs.
    static func made<Result>(_ body: (Certificates) async throws -> Result) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "startsmall-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let authority = try identity("Test Authority", isAuthority: true)
        let caFile = directory.appending(path: "ca.pem")
        try authority.certificatePEM.write(to: caFile, atomically: true, encoding: .utf8)
        return try await body(Certificates(directory: directory, authority: authority, caFile: caFile))
    }

    /// A new file with a text.
    func file(_ text: String) throws -> URL {
        let file = directory.appending(path: "\(UUID()).pem")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file
    }
}

/// Who there is.
extension Certificates {
    /// What is on this machine, and in order.
    var good: Identity { get throws { try Self.identity("localhost", signedBy: authority) } }

    /// A server of another name, at another address.
    var otherHost: Identity {
        get throws {
            try Self.identity("other.example", dnsName: "other.example", address: [192, 0, 2, 1], signedBy: authority)
        }
    }

    /// A server whose certificate ended yesterday.
    var expired: Identity {
        get throws { try Self.identity("localhost", validity: -2 * .day ... -1 * .day, signedBy: authority) }
    }

    /// A server whose certificate begins tomorrow.
    var early: Identity {
        get throws { try Self.identity("localhost", validity: 1 * .day...2 * .day, signedBy: authority) }
    }

    /// A server that vouches for itself.
    static var selfSigned: Identity { get throws { try identity("localhost") } }

    /// A certificate for this machine of an authority that nobody knows.
    static var ofUnknownAuthority: Identity {
        get throws { try identity("localhost", signedBy: identity("Nobody", isAuthority: true)) }
    }

    private static func identity(
        _ name: String,
        dnsName: String = "localhost",
        address: [UInt8] = [127, 0, 0, 1],
        validity: ClosedRange<TimeInterval> = -1 * .day...1 * .day,
        isAuthority: Bool = false,
        signedBy issuer: Identity? = nil
    ) throws -> Identity {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName(name) }
        let names: [GeneralName] = [.dnsName(dnsName), .ipAddress(ASN1OctetString(contentBytes: address[...]))]
        let now = Date()
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now + validity.lowerBound,
            notValidAfter: now + validity.upperBound,
            issuer: issuer?.certificate.subject ?? subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                if isAuthority {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    Critical(KeyUsage(keyCertSign: true))
                } else {
                    Critical(BasicConstraints.notCertificateAuthority)
                    SubjectAlternativeNames(names)
                }
            },
            issuerPrivateKey: Certificate.PrivateKey(issuer?.key ?? key)
        )
        return Identity(key: key, certificate: certificate)
    }
}

extension TimeInterval {
    fileprivate static let day: TimeInterval = 86_400
}
