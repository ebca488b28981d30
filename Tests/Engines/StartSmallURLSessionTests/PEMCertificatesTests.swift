import Foundation
import Testing

@testable import StartSmallURLSession

@Suite struct PEMCertificatesTests {
    private func pem(_ base64: String, _ label: String = "CERTIFICATE", newline: String = "\n") -> String {
        ["-----BEGIN \(label)-----", base64, "-----END \(label)-----", ""].joined(separator: newline)
    }

    @Test("all certificates are read in order, without the text around them", arguments: ["\n", "\r\n"])
    func several(newline: String) {
        let text = "# mine\(newline)" + pem("AQID\(newline)BA==", newline: newline) + pem("BQ==", newline: newline)
        #expect(PEMCertificates.read(Data(text.utf8)) == [Data([1, 2, 3, 4]), Data([5])])
    }

    @Test("text that is not a certificate is left out")
    func others() {
        let text = pem("AQ==", "PRIVATE KEY") + pem("Ag==")
        #expect(PEMCertificates.read(Data(text.utf8)) == [Data([2])])
    }

    @Test(
        "a file without a certificate, or with an unreadable one, has no certificates to trust",
        arguments: [
            "", "AQ==", "-----BEGIN CERTIFICATE-----\nAQ==", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----", "-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\nAQ==\n-----END CERTIFICATE-----",
        ]
    )
    func unreadable(text: String) {
        #expect(PEMCertificates.read(Data(text.utf8)) == nil)
    }

    @Test("a file that is cut inside a certificate has no certificates to trust")
    func cut() {
        let text = Array(pem("AQIDBA==").utf8.dropLast())
        for count in 0..<text.count { #expect(PEMCertificates.read(Data(text.prefix(count))) == nil) }
    }
}
