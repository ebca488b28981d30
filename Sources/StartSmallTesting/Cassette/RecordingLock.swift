import Foundation
import Synchronization

/// The locks of a process on the files to which it records, until the process ends.
///
/// Two processes that record to one file would replace each other's output. The lock is a byte of one file in the
/// folder for temporary files (POSIX.1-2024, `fcntl`), so that no lock file is left beside a cassette: the system
/// releases the lock when the process ends, for any reason.
enum RecordingLock {
    /// The recorder that wrote each file last, by the path of the file.
    ///
    /// The file system tells a process nothing about its own locks, so that this is a variable of the process.
    private static let writers = Mutex<[String: UInt64]>([:])

    /// Writes a file while no other recorder of this process writes.
    ///
    /// - Parameters:
    ///   - file: the URL of the file.
    ///   - write: writes the file, and takes the place of the recorder that wrote it last: nil for none.
    /// - Throws: the error of `write`.
    static func writing(_ file: URL, _ write: (inout UInt64?) throws -> Void) throws {
        let path = path(of: file)
        try writers.withLock { try write(&$0[path]) }
    }

    /// Acquires the lock; returns false if another process has it.
    ///
    /// If the lock file can't be opened, the function returns true without a lock.
    static func acquire(for file: URL) -> Bool {
        guard descriptor >= 0 else { return true }
        var lock = flock()
        lock.l_type = numericCast(F_WRLCK)
        lock.l_whence = numericCast(SEEK_SET)
        lock.l_start = numericCast(place(of: file))
        lock.l_len = 1
        if fcntl(descriptor, F_SETLK, &lock) == 0 { return true }
        return errno != EACCES && errno != EAGAIN
    }

    /// The descriptor of the lock file, which is never closed.
    ///
    /// Closing any descriptor of the file would release all locks of the process.
    private static let descriptor: Int32 = {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        return open("\(folder)/StartSmallCassettes-\(getuid()).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }()

    /// Returns the offset of a path's byte in the lock file, the same in each process.
    ///
    /// The offset is FNV-1a (RFC 9923), without the bits that an offset can't have.
    private static func place(of file: URL) -> Int32 {
        let hash = path(of: file).utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Int32(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7FFF_FFFF)
    }

    private static func path(of file: URL) -> String {
        file.resolvingSymlinksInPath().standardizedFileURL.path(percentEncoded: false)
    }
}
