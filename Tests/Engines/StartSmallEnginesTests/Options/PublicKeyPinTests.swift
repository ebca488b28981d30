import Foundation
import Testing

@testable import StartSmallCore
@testable import StartSmallEngines
@testable import StartSmallURLSession

@Suite struct PublicKeyPinTests {
    @Test("a pin is libcurl's form of a SHA-256 in Base64")
    func valid() {
        let hash = Data(repeating: 7, count: 32)
        #expect(ConnectionOptions.hash(ofPin: "sha256//" + hash.base64EncodedString()) == hash)
    }

    @Test(
        "any other text is not a pin",
        arguments: [
            "", "sha256//", "sha256/AAAA", "sha1//" + Data(count: 32).base64EncodedString(),
            "sha256//" + Data(count: 31).base64EncodedString(), "sha256//" + Data(count: 33).base64EncodedString(),
            "SHA256//" + Data(count: 32).base64EncodedString(), "sha256//" + String(repeating: "*", count: 44),
        ]
    )
    func invalid(text: String) {
        #expect(ConnectionOptions.hash(ofPin: text) == nil)
    }

    /// Keys of OpenSSL 3 (`openssl pkey -pubout -outform DER`), and the offset at which the key itself begins.
    private static let keys: [(kind: PublicKeyKind, start: Int, info: String)] = [
        (
            .p256, 26,
            "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEuJzHVcsWoZT3xYP9TDJ+6WYV6SOAFxucLIwV4V03EBDMmtCV3lB7OGR8sH+s356KVi+a"
                + "x/kiFcL2usHe3+bKcw=="
        ),
        (
            .p384, 23,
            "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAE1y/PRJDU5WiojhmvZjMcJU+A8i2hPqqAASNMAmnw5rqgIVOXiGH+HJ3YokRh1V4+NFkRLdjG"
                + "xOlf40AojwZkdF8dyX7uW69YvaUSNwe7ZQpvEzgHiTA3+GkSKv648oAC"
        ),
        (
            .p521, 25,
            "MIGbMBAGByqGSM49AgEGBSuBBAAjA4GGAAQBtb6lfNYvtDu+YADln7RAOIqXGBW62HYpjirAs7xs049V53c+RM4JSmfesvRYr7pJ+Guh"
                + "KL9fDYfxvCb4WUyffEQB0Tp0EIfnv+Muvw6rumKSW5ja/zE0iKhS2ffGHO3BvGmt0Twyy0Z8EiTNwxOC8u8DD2ZC6bZvk3ndkVKP"
                + "+zPQ/9g="
        ),
        (
            .rsa, 24,
            "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAvwPPs7P43nr/15RPgFja"
        ),
    ]

    @Test("the SubjectPublicKeyInfo of a key's bytes is that of OpenSSL", arguments: 0..<3)
    func curves(index: Int) throws {
        let (kind, start, text) = Self.keys[index]
        let info = try #require(Data(base64Encoded: text))
        #expect(kind.subjectPublicKeyInfo(of: Data(info.dropFirst(start))) == info)
    }

    @Test("the header of an RSA key is that of OpenSSL, by its length")
    func rsa() throws {
        let info = try #require(Data(base64Encoded: String(Self.keys[3].info.prefix(64))))
        // PKCS#1 of 2,048 bits has 270 bytes.
        let made = PublicKeyKind.rsa.subjectPublicKeyInfo(of: Data(info.dropFirst(24)) + Data(count: 246))
        #expect(made.prefix(24) == info.prefix(24))
        #expect(made.count == 294)
    }

    @Test(
        "a curve is recognized by the size of its keys",
        arguments: [(256, PublicKeyKind.p256), (384, .p384), (521, .p521)]
    )
    func curve(bits: Int, kind: PublicKeyKind) {
        #expect(PublicKeyKind(curveBits: bits) == kind)
        #expect(PublicKeyKind(curveBits: bits + 1) == nil)
    }
}
