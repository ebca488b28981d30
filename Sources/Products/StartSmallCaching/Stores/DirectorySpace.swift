import StartSmallFoundation
import Synchronization

extension DirectoryCache {
    /// The part of the limit that a process writes before it measures the directory again: a sixteenth.
    ///
    /// An entry may take as much, which is near the 5 % of `URLCache` (Apple's documentation of
    /// `urlSession(_:dataTask:willCacheResponse:completionHandler:)`).
    ///
    /// When a process measures the directory and finds no more than three quarters of the limit, four processes can
    /// each write a sixteenth until the next measurement, and together stay within the limit.
    static let writtenShare = 16

    /// The part of the limit above which entries are removed: three quarters.
    static func fullSize(of limit: Int) -> Int { limit - limit / 4 }

    /// The part of the limit that is left by a removal: five eighths, so that few writes need one.
    static func shrunkSize(of limit: Int) -> Int { limit / 8 * 5 }

    /// Removes the least recently used entries if the directory is full, and returns whether a file of a cost fits now.
    ///
    /// The directory is measured only when the room since the last measurement is used up.
    func makeRoom(for cost: Int) -> Bool {
        let hasRoom = room.withLock { room in
            guard let rest = room, rest >= cost else { return false }
            room = rest - cost
            return true
        }
        if hasRoom { return true }
        var contents = DirectoryContents(at: path, now: now())
        if contents.cost > Self.fullSize(of: limit) { contents.evict(to: Self.shrunkSize(of: limit)) }
        room.withLock { $0 = limit / Self.writtenShare - cost }
        return contents.cost <= Self.fullSize(of: limit)
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
        for name in root.names() ?? [] where EntryName.isFolderName(name) {
            if let folder = OpenFile(folder: name, in: root) { add(folder, named: name, now: now) }
        }
    }

    private mutating func add(_ folder: borrowing OpenFile, named folderName: String, now: Date) {
        for name in folder.names() ?? [] {
            if TemporaryName.matches(name) {
                addTemporary(name, in: folder, now: now)
            } else if EntryName.isFileName(name), let status = OpenFile.regularStatus(of: name, in: folder.descriptor) {
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
        guard let status = OpenFile.regularStatus(of: name, in: folder.descriptor) else { return }
        let isLeftOver = abs(now.timeIntervalSince(status.lastUsed)) > TemporaryName.maximumAge
        if isLeftOver, folder.remove(name) { return }
        cost += DirectoryCache.cost(ofSize: Int(clamping: status.st_size))
    }

    /// Removes the least recently used entries, until the rest costs no more than a limit.
    mutating func evict(to limit: Int) {
        guard let root = OpenFile(root: path) else { return }
        for file in files.sorted(by: { $0.lastUsed < $1.lastUsed }) {
            if cost <= limit { return }
            guard let folder = OpenFile(folder: file.folder, in: root) else { continue }
            if folder.remove(file.name) { cost -= file.cost }
        }
    }
}

/// The names of files that are being written.
enum TemporaryName {
    private static let (prefix, suffix) = (".startsmall-cache-", ".tmp")

    /// The age after which a file is left over from a process that ended while it wrote: an hour.
    ///
    /// No entry takes nearly as long to write.
    static let maximumAge: TimeInterval = 60 * 60

    static func make(_ random: () -> UInt64) -> String { prefix + String(random(), radix: 16) + suffix }

    static func matches(_ name: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
        return UInt64(name.dropFirst(prefix.count).dropLast(suffix.count), radix: 16) != nil
    }
}
