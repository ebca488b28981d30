import StartSmallSupport
import StartSmallFoundation

/// A parser for the certificates in a file of PEM (RFC 7468 5).
enum PEMCertificates {
    /// Returns the certificates in DER, in order; nil if there is none, or one of them can't be read.
    static func read(_ file: Data) -> [Data]? {
        var certificates: [Data] = []
        var base64: String?
        for line in file.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            // Base64 and the lines around it are ASCII; blanks at an end are not part of them.
            let line = line.drop(while: HTTPToken.isBlank)
            let blanks = line.reversed().prefix(while: HTTPToken.isBlank).count
            switch String(decoding: line.dropLast(blanks), as: UTF8.self) {
            case "-----BEGIN CERTIFICATE-----":
                if base64 != nil { return nil }
                base64 = ""
            case "-----END CERTIFICATE-----":
                guard let text = base64.take(), let der = Data(base64Encoded: text), !der.isEmpty else { return nil }
                certificates.append(der)
            case let text: base64?.append(text)
            }
        }
        return certificates.isEmpty || base64 != nil ? nil : certificates
    }
}
