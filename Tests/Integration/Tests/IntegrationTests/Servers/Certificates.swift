import Foundation
import NIOCore
import NIOSSL

/// An authority that exists for one test, with the files that a client needs of it.
struct Certificates {
    /// A key, and a certificate with the owner's name, both in PEM.
    struct Identity: Sendable {
        let keyPEM: String
        let certificatePEM: String

        /// The key's hash in libcurl's format: of the SubjectPublicKeyInfo (RFC 7469 2.4).
        let pin: String

        private var forNIO: NIOSSLCertificate {
            get throws { try NIOSSLCertificate(bytes: Array(certificatePEM.utf8), format: .pem) }
        }

        /// The configuration of a server with this identity.
        var server: TLSConfiguration {
            get throws {
                let key = try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
                var server = TLSConfiguration.makeServerConfiguration(
                    certificateChain: [.certificate(try forNIO)],
                    privateKey: .privateKey(key)
                )
                // SwiftNIO waits 5 seconds for the `close_notify` of a client that has disconnected without it.
                server.shutdownTimeout = .milliseconds(100)
                return server
            }
        }

        /// The configuration of this server that accepts only clients with a certificate of this authority.
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

    /// Makes an authority and a directory that exist while `body` runs.
    static func made<Result>(_ body: (Certificates) async throws -> Result) async throws -> Result {
        let directory = try newDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let authority = try identity("Test Authority", isAuthority: true)
        let caFile = directory.appending(path: "ca.pem")
        try authority.certificatePEM.write(to: caFile, atomically: true, encoding: .utf8)
        return try await body(Certificates(directory: directory, authority: authority, caFile: caFile))
    }

    private static func newDirectory() throws -> URL {
        let directory = FileManager.default.temporaryDirectory.appending(path: "startsmall-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }

    /// Writes a new file with a text.
    func file(_ text: String) throws -> URL {
        let file = directory.appending(path: "\(UUID()).pem")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file
    }
}

/// The identities.
extension Certificates {
    /// A valid certificate for this machine.
    var good: Identity { get throws { try Self.identity("localhost", signedBy: authority) } }

    /// A server with another name, at another address.
    var otherHost: Identity {
        get throws {
            try Self.identity("other.example", dnsName: "other.example", address: "192.0.2.1", signedBy: authority)
        }
    }

    /// A server whose certificate expired yesterday.
    var expired: Identity {
        get throws { try Self.identity("localhost", validity: -2 * .day ... -1 * .day, signedBy: authority) }
    }

    /// A server whose certificate is valid from tomorrow.
    var early: Identity {
        get throws { try Self.identity("localhost", validity: 1 * .day...2 * .day, signedBy: authority) }
    }

    /// A server with a self-signed certificate.
    static var selfSigned: Identity { get throws { try identity("localhost") } }

    /// A certificate for this machine by an unknown authority.
    static var ofUnknownAuthority: Identity {
        get throws { try identity("localhost", signedBy: identity("Nobody", isAuthority: true)) }
    }

    /// Makes a key and a certificate with OpenSSL; an identity without a signer is self-signed.
    private static func identity(
        _ name: String,
        dnsName: String = "localhost",
        address: String = "127.0.0.1",
        validity: ClosedRange<TimeInterval> = -1 * .day...1 * .day,
        isAuthority: Bool = false,
        signedBy issuer: Identity? = nil
    ) throws -> Identity {
        let directory = try newDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        func write(_ text: String, _ name: String) throws {
            try text.write(to: directory.appending(path: name), atomically: true, encoding: .utf8)
        }
        func read(_ name: String) throws -> String {
            try String(contentsOf: directory.appending(path: name), encoding: .utf8)
        }
        func openssl(_ arguments: String) throws -> Data {
            try Program.output(of: "openssl", arguments.split(separator: " ").map(String.init), in: directory)
        }
        try write("", "index.txt")
        try write(Self.settings + "subjectAltName = DNS:\(dnsName), IP:\(address)\n", "settings")
        _ = try openssl("genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key.pem")
        // Separate from the other arguments, as a name may have a space.
        let subject = ["req", "-new", "-config", "settings", "-key", "key.pem", "-out", "request.pem", "-subj"]
        _ = try Program.output(of: "openssl", subject + ["/CN=\(name)"], in: directory)
        var signer = "-selfsign -keyfile key.pem"
        if let issuer {
            try write(issuer.keyPEM, "issuer-key.pem")
            try write(issuer.certificatePEM, "issuer.pem")
            signer = "-keyfile issuer-key.pem -cert issuer.pem"
        }
        let dates = [validity.lowerBound, validity.upperBound].map { Self.time(Date(timeIntervalSinceNow: $0)) }
        _ = try openssl(
            "ca -batch -notext -config settings -in request.pem -out certificate.pem \(signer)"
                + " -startdate \(dates[0]) -enddate \(dates[1]) -extensions \(isAuthority ? "authority" : "end")"
        )
        _ = try openssl("pkey -in key.pem -pubout -outform DER -out key.der")
        let hash = try openssl("dgst -sha256 -binary key.der")
        return Identity(
            keyPEM: try read("key.pem"),
            certificatePEM: try read("certificate.pem"),
            pin: "sha256//" + hash.base64EncodedString()
        )
    }

    /// Formats a time as in X.509: `20260102030405Z` (RFC 5280 4.1.2.5.2).
    private static func time(_ date: Date) -> String {
        date.ISO8601Format(.init(dateSeparator: .omitted, timeSeparator: .omitted)).replacing("T", with: "")
    }

    /// The settings of `openssl ca`; the values of names and addresses follow.
    private static let settings = """
        [req]
        distinguished_name = name
        [name]
        [ca]
        default_ca = here
        [here]
        database = index.txt
        new_certs_dir = .
        default_md = sha256
        policy = name_alone
        rand_serial = yes
        unique_subject = no
        [name_alone]
        commonName = supplied
        [authority]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign
        [end]
        basicConstraints = critical, CA:FALSE

        """
}

extension TimeInterval {
    fileprivate static let day: TimeInterval = 86_400
}
