// Declarations of Apple's platforms that Linux does not have, for `make apple` alone: it compiles on Linux what those
// platforms compile, and does not run it. Each target imports this module implicitly: see "Platforms" in
// Docs/CONTRIBUTING.md.
public import Foundation
@_exported public import FoundationNetworking

public typealias CFArray = [Any]
public typealias CFData = Data
public typealias CFDictionary = [String: Any]
public typealias CFError = NSError
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

public final class SecTrust {}
public final class SecCertificate {}
public final class SecKey {}
public final class SecIdentity {}

public let errSecSuccess: OSStatus = 0
public let (kSecAttrKeyType, kSecAttrKeySizeInBits, kSecAttrKeyTypeRSA) = ("type", "bsiz", "42")
public let (kSecImportExportPassphrase, kSecImportItemIdentity) = ("passphrase", "identity")
public let errSecItemNotFound: OSStatus = -25300
public let (kSecClass, kSecClassGenericPassword, kSecAttrService, kSecAttrAccount) = ("class", "genp", "svce", "acct")
public let (kSecReturnData, kSecValueData, kSecUseDataProtectionKeychain) = ("r_Data", "v_Data", "nleg")
public let (kSecAttrAccessible, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly) = ("pdmn", "cku")
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"
public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

public func CFGetTypeID(_: AnyObject) -> UInt { 0 }
public func SecIdentityGetTypeID() -> UInt { 0 }
public func SecPKCS12Import(_: CFData, _: CFDictionary, _: UnsafeMutablePointer<CFArray?>) -> OSStatus { -1 }
public func SecItemCopyMatching(_: CFDictionary, _: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { -1 }
public func SecItemUpdate(_: CFDictionary, _: CFDictionary) -> OSStatus { -1 }
public func SecItemAdd(_: CFDictionary, _: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { -1 }
public func SecItemDelete(_: CFDictionary) -> OSStatus { -1 }
public func SecTrustCopyCertificateChain(_: SecTrust) -> Any? { nil }
public func SecTrustSetAnchorCertificates(_: SecTrust, _: CFArray?) -> OSStatus { -1 }
public func SecTrustSetAnchorCertificatesOnly(_: SecTrust, _: Bool) -> OSStatus { -1 }
public func SecTrustEvaluateWithError(_: SecTrust, _: UnsafeMutablePointer<CFError?>?) -> Bool { false }
public func SecCertificateCreateWithData(_: Any?, _: CFData) -> SecCertificate? { nil }
public func SecCertificateCopyKey(_: SecCertificate) -> SecKey? { nil }
public func SecKeyCopyAttributes(_: SecKey) -> Any? { nil }
public func SecKeyCopyExternalRepresentation(_: SecKey, _: UnsafeMutablePointer<CFError?>?) -> CFData? { nil }

public enum SHA256 {
    public static func hash(data: Data) -> [UInt8] { [] }
}

public enum tls_protocol_version_t {
    case TLSv12, TLSv13
}

extension URLSessionConfiguration {
    public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { .TLSv12 }
        set {}
    }
}

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    public convenience init(trust: SecTrust) { self.init(user: "", password: "", persistence: .none) }

    public convenience init(identity: SecIdentity, certificates: [Any]?, persistence: Persistence) {
        self.init(user: "", password: "", persistence: persistence)
    }
}

extension Stream {
    public static func getBoundStreams(
        withBufferSize: Int,
        inputStream: UnsafeMutablePointer<InputStream?>,
        outputStream: UnsafeMutablePointer<OutputStream?>
    ) {}
}

// MARK: os

public struct OSSignpostID {
    public init(_: UInt64) {}
}

public final class OSSignpostIntervalState: Sendable {
    public static func beginState(id: OSSignpostID) -> OSSignpostIntervalState { .init() }
}

public struct OSSignposter: Sendable {
    public enum Category: Sendable {
        case pointsOfInterest
    }

    public struct Metadata: ExpressibleByStringInterpolation {
        public enum Privacy {
            case `public`
        }

        public struct StringInterpolation: StringInterpolationProtocol {
            public init(literalCapacity: Int, interpolationCount: Int) {}
            public func appendLiteral(_: String) {}
            public func appendInterpolation(_: @autoclosure @escaping () -> String, privacy: Privacy) {}
        }

        public init(stringInterpolation: StringInterpolation) {}
        public init(stringLiteral: String) {}
    }

    public init(subsystem: String, category: Category) {}
    public func beginInterval(_: StaticString, id: OSSignpostID, _: Metadata) -> OSSignpostIntervalState { .init() }
    public func endInterval(_: StaticString, _: OSSignpostIntervalState) {}
    public func emitEvent(_: StaticString, id: OSSignpostID, _: Metadata) {}
}

// MARK: libc

/// The socket option of `sys/socket.h`.
public let SO_NOSIGPIPE: Int32 = 0x1022

/// The command of `fcntl.h`.
public let F_FULLFSYNC: Int32 = 51

extension stat {
    /// The time of the last modification, as in `sys/stat.h`.
    public var st_mtimespec: timespec { st_mtim }
}
