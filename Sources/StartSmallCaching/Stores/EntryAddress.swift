/// The place of a key's responses in a cache directory: digests of the URL and of the identity.
///
/// The digests are salted with random bytes of the directory, so that nobody can find out by guessing which URLs or
/// credentials a directory belongs to. Names of files consist of digests only, so that no key leads out of the
/// directory.
struct EntryAddress: Hashable, Sendable {
    /// The number of bytes of each digest in an address.
    ///
    /// SHA-256 is cut to 128 bits, which suffices since the salt is secret, so that names are short: eCryptfs allows
    /// 143 bytes.
    static let digestSize = 16

    /// The maximum number of responses to one URL and identity that differ in their variants.
    ///
    /// All of them are read in each hit. A resource that varies with the language or the format has fewer.
    static let maximumVariants = 8

    /// The digest of the URL.
    let url: [UInt8]

    /// The digest of the URL and the identity together.
    let identity: [UInt8]

    /// Creates the address of a key.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - salt: the random bytes of the directory.
    init(_ key: CacheKey, salt: [UInt8]) {
        url = Self.digest(of: key.url, .url, salt)
        identity = Self.digest(of: key.identity, .identity, salt + url)
    }

    /// The name of the folder of a URL, which spreads the files over 256 folders.
    static func folder(ofURL digest: [UInt8]) -> String { SHA256Digest.hexadecimal(digest.prefix(1)) }

    /// The beginning of the names of all files of a URL.
    static func prefix(ofURL digest: [UInt8]) -> String { SHA256Digest.hexadecimal(digest) + "-" }

    /// Returns the digest of a URL.
    static func digest(ofURL url: String, salt: [UInt8]) -> [UInt8] { digest(of: url, .url, salt) }

    /// The name of the folder.
    var folder: String { Self.folder(ofURL: url) }

    /// Returns the names of the files, one for each variant; a variant may be in any of them.
    var fileNames: [String] {
        let name = Self.prefix(ofURL: url) + SHA256Digest.hexadecimal(identity) + "-"
        return (0..<Self.maximumVariants).map { name + "\($0)" }
    }

    /// Whether a name is that of an entry, of any key.
    static func isFileName(_ name: some StringProtocol) -> Bool {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[..<2].allSatisfy { $0.utf8.count == digestSize * 2 && $0.isHexadecimal }
            && parts[2].utf8.count == 1 && parts[2].isHexadecimal
    }

    /// Whether a name is that of a folder of entries.
    static func isFolderName(_ name: some StringProtocol) -> Bool {
        name.utf8.count == 2 && name.isHexadecimal
    }

    /// The subjects of digests, so that no URL has the digest of an identity.
    enum Subject: UInt8 {
        case url, identity, variant
    }

    /// Returns the salted digest of a text.
    static func digest(of text: String, _ subject: Subject, _ salt: [UInt8]) -> [UInt8] {
        var bytes = salt
        bytes.reserveCapacity(salt.count + 1 + text.utf8.count)
        bytes.append(subject.rawValue)
        bytes.append(contentsOf: text.utf8)
        return Array(SHA256Digest.digest(of: bytes).prefix(digestSize))
    }
}

extension StringProtocol {
    /// Whether the text consists of lowercase hexadecimal digits.
    var isHexadecimal: Bool {
        utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }
    }
}
