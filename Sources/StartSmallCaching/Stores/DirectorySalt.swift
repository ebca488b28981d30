import Foundation

/// The random bytes of a cache directory, in a file of its own, which all processes share.
///
/// Without the file, all entries are misses.
enum DirectorySalt {
    static let name = ".startsmall-cache-salt"

    /// The number of bytes: as many as SHA-256 returns.
    private static let size = 32

    /// Returns the salt; nil if there is none, or if others may have written it.
    static func load(from root: borrowing OpenFile) -> [UInt8]? {
        guard let file = OpenFile(name, in: root), file.regularStatus?.st_size == size else { return nil }
        return file.prefix(size)
    }

    /// Creates the salt where there is none; nil if the directory is not writable.
    ///
    /// Of several processes that create it at the same time, one wins: only one link can get the name. If there is
    /// something else under the name, it is replaced.
    static func create(in root: borrowing OpenFile, _ random: () -> UInt64, now: Date) -> [UInt8]? {
        let salt = (0..<(size / 8)).flatMap { _ in withUnsafeBytes(of: random()) { Array($0) } }
        let temporary = TemporaryName.make(random)
        guard let file = OpenFile(creating: temporary, in: root) else { return nil }
        defer { unlinkat(root.descriptor, temporary, 0) }
        guard file.writeAll(salt, lastUsed: now) else { return nil }
        if linkat(root.descriptor, temporary, root.descriptor, name, 0) != 0 {
            // Another process was faster, or the file is unusable, or the file system has no links.
            if let salt = load(from: root) { return salt }
            guard renameat(root.descriptor, temporary, root.descriptor, name) == 0 else { return nil }
        }
        return load(from: root)
    }
}

/// The names of files that are being written.
enum TemporaryName {
    private static let (prefix, suffix) = (".startsmall-cache-", ".tmp")

    /// The age after which a file is left over from a process that ended while it wrote: an hour.
    ///
    /// No entry takes nearly as long to write.
    static let maximumAge: TimeInterval = 60 * 60

    /// Returns a new name.
    static func make(_ random: () -> UInt64) -> String { prefix + String(random(), radix: 16) + suffix }

    /// Whether a name is that of a file that is being written.
    static func matches(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        return UInt64(name.dropFirst(prefix.count).dropLast(suffix.count), radix: 16) != nil
    }
}
