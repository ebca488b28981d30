import Foundation
import Synchronization

extension DirectoryCache {
    /// The part of the limit that is free after an eviction: a quarter, so that few writes need an eviction.
    static let freedShare = 4

    /// The part of the limit below which free space leads to an eviction: a sixteenth.
    static let minimumFreeShare = 16

    /// The part of the free space that a process fills before it measures the directory again: a quarter.
    ///
    /// So four processes together stay within the limit; each further one can exceed it by a sixteenth.
    static let roomShare = 4

    /// Removes the least recently used entries if a file of a cost would exceed the limit.
    ///
    /// The directory is measured only when the room that was found the last time is used up.
    ///
    /// - Returns: whether the file fits now; if not, entries can't be removed.
    func makeRoom(for cost: Int) -> Bool {
        let hasRoom = state.withLock { state in
            guard let room = state.room, room >= cost else { return false }
            state.room = room - cost
            return true
        }
        if hasRoom { return true }
        var contents = DirectoryContents(at: path, now: now())
        if limit - contents.cost - cost < limit / Self.minimumFreeShare {
            contents.evict(to: limit - limit / Self.freedShare - cost)
        }
        let free = limit - contents.cost - cost
        state.withLock { $0.room = max(0, free / Self.roomShare) }
        return free >= 0
    }

    /// Notes that a file of a cost was replaced.
    func freeRoom(_ cost: Int) {
        state.withLock { state in state.room = state.room.map { $0 + cost } }
    }
}

/// The entries of a cache directory, as one process found them.
struct DirectoryContents {
    private struct File {
        let folder: String
        let name: String
        let cost: Int
        let lastUsed: Date
    }

    private let path: String
    private var files: [File] = []

    /// The cost of all files together, also of those that are being written.
    private(set) var cost = 0

    /// Measures a directory, and removes files that were left over by processes that ended while they wrote.
    ///
    /// Only folders and files with names of a cache are looked at.
    init(at path: String, now: Date) {
        self.path = path
        guard let root = OpenFile(root: path) else { return }
        let names = root.names ?? []
        for name in names where TemporaryName.matches(name) { addTemporary(name, in: root, now: now) }
        for name in names where EntryAddress.isFolderName(name) {
            if let folder = OpenFile(folder: name, in: root) { add(folder, named: name, now: now) }
        }
    }

    private mutating func add(_ folder: borrowing OpenFile, named folderName: String, now: Date) {
        for name in folder.names ?? [] {
            if TemporaryName.matches(name) {
                addTemporary(name, in: folder, now: now)
            } else if EntryAddress.isFileName(name), let status = folder.regularStatus(of: name) {
                let own = DirectoryCache.cost(ofSize: Int(clamping: status.st_size))
                // After a clock was set back, the times of entries that were not used since then mean nothing.
                let isInFuture = status.lastUsed.timeIntervalSince(now) > DirectoryCache.precisionOfUse
                let lastUsed = isInFuture ? .distantPast : status.lastUsed
                files.append(File(folder: folderName, name: name, cost: own, lastUsed: lastUsed))
                cost += own
            }
        }
    }

    /// Counts a file that is being written, or removes it if it is left over.
    private mutating func addTemporary(_ name: String, in folder: borrowing OpenFile, now: Date) {
        guard let status = folder.regularStatus(of: name) else { return }
        let isLeftOver = abs(now.timeIntervalSince(status.lastUsed)) > TemporaryName.maximumAge
        if isLeftOver, folder.remove(name) { return }
        cost += DirectoryCache.cost(ofSize: Int(clamping: status.st_size))
    }

    /// Removes the least recently used entries, until the rest costs no more than a limit.
    mutating func evict(to limit: Int) {
        for file in files.sorted(by: { $0.lastUsed < $1.lastUsed }) {
            if cost <= limit { return }
            guard let folder = OpenFile(folder: path + "/" + file.folder) else { continue }
            if folder.remove(file.name) { cost -= file.cost }
        }
    }
}
