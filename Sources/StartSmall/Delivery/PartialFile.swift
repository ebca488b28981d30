import Foundation

/// A file that is being written beside its place, and moved there when it is whole.
struct PartialFile: Sendable {
    /// Where it will be.
    let place: URL

    /// How many bytes were written.
    private(set) var size = 0

    private let part: URL
    private let handle: FileHandle

    /// The longest name of a file that Linux's and Apple's file systems take, in bytes (`NAME_MAX`).
    private static let longestName = 255

    /// Checks that nothing is lost by putting a file there: only a regular file may be replaced.
    ///
    /// A device, a pipe, a socket or a folder is what others use by that name. A symbolic link is replaced itself, and not
    /// what it leads to, so that a link that someone else has planted in a shared folder leads nowhere; but one that leads
    /// to such a node, as `/dev/stdout` does, stands for it.
    private static func check(_ place: URL) throws {
        var status = stat()
        guard stat(place.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { return }
        let kind = kinds[status.st_mode & S_IFMT] ?? "no regular file"
        throw ConnectionError.unwritableDestination(
            debugInfo: "\(place.lastPathComponent.onOneLine): \(kind), which is not replaced"
        )
    }

    private static let kinds: [mode_t: String] = [
        S_IFDIR: "a folder", S_IFCHR: "a device", S_IFBLK: "a device", S_IFIFO: "a pipe", S_IFSOCK: "a socket",
    ]

    /// Creates an empty file `.NAME.XXXXXXXX.part` in the folder of its place, without `NAME` where that is too long.
    init(beside place: URL) throws {
        try Self.check(place)
        self.place = place
        let mark = ".\(String(UInt32.random(in: .min ... .max), radix: 16)).part"
        let name = "." + place.lastPathComponent + mark
        part = place.deletingLastPathComponent()
            .appendingPathComponent(name.utf8.count > Self.longestName ? mark : name)
        // In one step, so that no file is left that could be created but not opened.
        let mode: mode_t = Self.replaced(at: place) == nil ? 0o666 : 0o600
        let descriptor = open(part.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Self.systemError }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Writes at the end.
    mutating func append(_ data: Data) throws {
        // On watchOS, `Int` has 32 bits, and a server decides how much comes.
        let (sum, isTooLarge) = size.addingReportingOverflow(data.count)
        if isTooLarge { throw POSIXError(.EFBIG) }
        try handle.write(contentsOf: data)
        size = sum
    }

    /// Forgets what was written behind this place.
    mutating func cut(to size: Int) throws {
        try handle.truncate(atOffset: UInt64(clamping: size))
        self.size = size
    }

    /// Puts the file into its place, over whatever is there, when its bytes are on the disk.
    ///
    /// Else a power cut could leave the name with fewer bytes, or none, in place of what was there. Nobody may read it who
    /// may not read the file that it replaces; a link in its place is replaced, and not what it leads to.
    func commit() throws {
        // Again, as it may have come meanwhile.
        try Self.check(place)
        if let replaced = Self.replaced(at: place) {
            let (own, unchanged) = (handle.fileDescriptor, uid_t.max)
            let isOfGroup =
                fchown(own, replaced.st_uid, replaced.st_gid) == 0 || fchown(own, unchanged, replaced.st_gid) == 0
            let mode = replaced.st_mode & 0o777
            // Where its group can't be had, another one gets no more than everybody has.
            let ofOthers = mode & 0o707 | mode & 0o070 & (mode & 0o007) << 3
            guard fchmod(own, isOfGroup ? mode : ofOthers) == 0 else { throw Self.systemError }
        }
        try handle.synchronizeToDisk()
        try handle.close()
        guard rename(part.path, place.path) == 0 else { throw Self.systemError }
    }

    /// What is known of a file that is in its place already.
    private static func replaced(at place: URL) -> stat? {
        var status = stat()
        return lstat(place.path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status : nil
    }

    /// Removes the file.
    func discard() {
        try? handle.close()
        try? FileManager.default.removeItem(at: part)
    }

    /// What the system said last.
    private static var systemError: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
