package import StartSmallFoundation

/// A file that is written beside its final place, and moved there when it is complete.
package struct PartialFile: Sendable {
    /// The place of the file until it is complete.
    package let part: URL

    /// The number of bytes written so far.
    package private(set) var size = 0

    private let file: WritableFile

    /// Whether only the user of the process may read the file, from its first byte on, whatever file it replaces.
    private let isPrivate: Bool

    /// The maximum length of a file name on Linux's and Apple's file systems, in bytes (`NAME_MAX`).
    private static let longestName = 255

    /// Checks that a file at this place may be replaced: only a regular file may.
    ///
    /// A device, a pipe, a socket or a folder is in use by others under that name. A symbolic link is replaced itself,
    /// not its target, so that a link planted by someone else in a shared folder has no effect. A link to a device,
    /// pipe, socket or folder, such as `/dev/stdout`, is rejected like its target.
    private static func check(_ place: URL) throws {
        var status = stat()
        guard stat(place.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        let kind = kinds[status.st_mode & S_IFMT] ?? "not a regular file"
        throw Irreplaceable(kind: kind)
    }

    /// The error of a place whose file is no regular one.
    package struct Irreplaceable: Error, CustomStringConvertible {
        let kind: String

        package var description: String { "not replaced, because it is \(kind)" }
    }

    private static let kinds: [mode_t: String] = [
        S_IFDIR: "a folder", S_IFCHR: "a device", S_IFBLK: "a device", S_IFIFO: "a pipe", S_IFSOCK: "a socket",
    ]

    /// Creates an empty file `.NAME.XXXXXXXX.part` in the folder of the place; `NAME` is left out if it is too long.
    ///
    /// The first file of a call removes those of ended processes.
    package init(beside place: URL, isFirst: Bool = true, isPrivate: Bool = false) throws {
        try Self.check(place)
        let named = ".\(place.lastPathComponent)."
        let prefix = named.utf8.count + Self.longestMark > Self.longestName ? "." : named
        let folder = place.deletingLastPathComponent()
        let mode: mode_t = !isPrivate && Self.replaced(at: place) == nil ? 0o666 : 0o600
        self.isPrivate = isPrivate
        (part, file) = try Self.created(in: folder, prefix, mode)
        // Without a name, files of others look the same.
        if isFirst, prefix == named { LeftParts.remove(in: folder, prefix) }
    }

    /// Creates a file of a new name, with a lock where the file system has locks.
    private static func created(in folder: URL, _ prefix: String, _ mode: mode_t) throws -> (URL, WritableFile) {
        while true {
            let mark = String(UInt32.random(in: .min ... .max), radix: 16)
            let part = folder.appendingPathComponent("\(prefix)\(mark).part")
            // One system call, so that no file is left that could be created but not opened.
            let descriptor = open(part.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
            guard descriptor >= 0 else { throw WritableFile.lastError }
            let file = WritableFile(descriptor)
            let isTaken = !file.lock() && errno == EWOULDBLOCK
            // Before it was locked, another download may have removed it as one that is left.
            if !isTaken, !file.isRemoved { return (part, file) }
        }
    }

    /// The length of the end of the name of such a file: eight digits and `.part`.
    private static let longestMark = 13

    package func hasBytes(_ data: Data, at offset: Int) throws -> Bool { try file.hasBytes(data, at: offset) }

    package mutating func append(_ data: Data) throws {
        // On watchOS, `Int` has 32 bits, and a server decides the size of the payload.
        let (sum, isTooLarge) = size.addingReportingOverflow(data.count)
        if isTooLarge { throw POSIXError(.EFBIG) }
        try file.append(data)
        size = sum
    }

    /// Moves the file to its place, over an existing file, after its bytes are on the disk.
    ///
    /// Otherwise a power failure could leave fewer bytes, or none, under the name of the existing file. The new file is
    /// readable only by those who may read the file that it replaces. A link in its place is replaced itself, not its
    /// target.
    package func commit(to place: URL) throws {
        // Checked again, since something else can have been put there meanwhile.
        try Self.check(place)
        if !isPrivate, let replaced = Self.replaced(at: place) {
            let (own, unchanged) = (file.descriptor, uid_t.max)
            let isOfGroup =
                fchown(own, replaced.st_uid, replaced.st_gid) == 0 || fchown(own, unchanged, replaced.st_gid) == 0
            let mode = replaced.st_mode & 0o777
            // If the file can't get the same group, its group gets no more permissions than everybody has.
            let ofOthers = mode & 0o707 | mode & 0o070 & (mode & 0o007) << 3
            guard fchmod(own, isOfGroup ? mode : ofOthers) == 0 else { throw WritableFile.lastError }
        }
        try file.synchronizeToDisk()
        // The lock stays until the file has its name, or another process could remove it.
        let lock = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard lock >= 0 else { throw WritableFile.lastError }
        defer { close(lock) }
        try file.finish(keepsLock: true)
        guard rename(part.path, place.path) == 0 else { throw WritableFile.lastError }
    }

    /// Returns the status of a regular file that is in its place already; nil if there is none.
    private static func replaced(at place: URL) -> stat? {
        var status = stat()
        return lstat(place.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status : nil
    }

    /// Closes and removes the file.
    package func discard() {
        try? file.finish()
        try? FileManager.default.removeItem(at: part)
    }
}

/// The files `.NAME.XXXXXXXX.part` that processes left beside a place, because they ended in the midst of a download.
///
/// A process holds an advisory lock on each of its files (`flock`), which ends with the process, however it ends.
enum LeftParts {
    /// The number of entries of a folder that are searched: 10,000, which takes a few milliseconds.
    ///
    /// Each download searches, so that many downloads to one folder would take time with the square of their number.
    private static let searchedEntries = 10_000

    /// Removes the files with a prefix that no running process holds, as far as they are the user's own regular files.
    static func remove(in folder: URL, _ prefix: String) {
        guard let directory = opendir(folder.path) else { return }
        defer { closedir(directory) }
        for _ in 0..<searchedEntries {
            guard let entry = readdir(directory) else { return }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { left($0, prefix) }
            if let name { remove(folder.appendingPathComponent(name).path) }
        }
    }

    /// Returns the name of a directory entry if it has the form of such a file's; as bytes, most entries differ early.
    private static func left(_ entry: UnsafeRawBufferPointer, _ prefix: String) -> String? {
        guard entry.starts(with: prefix.utf8) else { return nil }
        let mark = entry.dropFirst(prefix.utf8.count).prefix { $0 != 0 }
        let (digits, end) = (mark.dropLast(5), mark.suffix(5))
        let isMark = (1...8).contains(digits.count) && digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
        return isMark && end.elementsEqual(".part".utf8) ? prefix + String(decoding: mark, as: UTF8.self) : nil
    }

    private static func remove(_ path: String) {
        var (named, opened) = (stat(), stat())
        // Neither a pipe nor a device is opened, nor the target of a link.
        guard lstat(path, &named) == 0, named.st_mode & S_IFMT == S_IFREG, named.st_uid == geteuid() else { return }
        let file = WritableFile(open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
        guard fstat(file.descriptor, &opened) == 0, opened.st_ino == named.st_ino, opened.st_dev == named.st_dev,
            file.lock()
        else { return }
        unlink(path)
    }
}
