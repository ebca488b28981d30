import Foundation
import StartSmall
import Synchronization

extension DirectoryCache {
    /// The maximum number of URLs that are remembered because their entries could not be removed.
    static let maximumUnremoved = 1_000

    /// Stores a response in place of the one with the same variant, which is removed if the new one can't be stored.
    ///
    /// A response whose variant has credentials in clear text is not stored, since the fields of a variant are on the
    /// disk as they are.
    func store(_ stored: StoredResponse, _ key: CacheKey) {
        guard let salt = writableSalt(creating: true) else { return }
        removeUnremoved()
        let address = EntryAddress(key, salt: salt)
        let variant = Entry.variantDigest(of: stored.variant, salt: salt)
        let credentials = RequestIdentity(stored.variant, alsoNaming: stored.credentials)
        let isPublic = credentials.fields.allSatisfy(\.hasDigest)
        var bytes = isPublic ? Entry.encoded(stored, address, variant) : nil
        if let size = bytes?.count {
            let cost = Self.cost(ofSize: size)
            if cost > limit / Self.writtenShare || !makeRoom(for: cost) { bytes = nil }
        }
        guard let folder = writableFolder(address.folder, creating: bytes != nil) else {
            if errno != ENOENT { noteUnremoved(address.url) }
            return
        }
        var slots = EntrySlots(in: folder, of: address, variant)
        let isStored = bytes.map { write($0, to: slots.target, in: folder) } ?? false
        for name in slots.outdated.reversed() where !isStored || name != slots.target {
            if !slots.remove(name, from: folder) { noteUnremoved(address.url) }
        }
    }

    /// Removes the responses of a URL.
    func remove(url: String) {
        guard let salt = writableSalt(creating: false) else { return }
        removeUnremoved()
        let digest = EntryAddress.digest(ofURL: url, salt: salt)
        if !remove(ofURL: digest) { noteUnremoved(digest) }
    }

    /// Removes the responses of a URL, and returns whether there is none left.
    private func remove(ofURL digest: [UInt8]) -> Bool {
        guard let folder = writableFolder(EntryAddress.folder(ofURL: digest), creating: false) else {
            return errno == ENOENT
        }
        guard let names = folder.names else { return false }
        let prefix = EntryAddress.prefix(ofURL: digest)
        return names.filter { $0.hasPrefix(prefix) && EntryAddress.isFileName($0) }.count { !folder.remove($0) } == 0
    }

    /// Tries again to remove what could not be removed before.
    private func removeUnremoved() {
        for digest in state.withLock({ $0.unremoved }) where remove(ofURL: digest) {
            state.withLock { state in _ = state.unremoved.remove(digest) }
        }
    }

    /// Notes that an outdated entry of a URL could not be removed.
    private func noteUnremoved(_ digest: [UInt8]) {
        state.withLock { state in
            state.unremoved.insert(digest)
            if state.unremoved.count > Self.maximumUnremoved { state.isBroken = true }
        }
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

    /// Returns the salt, as it is in the directory now; nil if nothing can be written.
    ///
    /// Another process may have replaced the directory.
    ///
    /// - Parameter isCreating: whether to create the salt and the directory if there is none.
    private func writableSalt(creating isCreating: Bool) -> [UInt8]? {
        if isCreating { createRoot() }
        guard let root = OpenFile(root: path) else {
            // Entries can be there that are outdated now.
            let isMissing = errno == ENOENT
            state.withLock { $0.isBroken = $0.isBroken || !isMissing && (!isCreating || $0.salt != nil) }
            return nil
        }
        var salt = DirectorySalt.load(from: root)
        if salt == nil, isCreating { salt = DirectorySalt.create(in: root, random, now: now()) }
        state.withLock { state in
            if state.salt != salt { (state.salt, state.room) = (salt, nil) }
        }
        return salt
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

    /// Opens a folder of entries, and creates it if asked for.
    private func writableFolder(_ name: String, creating isCreating: Bool) -> OpenFile? {
        guard let root = OpenFile(root: path) else { return nil }
        if isCreating, mkdirat(root.descriptor, name, OpenFile.folderMode) == 0 {
            OpenFile.setFolderMode(name, in: root.descriptor)
        }
        return OpenFile(folder: name, in: root)
    }
}

extension HTTPHeaders.Field {
    /// Whether the value is a digest, as that of a credential in ``StoredResponse/variant`` is.
    fileprivate var hasDigest: Bool { value.utf8.count == 64 && value.isHexadecimal }
}
