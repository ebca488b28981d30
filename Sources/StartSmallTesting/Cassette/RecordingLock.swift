import Foundation

/// The lock that a process has on each file to which it records, until it ends.
///
/// Two processes that record to one file would each replace what the other one wrote. The lock is a byte of one file in the
/// folder for temporary files (POSIX.1-2024, `fcntl`), so that nothing is left beside a cassette: the system releases it
/// when the process ends, however it does.
enum RecordingLock {
    /// Takes the lock; false if another process has it.
    ///
    /// Where there is no file for locks, there are none.
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

    /// Never closed: to close any descriptor of the file would release all locks of the process.
    private static let descriptor: Int32 = {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        return open("\(folder)/StartSmallCassettes-\(getuid()).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    }()

    /// A number that each process has for the same path: FNV-1a (RFC 9923), less the bits that no offset has.
    private static func place(of file: URL) -> Int32 {
        let path = file.resolvingSymlinksInPath().standardizedFileURL.path(percentEncoded: false)
        let hash = path.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return Int32(truncatingIfNeeded: (hash ^ hash >> 32) & 0x7FFF_FFFF)
    }
}
