import StartSmallCore
import StartSmallHeaders
import StartSmallFoundation
import Synchronization

/// The files of a cache in a directory; see ``CacheStore/directory(_:limit:now:random:)``.
///
/// A file is named by its key and its variant (``EntryName``), and never changes under its name: a new version is
/// written beside it and renamed over it. So a reader sees a whole entry or none, however many processes write.
/// ``responses(of:upTo:)`` may be called on several threads at once, and the other functions on one at a time.
final class DirectoryCache: Sendable {
    /// A file that could not be written, or an outdated one that could not be removed.
    struct Failure: Error {}

    let path: String
    let limit: Int
    let now: @Sendable () -> Date
    let random: @Sendable () -> UInt64

    /// The number of bytes that can be written before the directory has to be measured; nil before the first time.
    let room = Mutex<Int?>(nil)

    /// The precision of the times of the last use: a use is noted if the last one is older than a minute.
    ///
    /// So a hit rarely writes.
    static let precisionOfUse: TimeInterval = 60

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

    private func isAllowed(size: Int) -> Bool { Self.cost(ofSize: size) <= limit / Self.writtenShare }

    /// Returns the stored responses of a key, or nil if there is a file above a size; damaged entries are removed.
    func responses(of key: CacheKey, upTo size: Int? = nil) -> [StoredResponse]? {
        let name = EntryName(url: key.url, identity: key.identity)
        // What can't be removed must not be used.
        guard let root = OpenFile(root: path), root.isWritable, let folder = OpenFile(folder: name.folder, in: root)
        else { return [] }
        var responses: [StoredResponse] = []
        for file in entries(in: folder, name.prefix).prefix(CacheStore.maximumStoredVariants) {
            guard let open = OpenFile(file, in: folder) else {
                // A symbolic link, or what others may have written.
                if errno == ELOOP || errno == EACCES { folder.remove(file) }
                continue
            }
            let status = open.regularStatus
            if let status, isAllowed(size: Int(clamping: status.st_size)) {
                if let size, status.st_size > size { return nil }
                if let response = response(in: open, status) {
                    responses.append(response)
                    continue
                }
            }
            folder.remove(file)
        }
        return responses
    }

    /// Reads an entry, and notes its use; nil if it is damaged.
    private func response(in file: borrowing OpenFile, _ status: stat) -> StoredResponse? {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(status.st_size), alignment: 8)
        defer { buffer.deallocate() }
        guard file.read(into: buffer) == buffer.count, let response = Entry.decoded(UnsafeRawBufferPointer(buffer))
        else { return nil }
        let now = now()
        if abs(now.timeIntervalSince(status.lastUsed)) > Self.precisionOfUse { file.touch(now) }
        return response
    }

    private func entries(in folder: borrowing OpenFile, _ prefix: String) -> [String] {
        (folder.names(prefix) ?? []).filter(EntryName.isFileName)
    }

    /// Stores a response in place of the one with the same variant, which is removed if the new one can't be stored.
    ///
    /// A response whose variant has credentials in clear text is not stored, since the fields of a variant are on the
    /// disk as they are.
    func store(_ stored: StoredResponse, _ key: CacheKey) throws {
        createRoot()
        guard let root = OpenFile(root: path) else { throw Failure() }
        let name = EntryName(url: key.url, identity: key.identity)
        let bytes = storable(stored)
        if bytes != nil { createFolder(name.folder, in: root) }
        guard let folder = OpenFile(folder: name.folder, in: root) else {
            if bytes == nil, errno == ENOENT { return }
            throw Failure()
        }
        let file = name.file(of: stored.variant)
        guard let bytes else { return try remove(file, from: folder) }
        guard write(bytes, to: file, in: folder) else {
            try remove(file, from: folder)
            throw Failure()
        }
        let variants = entries(in: folder, name.prefix)
        if variants.count > CacheStore.maximumStoredVariants {
            let others = variants.filter { $0 != file }
            let lastUsed = { [folder = folder.descriptor] in OpenFile.regularStatus(of: $0, in: folder)?.lastUsed }
            let oldest = others.min { lastUsed($0) ?? .distantPast < lastUsed($1) ?? .distantPast }
            if let oldest { try remove(oldest, from: folder) }
        }
    }

    func remove(url: String) throws {
        let name = EntryName(url: url)
        guard let root = OpenFile(root: path) else {
            if errno == ENOENT || errno == ENOTDIR { return }
            throw Failure()
        }
        guard let folder = OpenFile(folder: name.folder, in: root) else {
            if errno == ENOENT { return }
            throw Failure()
        }
        guard let names = folder.names(name.urlPrefix) else { throw Failure() }
        let remaining = names.filter { EntryName.isFileName($0) && !folder.remove($0) }
        if !remaining.isEmpty { throw Failure() }
    }

    private func remove(_ file: String, from folder: borrowing OpenFile) throws {
        if !folder.remove(file) { throw Failure() }
    }

    /// Returns the bytes to write; nil if the response is not to be stored, or if there is no room for it.
    private func storable(_ stored: StoredResponse) -> [UInt8]? {
        let credentials = RequestIdentity(stored.variant, alsoNaming: stored.credentials)
        guard credentials.fields.allSatisfy(\.hasDigest), let bytes = Entry.encoded(stored),
            isAllowed(size: bytes.count), makeRoom(for: Self.cost(ofSize: bytes.count))
        else { return nil }
        return bytes
    }

    /// Writes a file beside its place, and moves it there; returns whether it could.
    private func write(_ bytes: [UInt8], to name: String, in folder: borrowing OpenFile) -> Bool {
        let temporary = TemporaryName.make(random)
        guard let file = OpenFile(creating: temporary, in: folder) else { return false }
        if file.writeAll(bytes, lastUsed: now()), renameat(folder.descriptor, temporary, folder.descriptor, name) == 0 {
            return true
        }
        folder.remove(temporary)
        return false
    }

    /// Creates the directory and those around it, for this user only.
    private func createRoot() {
        var parent = URL(fileURLWithPath: path, isDirectory: true)
        var missing: [String] = []
        while access(parent.path, F_OK) != 0, parent.path != "/", missing.count < 64 {
            missing.append(parent.path)
            parent.deleteLastPathComponent()
        }
        for path in missing.reversed() where mkdir(path, OpenFile.folderMode) == 0 {
            OpenFile.setFolderMode(path, in: AT_FDCWD)
        }
    }

    private func createFolder(_ name: String, in root: borrowing OpenFile) {
        guard mkdirat(root.descriptor, name, OpenFile.folderMode) == 0 else { return }
        OpenFile.setFolderMode(name, in: root.descriptor)
    }
}

extension HTTPHeaders.Field {
    /// Whether the value is a digest, as that of a credential in ``StoredResponse/variant`` is.
    fileprivate var hasDigest: Bool { value.utf8.count == 64 && value.isHexadecimal }
}
