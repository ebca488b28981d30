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

    /// Creates an empty file `.NAME.XXXXXXXX.part` in the folder of its place, without `NAME` where that is too long.
    init(beside place: URL) throws {
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
