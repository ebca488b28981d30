// The declarations of Security, CryptoKit and CoreFoundation that URLSessionTrust.swift uses, and the bound streams of
// URLSessionBoundStream.swift, only for `make apple`: see Message/Payload/AppleBranchShims.swift.
#if os(Linux) && APPLE_BRANCH
    import Foundation
    import FoundationNetworking

    typealias CFArray = [Any]
    typealias CFData = Data
    typealias CFDictionary = [String: Any]
    typealias CFError = NSError
    typealias OSStatus = Int32

    final class SecTrust {}
    final class SecCertificate {}
    final class SecKey {}
    final class SecIdentity {}

    let errSecSuccess: OSStatus = 0
    let (kSecAttrKeyType, kSecAttrKeySizeInBits, kSecAttrKeyTypeRSA) = ("type", "bsiz", "42")
    let (kSecImportExportPassphrase, kSecImportItemIdentity) = ("passphrase", "identity")
    let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
    let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

    func CFGetTypeID(_: AnyObject) -> UInt { 0 }
    func SecIdentityGetTypeID() -> UInt { 0 }
    func SecPKCS12Import(_: CFData, _: CFDictionary, _: UnsafeMutablePointer<CFArray?>) -> OSStatus { -1 }
    func SecTrustCopyCertificateChain(_: SecTrust) -> Any? { nil }
    func SecTrustSetAnchorCertificates(_: SecTrust, _: CFArray?) -> OSStatus { -1 }
    func SecTrustSetAnchorCertificatesOnly(_: SecTrust, _: Bool) -> OSStatus { -1 }
    func SecTrustEvaluateWithError(_: SecTrust, _: UnsafeMutablePointer<CFError?>?) -> Bool { false }
    func SecCertificateCreateWithData(_: Any?, _: CFData) -> SecCertificate? { nil }
    func SecCertificateCopyKey(_: SecCertificate) -> SecKey? { nil }
    func SecKeyCopyAttributes(_: SecKey) -> Any? { nil }
    func SecKeyCopyExternalRepresentation(_: SecKey, _: UnsafeMutablePointer<CFError?>?) -> CFData? { nil }

    enum SHA256 {
        static func hash(data: Data) -> [UInt8] { [] }
    }

    enum tls_protocol_version_t {
        case TLSv12, TLSv13
    }

    extension URLSessionConfiguration {
        var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
            get { .TLSv12 }
            set {}
        }
    }

    extension URLProtectionSpace {
        var serverTrust: SecTrust? { nil }
    }

    extension URLCredential {
        convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }

        convenience init(identity: SecIdentity, certificates: [Any]?, persistence: Persistence) {
            self.init(user: "", password: "", persistence: persistence)
        }
    }

    extension Stream {
        static func getBoundStreams(
            withBufferSize: Int,
            inputStream: UnsafeMutablePointer<InputStream?>,
            outputStream: UnsafeMutablePointer<OutputStream?>
        ) {}
    }
#endif
