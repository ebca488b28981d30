import Foundation
import Synchronization

/// The files of a cache in a directory; see ``CacheStore/directory(_:limit:now:random:)``.
///
/// A file has a name of digests (``EntryAddress``) in one of 256 folders, and never changes under its name: a new
/// version is written beside it and renamed over it. So a reader sees a whole entry or none, however many processes
/// write. ``responses(of:upTo:)`` may be called on several threads at once, and the other functions on one at a time.
final class DirectoryCache: Sendable {
    /// The known facts about the directory.
    struct State: Sendable {
        /// The salt of the directory; nil if it has not been read yet.
        var salt: [UInt8]?

        /// The digests of the URLs of which an outdated entry could not be removed: they are misses until it is.
        var unremoved: Set<[UInt8]> = []

        /// Whether there were too many of them, or their URLs are unknown, so that no entry can be trusted any more.
        var isBroken = false

        /// The number of bytes that can be written before the directory has to be measured; nil before the first time.
        var room: Int?
    }

    let path: String

    /// The maximum number of bytes of all files.
    let limit: Int
    let now: @Sendable () -> Date
    let random: @Sendable () -> UInt64
    let state = Mutex(State())

    /// The precision of the times of the last use: a use is noted if the last one is older than a minute.
    ///
    /// So a hit rarely writes.
    static let precisionOfUse: TimeInterval = 60

    /// Creates the cache; nothing is read or written yet.
    init(
        path: String,
        limit: Int,
        now: @escaping @Sendable () -> Date,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.path = OpenFile.withoutSlash(path)
        (self.limit, self.now, self.random) = (max(0, limit), now, random)
    }

    /// Returns the bytes that a file of a size takes on the disk: whole blocks of 4 KiB, as most file systems allocate.
    static func cost(ofSize size: Int) -> Int {
        let block = 4_096
        let (sum, isTooLarge) = max(1, size).addingReportingOverflow(block - 1)
        return isTooLarge ? .max : sum / block * block
    }

    /// Returns the stored responses of a key; damaged entries are removed.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - size: the maximum size of a file; nil for no maximum.
    /// - Returns: the responses; nil if there is a larger file.
    func responses(of key: CacheKey, upTo size: Int? = nil) -> [StoredResponse]? {
        guard let salt = readableSalt() else { return [] }
        let address = EntryAddress(key, salt: salt)
        if state.withLock({ $0.unremoved.contains(address.url) }) { return [] }
        guard let root = OpenFile(root: path), let folder = OpenFile(folder: address.folder, in: root) else {
            return []
        }
        var responses: [StoredResponse] = []
        for name in address.fileNames {
            guard let file = OpenFile(name, in: folder) else {
                // There is no file after a missing one, unless it was removed: then the next writer fills the gap.
                if errno == ENOENT { break }
                // A symbolic link, or what others may have written.
                if errno == ELOOP || errno == EACCES { folder.remove(name) }
                continue
            }
            let status = file.regularStatus
            if let size, let status, status.st_size > size, isAllowed(status) { return nil }
            if let status, isAllowed(status), let response = response(in: file, status, at: address) {
                responses.append(response)
            } else {
                folder.remove(name)
            }
        }
        return responses.count > 1 ? Self.newest(of: responses) : responses
    }

    private func isAllowed(_ status: stat) -> Bool {
        Int(exactly: status.st_size).map { Self.cost(ofSize: $0) <= limit / Self.writtenShare } ?? false
    }

    /// Reads an entry, and notes its use; nil if it is damaged.
    private func response(in file: borrowing OpenFile, _ status: stat, at address: EntryAddress) -> StoredResponse? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(status.st_size), alignment: 8)
        defer { buffer.deallocate() }
        guard file.read(into: buffer) == buffer.count,
            let response = Entry.decoded(UnsafeRawBufferPointer(buffer), at: address)
        else { return nil }
        let now = now()
        if abs(now.timeIntervalSince(status.lastUsed)) > Self.precisionOfUse { file.touch(now) }
        return response
    }

    /// Returns one response for each variant: two processes can have stored the same one in two files.
    private static func newest(of responses: [StoredResponse]) -> [StoredResponse] {
        responses.reduce(into: []) { newest, response in
            guard let index = newest.firstIndex(where: { $0.variant == response.variant }) else {
                return newest.append(response)
            }
            if newest[index].receivedAt < response.receivedAt { newest[index] = response }
        }
    }

    /// Returns the salt, unless no entry may be used; nothing is created.
    private func readableSalt() -> [UInt8]? {
        let (salt, isBroken) = state.withLock { ($0.salt, $0.isBroken) }
        if isBroken { return nil }
        if let salt { return salt }
        // What can't be invalidated must not be used.
        guard let root = OpenFile(root: path), root.isWritable else { return nil }
        guard let salt = DirectorySalt.load(from: root) else { return nil }
        state.withLock { $0.salt = $0.salt ?? salt }
        return salt
    }
}
