public import StartSmallFoundation

extension ConnectionOptions {
    /// The client certificate for mutual TLS, with its private key.
    public enum ClientCertificate: Equatable, Sendable {
        /// Two files in PEM: the certificate with the certificates between it and the root, and the private key.
        ///
        /// Only over `.curl()`: Apple platforms do not read a private key in PEM.
        case pem(certificateFile: URL, keyFile: URL, keyPassword: String? = nil)

        /// A file in PKCS#12 (RFC 7292), such as `client.p12`, with its password.
        ///
        /// Over `.curl()`, this requires a libcurl with OpenSSL.
        case pkcs12(file: URL, password: String)

        var files: [(what: String, url: URL)] {
            switch self {
            case .pem(let certificate, let key, _): [("certificate", certificate), ("key", key)]
            case .pkcs12(let file, _): [("PKCS#12 file", file)]
            }
        }

        private var hasPassword: Bool {
            switch self {
            case .pem(_, _, let password): password != nil
            case .pkcs12: true
            }
        }
    }
}

extension ConnectionOptions.ClientCertificate: CustomStringConvertible, CustomReflectable {
    /// The files, without the password.
    public var description: String {
        files.map { "\($0.what) \($0.url.path)" }.joined(separator: ", ") + (hasPassword ? " with a password" : "")
    }

    /// The mirror for `dump` and failed tests: the files, without the password.
    public var customMirror: Mirror { Mirror(self, children: files.map { (label: $0.what, value: $0.url.path) }) }
}
