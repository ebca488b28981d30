import StartSmallCore
import StartSmallSupport
import Dispatch
import StartSmallFoundation
import Synchronization

/// The HARs of the process: one entry on each line, and closing brackets, which each new entry overwrites.
///
/// Nothing but the process itself knows which of its files are written, so that this is a variable of the process.
struct HARFiles {
    /// The queue of all files: a disk may block a thread, which must not be a thread of Swift's tasks.
    static let disk = DispatchQueue(label: "StartSmallDiagnostics.HAR")

    private static let all = Mutex(HARFiles())

    private struct File {
        let handle: WritableFile
        var (size, entries): (Int, Int)
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The open files by their numbers in the file system, which are those of all paths of a file.
    private var files: [[UInt64]: File] = [:]

    /// The secrets of the last exchanges, and of those before.
    private var (secrets, earlier) = (KnownSecrets(), KnownSecrets())

    /// The limits of what a process that runs for long keeps: open files, of which others are opened again, and half of
    /// the known secrets, of some kilobytes each.
    private static let (mostFiles, mostSecrets) = (16, 500)

    /// The number of times that a file is opened if it is moved meanwhile: a process moves one once for many entries.
    private static let mostOpenings = 3

    private static let opening = Data(
        #"{"log":{"version":"1.2","creator":{"name":"StartSmall","version":"1"},"entries":["#.utf8
    )
    private static let closing = Data("\n]}}\n".utf8)

    /// Adds a redacted entry to a file; returns the event of an entry that is lost.
    static func add(_ entry: HAREntry, to path: URL, _ limits: HARLimits, _ scrubbing: CassetteRedaction)
        -> HAREntryLost?
    {
        let (exchange, found) = entry.hidden(by: scrubbing, upTo: limits.payload)
        let (secrets, earlier) = all.withLock { all in
            if all.secrets.count >= mostSecrets { (all.earlier, all.secrets) = (all.secrets, KnownSecrets()) }
            _ = all.secrets.add(found)
            return scrubbing.redaction.hidesNothing ? (KnownSecrets(), KnownSecrets()) : (all.secrets, all.earlier)
        }
        let hidden = scrubbing.omittingRevealed(scrubbing.hidden(exchange, without: secrets, earlier))
        do {
            try all.withLock { try $0.append(entry.line(of: hidden), to: path, limits) }
            return nil
        } catch {
            return HAREntryLost(description: "\(path.lastPathComponent): \(SystemErrorText.text(of: error))")
        }
    }

    private mutating func append(_ line: Data, to path: URL, _ limits: HARLimits) throws {
        var (id, file) = try opened(path, limits)
        if file.entries >= limits.entries || file.entries > 0 && line.count > limits.bytes - file.size {
            // A file that can't be moved stays open: to read it again for each entry would take long.
            files[id] = file
            try Self.makePrevious(path)
            files[id] = nil
            (id, file) = try opened(path, limits)
        }
        let end = file.size - Self.closing.count
        let bytes = Data((file.entries == 0 ? "\n" : ",\n").utf8) + line + Self.closing
        do { try file.handle.overwrite(from: end, with: bytes) } catch {
            // The brackets have their place on the disk already.
            let isCut = ftruncate(file.handle.descriptor, off_t(file.size)) == 0
            if isCut, (try? file.handle.overwrite(from: end, with: Self.closing)) != nil { files[id] = file }
            throw error
        }
        (file.size, file.entries) = (end + bytes.count, file.entries + 1)
        files[id] = file
    }

    private static func id(_ status: stat) -> [UInt64] {
        [UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino)]
    }

    /// Returns a file as this process has left it, or opens it: only its owner may read it.
    private mutating func opened(_ path: URL, _ limits: HARLimits) throws -> ([UInt64], File) {
        var status = stat()
        if stat(path.path, &status) == 0, let file = files.removeValue(forKey: Self.id(status)),
            file.size == status.st_size
        {
            return (Self.id(status), file)
        }
        if files.count >= Self.mostFiles { files = [:] }
        let folder = path.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let handle = try Self.locked(path, &status)
        // A file over the limit is not read: a new one takes its place.
        var file = File(handle: handle, size: Int(clamping: status.st_size), entries: limits.entries)
        if file.size < Self.opening.count, Self.opening.starts(with: try handle.bytes(file.size, at: 0)) {
            // An empty file, or one whose process has ended in this write.
            try handle.overwrite(from: 0, with: Self.opening + Self.closing)
            (file.size, file.entries) = (Self.opening.count + Self.closing.count, 0)
        } else if try !handle.hasBytes(Self.opening, at: 0) {
            throw Failure(description: "another program has written the file")
        } else if file.size <= limits.bytes {
            try Self.read(&file)
        }
        // A file of another program, or from a backup, may be open to all.
        if status.st_uid == geteuid(), fchmod(handle.descriptor, 0o600) != 0 { throw WritableFile.lastError }
        return (Self.id(status), file)
    }

    /// Opens and locks the file of a path, and finds its status.
    private static func locked(_ path: URL, _ status: inout stat) throws -> WritableFile {
        for _ in 0..<mostOpenings {
            // A pipe must not wait for its other end.
            let handle = WritableFile(open(path.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600))
            guard handle.descriptor >= 0, fstat(handle.descriptor, &status) == 0 else { throw WritableFile.lastError }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw Failure(description: "the path is not a regular file")
            }
            if !handle.lock(), errno == EWOULDBLOCK { break }
            // Before the lock, another process may have written the file, or moved it to the previous one.
            var named = stat()
            guard fstat(handle.descriptor, &status) == 0 else { throw WritableFile.lastError }
            if stat(path.path, &named) == 0, id(named) == id(status) { return handle }
        }
        throw Failure(description: "another process writes the file")
    }

    /// Counts the entries of an earlier process, and removes an entry that it has left torn.
    private static func read(_ file: inout File) throws {
        let text = try file.handle.bytes(file.size, at: 0)
        var lines = text.dropFirst(opening.count).split(separator: UInt8(ascii: "\n"))
        while let last = lines.last, !isEntry(last) { lines.removeLast() }
        let end = lines.last.map { $0.endIndex - ($0.last == UInt8(ascii: ",") ? 1 : 0) } ?? opening.count
        try file.handle.overwrite(from: end, with: closing)
        (file.size, file.entries) = (end + closing.count, lines.count)
        guard ftruncate(file.handle.descriptor, off_t(file.size)) == 0 else { throw WritableFile.lastError }
    }

    private static func isEntry(_ line: Data) -> Bool {
        var parts = JSONParts(Array(line.last == UInt8(ascii: ",") ? line.dropLast() : line), .none)
        while parts.next() != nil {}
        return line.first == UInt8(ascii: "{") && parts.isComplete
    }

    /// Moves a file, behind all links to it, to the name of the previous one.
    private static func makePrevious(_ path: URL) throws {
        let file = path.resolvingSymlinksInPath()
        let base = file.deletingPathExtension().appendingPathExtension("previous")
        let previous = file.pathExtension.isEmpty ? base : base.appendingPathExtension(file.pathExtension)
        guard rename(file.path, previous.path) == 0 else { throw WritableFile.lastError }
    }
}
